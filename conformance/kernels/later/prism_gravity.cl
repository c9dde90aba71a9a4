// @ gravity_anomaly 512|32768 64 f64:1536|98304:0..10 f64:192|768:0..1 >f64:1024|65536 32|128

/*
  Vertical gravity and its vertical gradient above a model of rectangular prisms
  (Nagy, Papp & Benedek, 2000). Six numbers from 0 to 1 define a prism: centre x y, top,
  half widths, density contrast. One work-item per station (x, y, height).
*/

#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define BIG_G 6.6743e-11
#define KM 1.0e3
#define MGAL 1.0e5
#define EOTVOS 1.0e9

struct prism
{
	double x[2], y[2], z[2];
	double rho;
};

struct prism load_prism(__global const double *m, int i)
{
	__global const double *p = m + 6 * i;
	struct prism r;
	double hx = 0.1 + 0.6 * p[3];
	double hy = 0.1 + 0.6 * p[4];
	r.x[0] = 10.0 * p[0] - hx;
	r.x[1] = 10.0 * p[0] + hx;
	r.y[0] = 10.0 * p[1] - hy;
	r.y[1] = 10.0 * p[1] + hy;
	r.z[0] = 0.2 + 2.0 * p[2];
	r.z[1] = r.z[0] + 0.5 + p[3];
	r.rho = 800.0 * (p[5] - 0.5);
	return r;
}

__kernel void gravity_anomaly(__global const double *stations,
			      __global const double *model,
			      __global double2 *field,
			      int prisms)
{
	int id = get_global_id(0);
	double3 at = vload3(id, stations);
	double gz = 0.0, gzz = 0.0;

	at.z *= 0.1;		/* up to one kilometre above the ground */

	for (int i = 0; i < prisms; i++) {
		struct prism b = load_prism(model, i);
		double g = 0.0, t = 0.0;

		for (int corner = 0; corner < 8; corner++) {
			int ix = corner & 1, iy = (corner >> 1) & 1, iz = corner >> 2;
			double x = b.x[ix] - at.x;
			double y = b.y[iy] - at.y;
			double z = b.z[iz] + at.z;
			double r = sqrt(x * x + y * y + z * z);
			double angle = atan2(x * y, z * r);
			double s = ((ix + iy + iz) & 1) ? 1.0 : -1.0;

			g += s * (x * log(y + r) + y * log(x + r) - z * angle);
			t += s * angle;
		}
		gz += b.rho * g;
		gzz += b.rho * t;
	}

	field[id] = (double2)(BIG_G * KM * MGAL * gz, BIG_G * EOTVOS * gzz);
}
