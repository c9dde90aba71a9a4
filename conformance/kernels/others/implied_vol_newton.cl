// @ implied_vol 32768|2097152 256 f32:65536|4194304:80..120 f32:32768|2097152:0.1..2 f32:32768|2097152:0.01..0.1 >f32:32768|2097152 0.02f 0.01f 32768|2097152
//
// Implied volatilities of calls from quotes (time value as a part of the
// spot).  Newton's iteration on the out-of-the-money option, with bisection
// where a step leaves the bracket.

#define MAX_ITER   40
#define VOL_LO     1e-3f
#define VOL_HI     8.0f

typedef struct {
  float spot;
  float strike;
} Quote;

inline float norm_cdf(float x) { return 0.5f * erfc(-M_SQRT1_2_F * x); }
inline float norm_pdf(float x) { return 0.39894228f * exp(-0.5f * x * x); }

/* undiscounted Black formula; returns price, writes vega */
float black(float fwd, float strike, float sd, int is_put, float sqrt_t, float *vega)
{
  const float d1 = log(fwd / strike) / sd + 0.5f * sd;
  const float d2 = d1 - sd;
  *vega = fwd * sqrt_t * norm_pdf(d1);
  if (is_put)
    return strike * norm_cdf(-d2) - fwd * norm_cdf(-d1);
  return fwd * norm_cdf(d1) - strike * norm_cdf(d2);
}

__kernel void implied_vol(__global const Quote *quotes,
                          __global const float *years,
                          __global const float *time_value,
                          __global float *vol_out,
                          float rate, float dividend, int n)
{
  int i = get_global_id(0);
  if (i >= n) return;

  const Quote q = quotes[i];
  const float T = years[i];
  const float sqrt_t = sqrt(T);
  const float growth = exp(rate * T);
  const float fwd = q.spot * exp((rate - dividend) * T);
  const int is_put = fwd > q.strike;
  const float target = time_value[i] * q.spot * growth;

  float lo = VOL_LO, hi = VOL_HI;
  /* start in the point of inflection (Manaster and Koehler) */
  float vol = clamp(sqrt(2.0f * fabs(log(fwd / q.strike)) / T), 0.05f, 4.0f);

  for (int it = 0; it < MAX_ITER; ++it) {
    float vega;
    const float diff = black(fwd, q.strike, vol * sqrt_t, is_put, sqrt_t, &vega) - target;
    if (diff > 0.0f)
      hi = vol;
    else
      lo = vol;

    float next = vol - diff / vega;
    if (!(next > lo && next < hi))
      next = 0.5f * (lo + hi);
    const float step = fabs(next - vol);
    vol = next;
    if (step < 1e-5f * vol)
      break;
  }
  vol_out[i] = vol;
}
