// @ tessellate 16x8192|16x262080 16x4 f16:24576|786240:-1..1 >f32:524288|16773120
//
// Bicubic Bezier patches whose control points are displaced from a flat net by half floats
// (x, y, z of 16 points). For each of 16x16 parameters: normal and mean curvature, as a
// displacement shader wants them. 16 work-items in x take u; y is patch * 16 + v.

#define GRID 16
#define ROWS_PER_GROUP 4

typedef struct {
	float value[4];
	float first[4];
	float second[4];
} Basis;

static void bernstein(float t, Basis *b)
{
	const float s = 1.0f - t;
	b->value[0] = s * s * s;
	b->value[1] = 3.0f * s * s * t;
	b->value[2] = 3.0f * s * t * t;
	b->value[3] = t * t * t;
	b->first[0] = -3.0f * s * s;
	b->first[1] = 3.0f * s * (s - 2.0f * t);
	b->first[2] = 3.0f * t * (2.0f * s - t);
	b->first[3] = 3.0f * t * t;
	b->second[0] = 6.0f * s;
	b->second[1] = 6.0f * (t - 2.0f * s);
	b->second[2] = 6.0f * (s - 2.0f * t);
	b->second[3] = 6.0f * t;
}

__kernel void tessellate(__global const half *displacements, __global float4 *surface)
{
	__local float4 net[16];

	const int u = get_local_id(0), lv = get_local_id(1);
	const size_t row = get_global_id(1);
	const size_t patch = (get_group_id(1) * ROWS_PER_GROUP) / GRID;
	const int v = (int)(row % GRID);

	if (lv == 0) {
		const float3 d = vload_half3(patch * 16 + u, displacements);
		const float3 flat = (float3)((u & 3) / 3.0f, (u >> 2) / 3.0f, 0.0f);
		net[u] = (float4)(flat + d * (float3)(0.06f, 0.06f, 0.25f), 1.0f);
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	Basis bu, bv;
	bernstein(u / (GRID - 1.0f), &bu);
	bernstein(v / (GRID - 1.0f), &bv);

	float3 su = 0.0f, sv = 0.0f, suu = 0.0f, suv = 0.0f, svv = 0.0f;
	for (int j = 0; j < 4; j++) {
		float3 c = 0.0f, cu = 0.0f, cuu = 0.0f;
		for (int i = 0; i < 4; i++) {
			const float3 p = net[j * 4 + i].xyz;
			c += bu.value[i] * p;
			cu += bu.first[i] * p;
			cuu += bu.second[i] * p;
		}
		su += bv.value[j] * cu;
		suu += bv.value[j] * cuu;
		sv += bv.first[j] * c;
		suv += bv.first[j] * cu;
		svv += bv.second[j] * c;
	}

	const float3 n = normalize(cross(su, sv));
	/* the two fundamental forms */
	const float E = dot(su, su), F = dot(su, sv), G = dot(sv, sv);
	const float L = dot(suu, n), M = dot(suv, n), N = dot(svv, n);
	const float mean = (E * N - 2.0f * F * M + G * L) / (2.0f * (E * G - F * F));

	surface[row * GRID + u] = (float4)(n, mean);
}
