// @ riemann_faces 256x256|2048x1024 64x1 f32:65536|2097152:0.2..2 f32:65536|2097152:-0.8..0.8 f32:65536|2097152:-0.5..0.5 f32:65536|2097152:0.3..3 zeros:f32:262144|8388608 256|2048
// @ godunov_update 256x256|2048x1024 64x1 #0 #1 #2 #3 #4 >f32:262144|8388608 256|2048 0.1f
//
// First order Godunov scheme for the 2D Euler equations, x sweep, with the
// exact Riemann solver of Toro (chapter 4).  Periodic in x.
//
// primitive: rho u v p, conserved: rho, rho u, rho v, E

#define GAMMA 1.4f
#define G1 ((GAMMA - 1.0f) / (2.0f * GAMMA))
#define G2 ((GAMMA + 1.0f) / (2.0f * GAMMA))
#define G3 (2.0f * GAMMA / (GAMMA - 1.0f))
#define G4 (2.0f / (GAMMA - 1.0f))
#define G5 (2.0f / (GAMMA + 1.0f))
#define G6 ((GAMMA - 1.0f) / (GAMMA + 1.0f))
#define G7 ((GAMMA - 1.0f) / 2.0f)

#define NEWTON_MAX 20
#define NEWTON_TOL 1e-4f

struct prim {
	float rho, u, v, p;
	float c;
};

static struct prim load_prim(__global const float *rho, __global const float *u,
			     __global const float *v, __global const float *p, int i)
{
	struct prim w;
	w.rho = rho[i];
	w.u = u[i];
	w.v = v[i];
	w.p = p[i];
	w.c = sqrt(GAMMA * w.p / w.rho);
	return w;
}

/* pressure function and its derivative, one side */
static float2 pressure_fn(float p, const struct prim *w)
{
	if (p <= w->p) {
		float ratio = p / w->p;
		float f = G4 * w->c * (pow(ratio, G1) - 1.0f);
		float fd = 1.0f / (w->rho * w->c) * pow(ratio, -G2);
		return (float2)(f, fd);
	} else {
		float a = G5 / w->rho;
		float b = G6 * w->p;
		float q = sqrt(a / (b + p));
		return (float2)((p - w->p) * q, (1.0f - 0.5f * (p - w->p) / (b + p)) * q);
	}
}

static float guess_pressure(const struct prim *l, const struct prim *r)
{
	float cup = 0.25f * (l->rho + r->rho) * (l->c + r->c);
	float ppv = fmax(0.5f * (l->p + r->p) + 0.5f * (l->u - r->u) * cup, 0.0f);
	float pmin = fmin(l->p, r->p);
	float pmax = fmax(l->p, r->p);

	if (pmax / pmin <= 2.0f && pmin <= ppv && ppv <= pmax)
		return ppv;
	if (ppv < pmin) {	/* two rarefactions */
		float pq = pow(l->p / r->p, G1);
		float um = (pq * l->u / l->c + r->u / r->c + G4 * (pq - 1.0f)) / (pq / l->c + 1.0f / r->c);
		float ptl = 1.0f + G7 * (l->u - um) / l->c;
		float ptr = 1.0f + G7 * (um - r->u) / r->c;
		return 0.5f * (l->p * pow(fmax(ptl, 0.05f), G3) + r->p * pow(fmax(ptr, 0.05f), G3));
	}
	/* two shocks */
	float gel = sqrt((G5 / l->rho) / (G6 * l->p + ppv));
	float ger = sqrt((G5 / r->rho) / (G6 * r->p + ppv));
	return (gel * l->p + ger * r->p - (r->u - l->u)) / (gel + ger);
}

static void star_region(const struct prim *l, const struct prim *r, float *pm, float *um)
{
	float p = fmax(guess_pressure(l, r), 1e-4f);
	float2 fl = 0.0f, fr = 0.0f;

	for (int it = 0; it < NEWTON_MAX; it++) {
		fl = pressure_fn(p, l);
		fr = pressure_fn(p, r);
		float pnew = fmax(p - (fl.x + fr.x + r->u - l->u) / (fl.y + fr.y), 1e-4f);
		float change = 2.0f * fabs((pnew - p) / (pnew + p));
		p = pnew;
		if (change <= NEWTON_TOL)
			break;
	}
	*pm = p;
	*um = 0.5f * (l->u + r->u + fr.x - fl.x);
}

/* state on x/t = 0 of a wave which goes to the left; the right one is its mirror image */
static struct prim sample_left(const struct prim *w, float pm, float um)
{
	struct prim s = *w;
	if (pm <= w->p) {
		float cm = w->c * pow(pm / w->p, G1);
		if (w->u - w->c >= 0.0f)
			return s;
		if (um - cm < 0.0f) {
			s.rho = w->rho * pow(pm / w->p, 1.0f / GAMMA);
			s.u = um;
			s.p = pm;
		} else {	/* inside the fan */
			float c = G5 * (w->c + G7 * w->u);
			s.u = c;
			s.rho = w->rho * pow(c / w->c, G4);
			s.p = w->p * pow(c / w->c, G3);
		}
	} else {
		float pml = pm / w->p;
		float speed = w->u - w->c * sqrt(G2 * pml + G1);
		if (speed < 0.0f) {
			s.rho = w->rho * (pml + G6) / (pml * G6 + 1.0f);
			s.u = um;
			s.p = pm;
		}
	}
	return s;
}

__kernel void riemann_faces(__global const float *rho, __global const float *u,
			    __global const float *v, __global const float *p,
			    __global float4 *flux, int nx)
{
	const int ix = get_global_id(0), iy = get_global_id(1);
	const int i = iy * nx + ix;
	const int im = iy * nx + (ix == 0 ? nx - 1 : ix - 1);

	struct prim l = load_prim(rho, u, v, p, im);
	struct prim r = load_prim(rho, u, v, p, i);
	struct prim s;
	float pm, um;

	star_region(&l, &r, &pm, &um);
	if (um >= 0.0f) {
		s = sample_left(&l, pm, um);
		s.v = l.v;
	} else {
		struct prim mirror = r;
		mirror.u = -r.u;
		s = sample_left(&mirror, pm, -um);
		s.u = -s.u;
		s.v = r.v;
	}

	float mass = s.rho * s.u;
	float energy = s.p / (GAMMA - 1.0f) + 0.5f * s.rho * (s.u * s.u + s.v * s.v);
	flux[i] = (float4)(mass, mass * s.u + s.p, mass * s.v, s.u * (energy + s.p));
}

__kernel void godunov_update(__global const float *rho, __global const float *u,
			     __global const float *v, __global const float *p,
			     __global const float4 *flux, __global float4 *cons,
			     int nx, float dt_dx)
{
	const int ix = get_global_id(0), iy = get_global_id(1);
	const int i = iy * nx + ix;
	const int ip = iy * nx + (ix + 1 == nx ? 0 : ix + 1);

	float kinetic = 0.5f * rho[i] * (u[i] * u[i] + v[i] * v[i]);
	float4 q = (float4)(rho[i], rho[i] * u[i], rho[i] * v[i], p[i] / (GAMMA - 1.0f) + kinetic);
	cons[i] = q - dt_dx * (flux[ip] - flux[i]);
}
