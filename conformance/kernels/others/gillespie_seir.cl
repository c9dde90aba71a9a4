// @ seir_ssa 1024|65536 64 u32:1024|65536 u32:1024|65536:4..16 >f32:4096|262144 150u
//
// Gillespie's direct method for an SEIR epidemic in a small closed
// population, one realisation per work-item, until the disease is extinct.
// Rates are integers (per mille and day), so that propensities are exact.

/* ---- PCG32, O'Neill ---- */
typedef struct { ulong state; ulong inc; } pcg32_t;

inline uint pcg32_next(pcg32_t *rng)
{
	ulong old = rng->state;
	rng->state = old * 6364136223846793005UL + rng->inc;
	uint xorshifted = (uint)(((old >> 18) ^ old) >> 27);
	uint rot = (uint)(old >> 59);
	return (xorshifted >> rot) | (xorshifted << ((-rot) & 31));
}

inline void pcg32_seed(pcg32_t *rng, ulong initstate, ulong initseq)
{
	rng->state = 0;
	rng->inc = (initseq << 1) | 1;
	pcg32_next(rng);
	rng->state += initstate;
	pcg32_next(rng);
}

enum { INFECT, ONSET, RECOVER };

#define K_ONSET    200u		/* E -> I */
#define K_RECOVER  100u		/* I -> R */

__kernel void seir_ssa(__global const uint *seeds,
                       __global const uint *r0_fifths,   /* 5 * R0 */
                       __global float4 *result,
                       uint population)
{
	const uint id = get_global_id(0);
	const uint beta = r0_fifths[id] * K_RECOVER / 5;

	pcg32_t rng;
	pcg32_seed(&rng, seeds[id], id);

	uint S = population - 2, E = 0, I = 2, R = 0;
	uint peak = I;
	float t = 0.0f, t_peak = 0.0f;

	while (E + I > 0) {
		const uint a_infect  = beta * S * I;
		const uint a_onset   = K_ONSET * E * population;
		const uint a_recover = K_RECOVER * I * population;
		const uint total = a_infect + a_onset + a_recover;

		/* time to the next event, in days */
		const float u = ((pcg32_next(&rng) >> 8) + 1) * 0x1p-24f;
		t -= log(u) * (1000.0f * population) / (float)total;

		uint pick = mul_hi(pcg32_next(&rng), total);
		int event = INFECT;
		if (pick >= a_infect) {
			pick -= a_infect;
			event = pick < a_onset ? ONSET : RECOVER;
		}

		switch (event) {
		case INFECT:
			S--;
			E++;
			break;
		case ONSET:
			E--;
			I++;
			if (I > peak) {
				peak = I;
				t_peak = t;
			}
			break;
		case RECOVER:
			I--;
			R++;
			break;
		}
	}

	result[id] = (float4)(t, (float)R / (float)population, (float)peak, t_peak);
}
