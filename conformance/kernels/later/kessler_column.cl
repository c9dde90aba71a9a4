// @ kessler_warm_rain 1024|131072 64 f32:131072|16777216 zeros:f32:1024|131072 >f32:131072|16777216 32 5.0f

// Kessler warm rain microphysics for columns of a limited area model, after Klemp &
// Wilhelmson (1978). Fields are [variable][level][column], of theta, qv, qc, qr.
// The input has departures (0 to 1) from a tropical sounding.

#define NZ_MAX 32
#define DZ     350.0f

#define CP     1004.0f
#define RD     287.0f
#define LV     2.5e6f
#define P0     1.0e5f

typedef struct { float pressure, exner, density; } level_t;

level_t base_state(int k)
{
    level_t l;
    const float z = (k + 0.5f) * DZ;
    l.exner = 1.0f - 9.81f * z / (CP * 305.0f);
    l.pressure = P0 * pow(l.exner, CP / RD);
    l.density = l.pressure / (RD * 305.0f * l.exner);
    return l;
}

/* Tetens */
float saturation(float t, float p)
{
    return 380.0f / p * exp(17.27f * (t - 273.0f) / (t - 36.0f));
}

float fall_speed(float qr, level_t l, float surface_density)
{
    return 36.34f * pow(0.001f * l.density * qr, 0.1346f) * sqrt(surface_density / l.density);
}

__kernel void kessler_warm_rain(__global const float *in,
                                __global float *rain,
                                __global float *out,
                                const int nz,
                                const float dt)
{
    const int col = get_global_id(0);
    const int columns = get_global_size(0);
    const int plane = nz * columns;

    float theta[NZ_MAX], qv[NZ_MAX], qc[NZ_MAX], qr[NZ_MAX];
    const float rho0 = base_state(0).density;

    for (int k = 0; k < nz; k++) {
        const int at = k * columns + col;
        const level_t l = base_state(k);
        theta[k] = 299.0f + 0.0035f * (k * DZ) + 2.0f * in[at];
        qv[k] = saturation(theta[k] * l.exner, l.pressure) * (0.7f + 0.4f * in[plane + at]);
        qc[k] = 1.5e-3f * in[2 * plane + at];
        qr[k] = 3.0e-3f * in[3 * plane + at];
    }

    float fallen = 0.0f;
    for (int split = 0; split < 3; split++) {
        /* sedimentation, upstream, from the top; what comes from above is a mass flux */
        float above = 0.0f;
        for (int k = nz - 1; k >= 0; k--) {
            const level_t l = base_state(k);
            const float flux = l.density * qr[k] * fall_speed(qr[k], l, rho0);
            qr[k] = fmax(qr[k] + dt / DZ * (above - flux) / l.density, 0.0f);
            above = flux;
        }
        fallen += dt * above;                    /* kg / m^2, that is, mm */

        for (int k = 0; k < nz; k++) {
            const level_t l = base_state(k);

            /* autoconversion and accretion */
            const float autoconversion = 0.001f * fmax(qc[k] - 0.001f, 0.0f);
            const float collected = (qc[k] + dt * autoconversion) / (1.0f + dt * 2.2f * pow(qr[k], 0.875f));
            const float made = fmax(qc[k] - collected, 0.0f);
            const float cloud = fmax(qc[k] - made, 0.0f);
            const float drops = qr[k] + made;

            /* saturation adjustment, one Newton step */
            const float t = theta[k] * l.exner;
            const float qs = saturation(t, l.pressure);
            const float slope = LV / CP * qs * 4093.0f / ((t - 36.0f) * (t - 36.0f));
            const float excess = (qv[k] - qs) / (1.0f + slope);

            /* evaporation of rain in unsaturated air */
            const float rr = l.density * 0.001f * drops;
            const float ventilation = 1.6f + 30.3922f * pow(rr, 0.2046f);
            const float rate = ventilation * pow(rr, 0.525f) * fmax(qs - qv[k], 0.0f)
                             / ((2.03e4f + 9.584e6f / (qs * l.pressure)) * l.density * qs);
            float evaporated = fmin(dt * rate, fmax(-excess - cloud, 0.0f));
            evaporated = fmin(evaporated, drops);

            const float condensed = fmax(excess, -cloud);
            theta[k] += LV / (CP * l.exner) * (condensed - evaporated);
            qv[k] -= condensed - evaporated;
            qc[k] = cloud + condensed;
            qr[k] = drops - evaporated;
        }
    }

    rain[col] = fallen;
    for (int k = 0; k < nz; k++) {
        const int at = k * columns + col;
        out[at] = theta[k] - 300.0f;
        out[plane + at] = 1000.0f * qv[k];
        out[2 * plane + at] = 1000.0f * qc[k];
        out[3 * plane + at] = 1000.0f * qr[k] + (k == 0 ? fallen : 0.0f);
    }
}
