// Loops whose turns decide between ways by what they count.
//@ kernel functions
//@ global 16
//@ local 8
//@ arg buffer int[16] = 12345 -1640519182 1013916587 -626614940 2027820829 387289302 -1253242225 1401193544 -239337983 -1879869510 774566259 -865965268 1788470501 147938974 -1492592553 1161843216
//@ arg buffer int[16] = zero
//@ result 1 = 398104 82174276 254473973 347164725 765028320 459417243 627775029 1337930438 862864209 1904958037 35138004 40757426 837112853 408912416 897011092 1477091995
//@ kernel steps
//@ global 16
//@ local 8
//@ arg buffer int[16] = 12345 -1640519182 1013916587 -626614940 2027820829 387289302 -1253242225 1401193544 -239337983 -1879869510 774566259 -865965268 1788470501 147938974 -1492592553 1161843216
//@ arg buffer int[16] = zero
//@ result 1 = 1767662289 317450582 682418032 -1835276112 272749252 -514778585 1157995914 -1290088279 2007812263 1063861212 -1234261683 -163996946 -1339306773 -1800338985 -981062320 1145241735
//@ kernel looked_up
//@ global 16
//@ local 8
//@ arg buffer int[16] = 12345 -1640519182 1013916587 -626614940 2027820829 387289302 -1253242225 1401193544 -239337983 -1879869510 774566259 -865965268 1788470501 147938974 -1492592553 1161843216
//@ arg buffer int[16] = zero
//@ result 1 = -278214021 -1640519182 -676978646 -626614940 376420872 -175282978 -1767174218 1401193544 -216976904 -1879869510 -1042625575 -865965268 3320297 -347056961 -2005122103 1161843216
uint way(int mode, uint x, uint y)
{
    switch (mode) {
    case 0: return x * 3 + (y ^ x >> 5);
    case 1: return (x ^ y) * 0x9e3779b9u + rotate(y, 7u);
    case 2: return x - y * 5 + (x & y >> 3);
    case 3: return rotate(x, 11u) ^ y * 0x85ebca6bu;
    case 4: return (x | y << 9) + (y & 0xff00ffu) * 17;
    default: return x + y * (x >> 16 | 1) - mode;
    }
}

kernel void functions(global const uint *data, global uint *out)
{
    int i = get_global_id(0);
    uint x = data[i], best = UINT_MAX;
    for (int mode = 0; mode < 7; mode++) {
        uint y = way(mode, x, data[(i + mode) & 15]);
        best = min(best, y << 3 | mode);
    }
    out[i] = best;
}

// The counter goes in steps, a loop inside turns as often as it says, and values go from turn to turn.
kernel void steps(global const uint *data, global uint *out)
{
    int i = get_global_id(0);
    uint x = data[i], sum = 0;
    for (int k = 12; k > 0; k -= 3) {
        if (k == 12) {
            sum = x * 7 + 1;
            x ^= sum >> 3;
            sum -= x & 0xffff;
        } else if (k == 9) {
            for (int j = 0; j < k; j++)
                sum = rotate(sum, 5u) + x * j;
        } else if (k < 6) {
            x = x * sum + k;
            sum ^= x >> 7;
            sum += x & 0x0f0f;
            sum *= 3;
        } else {
            sum |= x & 0x1234;
            x += sum * 11;
            sum = sum - x / 3;
        }
        sum += k;
    }
    out[i] = sum ^ x;
}

// Turns are left out, others find their element in a table, and control comes to the loop in two ways.
constant uchar2 ring[8] = {
    (uchar2)(0, 3), (uchar2)(1, 5), (uchar2)(2, 7), (uchar2)(3, 2),
    (uchar2)(4, 9), (uchar2)(5, 1), (uchar2)(6, 4), (uchar2)(7, 8)
};

kernel void looked_up(global const uint *data, global uint *out)
{
    int i = get_global_id(0);
    uint x = data[i], bits = 0;
    if ((x & 1) || (x >> 7 & 3) == 1) {
        for (int k = 0; k < 8; k++) {
            if ((k & 3) == 0)
                continue;
            uint y = data[(i * ring[k].y + ring[k].x) & 15];
            bits |= (uint)(y > x) << k;
            x += y >> 9;
        }
    }
    out[i] = x ^ bits << 24;
}
