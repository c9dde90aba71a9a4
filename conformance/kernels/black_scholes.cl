// Prices of European options; the share of the normal distribution below d by a polynomial.
float below(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float polynomial = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f
                       + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * d * d) * polynomial;
    return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *random, global float2 *prices, float rate, float volatility)
{
    size_t i = get_global_id(0);
    float price = 5.0f + 25.0f * random[i];
    float strike = 1.0f + 99.0f * random[i ^ 1];
    float years = 0.25f + 9.75f * random[i ^ 2];
    float root = sqrt(years);
    float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    float d2 = d1 - volatility * root;
    float discounted = strike * exp(-rate * years);
    float call = price * below(d1) - discounted * below(d2);
    prices[i] = (float2)(call, call - price + discounted);
}
