// Components of vectors that loops load: parts of integers, and floats of neighbours.
//@ kernel bytes
//@ global 16
//@ arg buffer uchar[80] = 132 205 33 63 134 33 125 24 127 6 142 103 27 182 224 200 197 46 190 150 170 42 53 238 182 37 17 172 149 92 221 108 178 203 231 137 58 46 57 32 25 1 160 13 251 127 167 236 75 165 155 24 55 47 136 174 169 152 58 138 77 29 61 72 145 186 220 67 159 43 36 152 100 236 225 35 139 56 159 128
//@ arg buffer int[16] = zero
//@ result 1 = 68482 142410 494571 1391559 2239844 3703184 4922948 5972300 7433072 7815252 8134637 11185289 11721214 14354964 16537299 17792771
//@ kernel signed_bytes
//@ global 16
//@ arg buffer uchar[80] = 132 205 33 63 134 33 125 24 127 6 142 103 27 182 224 200 197 46 190 150 170 42 53 238 182 37 17 172 149 92 221 108 178 203 231 137 58 46 57 32 25 1 160 13 251 127 167 236 75 165 155 24 55 47 136 174 169 152 58 138 77 29 61 72 145 186 220 67 159 43 36 152 100 236 225 35 139 56 159 128
//@ arg buffer int[16] = zero
//@ result 1 = -175 -84 -723 -420 -345 -284 -45 -873 -444 -435 -752 -1198 -1340 -1411 -644 -730
//@ kernel shorts
//@ global 16
//@ arg buffer uchar[80] = 132 205 33 63 134 33 125 24 127 6 142 103 27 182 224 200 197 46 190 150 170 42 53 238 182 37 17 172 149 92 221 108 178 203 231 137 58 46 57 32 25 1 160 13 251 127 167 236 75 165 155 24 55 47 136 174 169 152 58 138 77 29 61 72 145 186 220 67 159 43 36 152 100 236 225 35 139 56 159 128
//@ arg buffer int[16] = zero
//@ result 1 = 20960 -96236 -372601 -491418 -507372 -658110 -770852 -854012 -963286 -1009423 20960 -96236 -372601 -491418 -507372 -658110
//@ kernel signed_shorts
//@ global 16
//@ arg buffer uchar[80] = 132 205 33 63 134 33 125 24 127 6 142 103 27 182 224 200 197 46 190 150 170 42 53 238 182 37 17 172 149 92 221 108 178 203 231 137 58 46 57 32 25 1 160 13 251 127 167 236 75 165 155 24 55 47 136 174 169 152 58 138 77 29 61 72 145 186 220 67 159 43 36 152 100 236 225 35 139 56 159 128
//@ arg buffer int[16] = zero
//@ result 1 = -54933 -35456 -56977 -99616 -36751 570 51019 94253 84316 111569 108924 212166 136204 193321 144106 148116
//@ kernel unaligned
//@ global 16
//@ arg buffer uchar[80] = 132 205 33 63 134 33 125 24 127 6 142 103 27 182 224 200 197 46 190 150 170 42 53 238 182 37 17 172 149 92 221 108 178 203 231 137 58 46 57 32 25 1 160 13 251 127 167 236 75 165 155 24 55 47 136 174 169 152 58 138 77 29 61 72 145 186 220 67 159 43 36 152 100 236 225 35 139 56 159 128
//@ arg buffer int[16] = zero
//@ result 1 = 996 1667 2531 3688 5706 7165 7993 9216 10399 11827 13824 14687 15043 15602 17166 18690
//@ kernel floats
//@ global 16
//@ arg buffer float[80] = 56 26 23 23 0 20 2 42 56 16 43 53 45 41 63 52 44 60 42 34 62 37 24 61 50 63 52 63 18 40 43 36 43 58 41 42 9 18 26 11 56 11 41 4 3 3 4 17 55 20 20 45 32 27 8 22 9 51 11 6 0 58 8 57 15 10 44 45 2 0 34 28 39 55 24 3 8 13 56 30
//@ arg buffer int[16] = zero
//@ result 1 = 192 6 255 71 180 139 218 121 107 8 220 -4 50 64 105 59
kernel void bytes(global const uchar4 *data, global int *out)
{
    int n = get_global_id(0);
    int4 sum = 0;
    for (int k = 0; k <= n; k++)
        sum += convert_int4(data[k]) * (k + 1);
    out[n] = sum.x + 10 * sum.y + 100 * sum.z + 1000 * sum.w;
}

kernel void signed_bytes(global const char4 *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = 0; k <= n; k++)
        sum += data[k].x - 2 * data[k].y + 3 * data[k].z - 4 * data[k].w;
    out[n] = sum;
}

kernel void shorts(global const ushort4 *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = 0; k <= n % 10; k++)
        sum += data[k].x - 2 * data[k].y + 3 * data[k].z - 4 * data[k].w;
    out[n] = sum;
}

kernel void signed_shorts(global const short2 *data, global int *out)
{
    int n = get_global_id(0);
    float2 sum = 0;
    for (int k = 0; k <= n; k++)
        sum += convert_float2(data[k]) * (float2)(3, 1);
    out[n] = sum.x - sum.y;
}

kernel void unaligned(global const uchar *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = 0; k <= n; k++) {
        uchar4 four = vload4(0, data + 3 * k + 1);
        sum += four.x + 2 * four.y + 3 * four.z + 4 * four.w;
    }
    out[n] = sum;
}

kernel void floats(global const float4 *data, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = n; k < 20; k += 8)
        sum += data[k].x + 2 * data[k].y - data[k].w;
    out[n] = sum;
}
