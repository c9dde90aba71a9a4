#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// The eccentric anomaly of orbits, by Newton's method, and the distance.
kernel void kepler64(global const double *random, global double2 *output)
{
    size_t i = get_global_id(0);
    double mean = 6.283185307179586 * random[i], e = 0.9 * random[i ^ 1];
    double anomaly = mean;
    for (uint k = 0; k < 6; k++) {
        anomaly -= (anomaly - e * sin(anomaly) - mean) / (1.0 - e * cos(anomaly));
    }
    output[i] = (double2)(anomaly, sqrt(1.0 - e * e) * exp(-e) / (1.0 + e * cos(anomaly)));
}
