// A step of Floyd's and Warshall's shortest ways.
kernel void distances(global int *ways, int n, int middle)
{
    int i = get_global_id(1), j = get_global_id(0);
    ways[i * n + j] = min(ways[i * n + j], ways[i * n + middle] + ways[middle * n + j]);
}
