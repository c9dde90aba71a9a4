//@ section 6.5.12 6.11
//@ kernel short_circuit
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 3008 10907 3008 2517 3018 10917 3018 2517
//@ kernel switches
//@ global 12
//@ arg buffer int[12] = -1 0 1 2 3 4 5 6 7 100 -2147483648 2147483647
//@ arg buffer int[36] = zero
//@ result 1 = 107 33 30 11 44 0 10 11 0 100 22 0 6 33 0 8 44 0 107 11 0 107 22 0 107 33 0*2 44 0 107 44 1 107 33 2
//@ kernel returns
//@ global 6
//@ arg buffer int[6] = zero
//@ result 0 = 10 11 7 5 99 3
//@ kernel long_switch
//@ global 5
//@ arg buffer ulong[5] = 0 4294967296 4294967297 18446744073709551615 1
//@ arg buffer int[5] = zero
//@ result 1 = 5 1 2 3 4
//@ kernel conditionals
//@ global 6
//@ arg buffer int[24] = zero
//@ result 0 = 0 1000 3*2 1 1121 3 14 1 1022 3 25 1 1121 3 36 4 1021 3 47 5 1121 3 58
int note(int *trace, int bit, int value)
{
    *trace = *trace * 4 + bit;
    return value;
}

kernel void short_circuit(global int *out)
{
    const int i = get_global_id(0);
    int trace = 0;
    const int r = (note(&trace, 1, i & 1) && note(&trace, 2, i & 2)) || note(&trace, 3, i & 4);
    const int s = i & 1 ? note(&trace, 1, 7) : note(&trace, 2, 8);
    out[i] = trace * 100 + r * 10 + s;
}

kernel void switches(global const int *in, global int *out)
{
    const int i = get_global_id(0);
    int a = 0, b, c = 0;
    switch (in[i]) {
    case 0:
        a += 1;
    case 1:
        a += 10;
        break;
    default:
        a = 7;
    case 2:
        a += 100;
        break;
    case 3:
    case 4: {
        int t = in[i] * 2;
        a = t;
        break;
    }
    case 100:;
    }
    switch (in[i] & 3) {
    case 1: b = 11; break;
    case 2: b = 22; break;
    case 3: b = 33; break;
    case 0: b = 44; break;
    }
    switch (in[i]) {
    case -2147483647 - 1: c = 1; break;
    case 2147483647: c = 2; break;
    case -1: c = 3; break;
    }
    switch (c)
        case 3: c = 30;
    out[3 * i] = a;
    out[3 * i + 1] = b;
    out[3 * i + 2] = c;
}

int early(int x)
{
    if (x < 2)
        return x + 10;
    for (int i = 0; i < 10; ++i)
        if (i * x > 12)
            return i;
    return -1;
}

kernel void returns(global int *out)
{
    const int i = get_global_id(0);
    out[i] = 99;
    if (i == 4)
        return;
    out[i] = early(i);
}

kernel void long_switch(global const ulong *in, global int *out)
{
    const int i = get_global_id(0);
    switch (in[i]) {
    case 0x100000000UL: out[i] = 1; break;
    case 0x100000001UL: out[i] = 2; break;
    case 0xffffffffffffffffUL: out[i] = 3; break;
    case 1: out[i] = 4; break;
    default: out[i] = 5;
    }
}

kernel void conditionals(global int *out)
{
    const int i = get_global_id(0);
    const int4 v = (int4)(i, -i, i & 1, 3);
    const int4 w = v > 2 ? (int4)(1) : v < 0 ? (int4)(2) : v;
    const int x = i > 3 ? i > 4 ? 5 : 4 : i ? 1 : 0;
    out[4 * i] = x;
    out[4 * i + 1] = w.x + 10 * w.y + 100 * w.z + 1000 * w.w;
    out[4 * i + 2] = (i, x, 3);
    int y = i;
    out[4 * i + 3] = y++ * 10 + (y += 2, y);
}
