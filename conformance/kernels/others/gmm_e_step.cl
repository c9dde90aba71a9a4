// @ gmm_responsibilities 65536|4194304 128 f32:196608|12582912 f32:60:0.5..1.5 >f32:393216|25165824 zeros:f32:65536|4194304 6 65536|4194304

#define MAX_COMP 6

/* One component of a mixture of 3D Gaussians: precision matrix = L L^T with
 * L lower triangular, log_coef = log(weight) + log(det L) - 1.5 log(2 pi). */
struct component {
    float log_coef;
    float mean[3];
    float l00, l10, l11, l20, l21, l22;
};

float log_density(__global const struct component *g, float3 x)
{
    float3 d = x - (float3)(g->mean[0], g->mean[1], g->mean[2]) * 0.5f;
    /* y = L^T d */
    float y0 = g->l00 * d.x + g->l10 * d.y + g->l20 * d.z;
    float y1 = g->l11 * d.y + g->l21 * d.z;
    float y2 = g->l22 * d.z;
    return g->log_coef - 0.5f * (y0 * y0 + y1 * y1 + y2 * y2);
}

__kernel void gmm_responsibilities(__global const float *data,
                                   __global const struct component *comp,
                                   __global float *resp,
                                   __global float *loglik,
                                   uint num_comp,
                                   uint num_points)
{
    uint i = get_global_id(0);
    if (i >= num_points)
        return;

    float3 x = vload3(i, data);
    float lp[MAX_COMP];
    float top = -1e30f;
    for (uint c = 0; c < num_comp; c++) {
        lp[c] = log_density(&comp[c], x);
        top = max(top, lp[c]);
    }

    float sum = 0.0f;
    for (uint c = 0; c < num_comp; c++) {
        lp[c] = exp(lp[c] - top);
        sum += lp[c];
    }

    float inv = 1.0f / sum;
    for (uint c = 0; c < num_comp; c++)
        resp[c * num_points + i] = lp[c] * inv;
    loglik[i] = top + log(sum);
}
