// @ undistort 512x256|4096x2048 32x4 u8:524288|33554432:192..256 >f32:524288|33554432 512|4096 256|2048 400.0f|3200.0f 255.5f|2047.5f 127.5f|1023.5f (-0.21f,0.043f,0.0011f,-0.0007f) 0.0039215686f

// Brown-Conrady lens model. For every pixel of the ideal image finds where the
// real lens has put it and samples there.

float4 texel(const __global uchar4 *img, int2 p, int2 size)
{
	p = clamp(p, (int2)(0), size - 1);
	return convert_float4(img[p.y * size.x + p.x]);
}

float4 bilinear(const __global uchar4 *img, float2 at, int2 size)
{
	float2 base = floor(at);
	float2 f = at - base;
	int2 i = convert_int2(base);

	float4 top = mix(texel(img, i, size), texel(img, i + (int2)(1, 0), size), f.x);
	float4 bot = mix(texel(img, i + (int2)(0, 1), size), texel(img, i + (int2)(1, 1), size), f.x);
	return mix(top, bot, f.y);
}

// lens = k1 k2 p1 p2
kernel void undistort(const global uchar4 *src, global float4 *dst,
                      int width, int height,
                      float focal, float cx, float cy, float4 lens, float scale)
{
	int2 pos = (int2)(get_global_id(0), get_global_id(1));
	int2 size = (int2)(width, height);
	float2 centre = (float2)(cx, cy);

	float2 n = (convert_float2(pos) - centre) / focal;
	float r2 = dot(n, n);
	float radial = 1.0f + r2 * (lens.x + r2 * lens.y);
	float xy2 = 2.0f * n.x * n.y;

	float2 d;
	d.x = n.x * radial + lens.z * xy2 + lens.w * (r2 + 2.0f * n.x * n.x);
	d.y = n.y * radial + lens.w * xy2 + lens.z * (r2 + 2.0f * n.y * n.y);

	float4 c = bilinear(src, mad(d, (float2)(focal), centre), size);
	dst[pos.y * width + pos.x] = c * scale;
}
