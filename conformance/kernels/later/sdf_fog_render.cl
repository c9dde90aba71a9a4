// @ render 64x48|1280x768 16x4 f32:64:-1..1 >f32:12288|3932160 64|1280 48|768 8 0.7f

// Volume rendering of a cloud-like solid that is given as a signed distance field: smooth
// union of moving blobs, minus a slab, over a rippled floor. Fixed steps, front to back.

#define STEPS 40
#define FAR   6.0f

typedef struct {
	float3 origin, dir;
} Ray;

float sdSphere(float3 p, float4 s) { return length(p - s.xyz) - s.w; }

float sdBox(float3 p, float3 b)
{
	float3 q = fabs(p) - b;
	return length(fmax(q, 0.0f)) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0f);
}

float sdTorus(float3 p, float2 t)
{
	float2 q = (float2)(length(p.xz) - t.x, p.y);
	return length(q) - t.y;
}

float smin(float a, float b, float k)
{
	float h = clamp(0.5f + 0.5f * (b - a) / k, 0.0f, 1.0f);
	return mix(b, a, h) - k * h * (1.0f - h);
}

float scene(float3 p, __global const float4 *blobs, int count)
{
	float d = sdTorus(p - (float3)(0.0f, 0.1f, 0.0f), (float2)(0.9f, 0.16f));
	for (int i = 0; i < count; i++) {
		float4 b = blobs[i];
		d = smin(d, sdSphere(p, (float4)(b.xyz * 0.8f, 0.22f + 0.1f * b.w)), 0.25f);
	}
	d = fmax(d, -sdBox(p - (float3)(0.3f, 0.0f, 0.0f), (float3)(0.08f, 2.0f, 2.0f)));
	float floorHeight = -0.9f + 0.05f * sin(4.0f * p.x) * cos(3.0f * p.z);
	return smin(d, (p.y - floorHeight) * 0.9f, 0.1f);
}

float density(float d, float softness) { return 1.0f - smoothstep(-softness, softness, d); }

// How much of the light reaches a point
float lightAt(float3 p, float3 toLight, __global const float4 *blobs, int count)
{
	float depth = 0.0f;
	for (int i = 1; i <= 4; i++)
		depth += density(scene(p + toLight * (0.12f * (float)i), blobs, count), 0.15f) * 0.12f;
	return exp(-3.0f * depth);
}

__kernel void render(__global const float4 *blobs,
		     __global float4 *image,
		     int width, int height, int count, float zoom)
{
	int x = get_global_id(0), y = get_global_id(1);
	float2 uv = ((float2)((float)x, (float)y) + 0.5f) / (float)height * 2.0f
		- (float2)((float)width / (float)height, 1.0f);

	Ray ray;
	ray.origin = (float3)(0.4f, 0.6f, -3.0f);
	float3 forward = normalize((float3)(0.0f, -0.1f, 0.0f) - ray.origin);
	float3 right = normalize(cross((float3)(0.0f, 1.0f, 0.0f), forward));
	float3 up = cross(forward, right);
	ray.dir = normalize(forward + zoom * (uv.x * right - uv.y * up));

	const float3 toLight = normalize((float3)(0.6f, 0.8f, -0.4f));
	const float3 sun = (float3)(1.0f, 0.88f, 0.7f);
	const float dt = (FAR - 1.0f) / STEPS;

	float3 colour = (float3)(0.0f);
	float clear = 1.0f;
	float t = 1.0f;

	for (int i = 0; i < STEPS; i++, t += dt) {
		float3 p = ray.origin + ray.dir * t;
		float d = scene(p, blobs, count);
		float rho = density(d, 0.12f);
		if (rho <= 0.0f)
			continue;
		float absorbed = 1.0f - exp(-9.0f * rho * dt);
		float3 albedo = mix((float3)(0.35f, 0.45f, 0.6f), (float3)(0.9f, 0.85f, 0.8f),
				    smoothstep(-1.0f, 0.4f, p.y));
		float3 shade = sun * lightAt(p, toLight, blobs, count) + (float3)(0.12f, 0.16f, 0.22f);
		colour += clear * absorbed * albedo * shade;
		clear *= 1.0f - absorbed;
		if (clear < 1.0e-4f)
			break;
	}

	float3 sky = mix((float3)(0.9f, 0.95f, 1.0f), (float3)(0.35f, 0.55f, 0.9f), clamp(ray.dir.y + 0.4f, 0.0f, 1.0f));
	colour += clear * sky;
	colour = colour / (1.0f + 0.3f * colour);		// tone
	image[y * width + x] = (float4)(sqrt(colour), 1.0f - clear);
}
