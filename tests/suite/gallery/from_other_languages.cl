__global__ void saxpy(float a, float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float tile[256];
    float &first = y[0];
    auto scale = static_cast<float>(a);
    y[i] = a * x[i] + y[i];
    __syncthreads();
}

// error: E0106 1:1
// error: E0322 1:1
// error: E0401 2:13
// error: E0401 2:26
// error: E0401 2:39
// error: E0106 3:5
// error: E0101 4:11
// error: E0107 5:10
// error: E0401 7:5
