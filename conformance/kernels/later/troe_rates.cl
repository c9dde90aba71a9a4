// @ production_rates 8192|1048576 64 f64:90112|11534336:0..1 >f64:73728|9437184
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Net production rates [mol/(m^3 s)] of hydrogen combustion with third bodies, Troe
 * fall-off and reverse rates from equilibrium, for the cells of a reacting flow.
 * Cells: [11][cell], temperature, pressure and nine mole fractions, all scaled to 0..1.
 * Result: [9][cell], eight rates and the release of heat. */

enum { H2, O2, H, O, OH, H2O, HO2, H2O2, N2, SPECIES };
enum kind { PLAIN, THIRD_BODY, FALL_OFF };

#define NONE   (-1)
#define RU     8.314462618
#define P_REF  101325.0

typedef struct {
    int kind;
    int left[2];
    int right[2];
    double a, n, e;            /* A T^n exp(-E / RT): mol, m, s and J/mol */
    double a0, n0, e0;         /* low pressure limit */
    double centre;
} reaction_t;

__constant reaction_t mechanism[] = {
    { PLAIN,      { H, O2 },     { O, OH },     1.04e8,  0.00,  63956.0, 0, 0, 0, 0 },
    { PLAIN,      { O, H2 },     { H, OH },     5.08e-2, 2.67,  26317.0, 0, 0, 0, 0 },
    { PLAIN,      { H2, OH },    { H2O, H },    2.16e2,  1.51,  14351.0, 0, 0, 0, 0 },
    { PLAIN,      { O, H2O },    { OH, OH },    2.97,    2.02,  56066.0, 0, 0, 0, 0 },
    { THIRD_BODY, { H2, NONE },  { H, H },      4.58e13, -1.40, 436726.0, 0, 0, 0, 0 },
    { THIRD_BODY, { O, O },      { O2, NONE },  6.16e3,  -0.50, 0.0, 0, 0, 0, 0 },
    { THIRD_BODY, { O, H },      { OH, NONE },  4.71e6,  -1.00, 0.0, 0, 0, 0, 0 },
    { THIRD_BODY, { H, OH },     { H2O, NONE }, 3.80e10, -2.00, 0.0, 0, 0, 0, 0 },
    { FALL_OFF,   { H, O2 },     { HO2, NONE }, 4.65e6,  0.44,  0.0, 6.37e8, -1.72, 2196.0, 0.5 },
    { PLAIN,      { HO2, H },    { H2, O2 },    2.75e0,  2.09,  -6071.0, 0, 0, 0, 0 },
    { PLAIN,      { HO2, H },    { OH, OH },    7.08e7,  0.00,  1234.0, 0, 0, 0, 0 },
    { PLAIN,      { HO2, OH },   { H2O, O2 },   2.89e7,  0.00,  -2079.0, 0, 0, 0, 0 },
    { FALL_OFF,   { H2O2, NONE },{ OH, OH },    2.00e12, 0.90,  203970.0, 2.49e18, -2.30, 203970.0, 0.42 },
    { PLAIN,      { H2O2, H },   { H2O, OH },   2.41e7,  0.00,  16610.0, 0, 0, 0, 0 },
};
#define REACTIONS ((int)(sizeof(mechanism) / sizeof(mechanism[0])))

/* enthalpy [J/mol] and entropy [J/(mol K)] at 298 K, heat capacity */
__constant double3 thermo[SPECIES] = {
    (double3)(     0.0, 130.7, 29.5), (double3)(     0.0, 205.1, 33.0), (double3)(218000.0, 114.7, 20.8),
    (double3)(249200.0, 161.1, 21.0), (double3)( 37300.0, 183.7, 30.4), (double3)(-241800.0, 188.8, 40.0),
    (double3)( 12300.0, 229.1, 46.0), (double3)(-135900.0, 234.5, 60.0), (double3)(     0.0, 191.6, 31.5),
};

__constant double efficiency[SPECIES] = { 2.5, 1.0, 1.0, 1.0, 1.0, 12.0, 1.0, 1.0, 1.0 };

double arrhenius(double a, double n, double e, double lnT, double invRT)
{
    return a * exp(n * lnT - e * invRT);
}

double troe(double pr, double centre)
{
    const double lf = log10(centre);
    const double c = -0.4 - 0.67 * lf;
    const double n = 0.75 - 1.27 * lf;
    const double x = log10(pr) + c;
    const double y = x / (n - 0.14 * x);
    return exp10(lf / (1.0 + y * y));
}

__kernel void production_rates(__global const double *cells, __global double *rates)
{
    const size_t cell = get_global_id(0), count = get_global_size(0);

    const double T = 1000.0 + 1500.0 * cells[cell];
    const double P = P_REF * (1.0 + 19.0 * cells[count + cell]);
    const double lnT = log(T), invRT = 1.0 / (RU * T);

    double c[SPECIES], gibbs[SPECIES], wdot[SPECIES];
    double sum = 0.0;
    for (int s = 0; s < SPECIES; s++) {
        c[s] = cells[(2 + s) * count + cell] + 0.01;
        /* radicals are rare */
        if (s != H2 && s != O2 && s != H2O && s != N2)
            c[s] *= 0.01;
        sum += c[s];
    }
    double third = 0.0;
    for (int s = 0; s < SPECIES; s++) {
        c[s] *= P * invRT / sum;
        third += efficiency[s] * c[s];
        const double3 t = thermo[s];
        gibbs[s] = (t.x + t.z * (T - 298.15)) * invRT - (t.y + t.z * log(T / 298.15)) / RU;
        wdot[s] = 0.0;
    }
    const double standard = P_REF * invRT;

    for (int r = 0; r < REACTIONS; r++) {
        __constant reaction_t *m = &mechanism[r];
        double k = arrhenius(m->a, m->n, m->e, lnT, invRT);
        if (m->kind == FALL_OFF) {
            const double pr = arrhenius(m->a0, m->n0, m->e0, lnT, invRT) * third / k;
            k *= pr / (1.0 + pr) * troe(pr, m->centre);
        } else if (m->kind == THIRD_BODY) {
            k *= third;
        }

        double forward = k, backward = k, dg = 0.0;
        for (int i = 0; i < 2; i++) {
            const int l = m->left[i], p = m->right[i];
            if (l != NONE) {
                forward *= c[l];
                backward *= standard;
                dg -= gibbs[l];
            }
            if (p != NONE) {
                backward *= c[p] / standard;
                dg += gibbs[p];
            }
        }
        const double q = forward - backward * exp(dg);
        for (int i = 0; i < 2; i++) {
            if (m->left[i] != NONE)
                wdot[m->left[i]] -= q;
            if (m->right[i] != NONE)
                wdot[m->right[i]] += q;
        }
    }

    double heat = 0.0;
    for (int s = 0; s < N2; s++) {
        rates[s * count + cell] = wdot[s];
        heat -= wdot[s] * (thermo[s].x + thermo[s].z * (T - 298.15));
    }
    rates[N2 * count + cell] = heat * 1.0e-5;
}
