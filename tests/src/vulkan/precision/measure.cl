// Compares instructions with bodies of the library, which need no more of a device than correctly rounded
// sums, products and conversions, and a division within 2.5 units. It is compiled for a device on which every
// function that has an instruction is that instruction; the bodies are called by their names.
//
// `worst` has four numbers for each instruction: the largest errors in units, as bits of float, where all is
// normal, where an argument is below the normal numbers, where the result is; and how many results for
// infinity and NaN, or infinite ones, or NaN, are wrong.

#define IS_SMALL_32(x) (((x) & 0x7fffffffu) - 1u < 0x007fffffu)
#define IS_SPECIAL_32(x) (((x) & 0x7f800000u) == 0x7f800000u)
#define IS_SMALL_64(x) (((x) & 0x7ffffffffffffffful) - 1ul < 0x000ffffffffffffful)
#define IS_SPECIAL_64(x) (((x) & 0x7ff0000000000000ul) == 0x7ff0000000000000ul)

// What is compared by one work-item, one after the other.
#define TURNS 64ul

void note(global uint *worst, uint class, float units)
{
    uint bits = as_uint(units);
    if (bits > worst[class]) {
        atomic_max(&worst[class], bits);
    }
}

// A special result that is wrong: an error without bound of an argument below the normal numbers, which the
// device may have taken for zero.
void note_special(global uint *worst, bool has_small)
{
    note(worst, has_small ? 1 : 3, has_small ? INFINITY : 1.0f);
}

ulong mixed(ulong x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ul;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebul;
    return x ^ x >> 31;
}

// Random bits; of every magnitude, of some, with runs of bits, and what is special.
uint argument_32(ulong seed)
{
    ulong random = mixed(seed);
    uint bits = (uint)random;
    switch ((uint)(random >> 32) & 7u) {
        case 0: return bits;
        case 1: return (bits & 0x807fffffu) | (120u + (bits >> 23 & 15u)) << 23;
        case 2: return (bits & 0xff800000u) | ((1u << (bits & 31u)) - 1u & 0x007fffffu);
        case 3: return (bits & 0xff800000u) | (bits & 7u) | (bits & 8u ? 0x007ffff8u : 0u);
        case 4: return (bits & 0x807fffffu) | (bits >> 23 & 15u) << 23;
        case 5: return (bits & 0x807fffffu) | (239u + (bits >> 23 & 15u)) << 23;
        case 6: return (bits & 0x80000000u) | ((uint)(random >> 40) % 9u) * 0x1fe00000u / 2u;
        default: return (bits & 0x803fffffu) | 0x3f800000u;
    }
}

ulong argument_64(ulong seed)
{
    ulong bits = mixed(seed);
    ulong random = mixed(seed + 0x9e3779b97f4a7c15ul);
    switch ((uint)random & 7u) {
        case 0: return bits;
        case 1: return (bits & 0x800ffffffffffffful) | (1015ul + (random >> 8 & 15ul)) << 52;
        case 2: return (bits & 0xfff0000000000000ul) | ((1ul << (bits & 63ul)) - 1ul & 0x000ffffffffffffful);
        case 3: return (bits & 0xfff0000000000000ul) | (bits & 7ul) | (bits & 8ul ? 0x000ffffffffffff8ul : 0ul);
        case 4: return (bits & 0x800ffffffffffffful) | (random >> 8 & 15ul) << 52;
        case 5: return (bits & 0x800ffffffffffffful) | (2031ul + (random >> 8 & 15ul)) << 52;
        case 6: return (bits & 0x8000000000000000ul) | (random >> 8) % 9ul * 0x3ff8000000000000ul / 4ul;
        default: return (bits & 0x8007fffffffffffful) | 0x3ff0000000000000ul;
    }
}

// How far `got` is from `exact`, whose own error is far below a unit of float.
void compare_32(global uint *worst, bool has_small, bool has_special, uint got, double exact)
{
    ulong bits = as_ulong(exact) & 0x7ffffffffffffffful;
    // Half a unit above the largest float, what is rounded is infinite.
    bool is_infinite = bits >= 0x47effffff0000000ul && bits <= 0x7ff0000000000000ul;
    if (has_special || is_infinite || exact != exact || (bits == 0ul && !has_small)) {
        bool is_right;
        if (exact != exact) {
            is_right = (got & 0x7fffffffu) > 0x7f800000u;
        } else if (is_infinite) {
            uint sign = (uint)(as_ulong(exact) >> 32) & 0x80000000u;
            // Within some units, the largest number is as right as infinity.
            is_right = got == (sign | 0x7f800000u) || (bits < 0x7ff0000000000000ul && got == (sign | 0x7f7fffffu));
        } else {
            is_right = got == as_uint((float)exact);
        }
        if (!is_right) {
            note_special(worst, has_small);
        }
        return;
    }
    int exponent = (int)(bits >> 52) - 1023;
    // With the least normal number, to which the largest below it may be rounded before it is flushed.
    bool is_small = bits < 0x3810000020000000ul && bits != 0ul;
    double unit = as_double((ulong)(max(exponent, -126) - 23 + 1023) << 52);
    float units;
    if ((got & 0x7f800000u) == 0x7f800000u) {
        // Infinite close to the largest number is one unit from it.
        bool is_close = (got & 0x7fffffffu) == 0x7f800000u && bits >= 0x47efffffc0000000ul;
        units = is_close ? 1.0f : as_float(0x7f800000u);
    } else {
        // Not the conversion of a float below the normal numbers, which may be flushed.
        uint magnitude = got & 0x7fffffffu;
        double value = magnitude < 0x00800000u ? (double)magnitude * 0x1p-149 : (double)as_float(magnitude);
        value = got >> 31 != 0u ? -value : value;
        double error = (value - exact) / unit;
        units = (float)(error < 0.0 ? -error : error);
    }
    note(worst, has_small ? 1 : is_small ? 2 : 0, units);
}

// How far the bits of results are from those of correctly rounded ones, in the format with this infinity and this least
// normal number.
void compare_bits(global uint *worst, bool has_small, bool has_special, ulong got, ulong exact, ulong infinity,
                  ulong least_normal)
{
    ulong mask = infinity | (least_normal - 1ul), magnitude = exact & mask;
    if (has_special || magnitude >= infinity) {
        bool is_nan = magnitude > infinity;
        bool is_right = is_nan ? (got & mask) > infinity : got == exact;
        if (!is_right) {
            note_special(worst, has_small);
        }
        return;
    }
    ulong steps = got > exact ? got - exact : exact - got;
    bool is_small = magnitude != 0ul && magnitude <= least_normal;
    note(worst, has_small ? 1 : is_small ? 2 : 0, 0.5f + (float)steps);
}

void compare_64(global uint *worst, bool has_small, bool has_special, ulong got, ulong exact)
{
    compare_bits(worst, has_small, has_special, got, exact, 0x7ff0000000000000ul, 0x0010000000000000ul);
}

#define EACH(start) \
    for (ulong turn = 0, at = (start) + get_global_id(0) * TURNS; turn < TURNS; turn++, at++)

// Every step-th float from that with the number start on.
#define UNARY_32(NAME, CALL, EXACT) \
    kernel void NAME(global uint *worst, ulong start, ulong step) \
    { \
        EACH(start) { \
            uint bits = (uint)(at * step); \
            float x = as_float(bits); \
            /* Not the conversion, which may flush. */ \
            double wide = IS_SMALL_32(bits) ? (double)(bits & 0x7fffffffu) * 0x1p-149 : (double)x; \
            wide = IS_SMALL_32(bits) && bits >> 31 != 0u ? -wide : wide; \
            uint got = as_uint(CALL); \
            compare_32(worst, IS_SMALL_32(bits), IS_SPECIAL_32(bits), got, EXACT); \
        } \
    }

UNARY_32(sqrt_32, sqrt(x), __clc_sqrt_f64(wide))
UNARY_32(inverse_sqrt_32, rsqrt(x), __clc_rsqrt_f64(wide))
UNARY_32(exp2_32, exp2(x), __clc_exp2_f64(wide))
UNARY_32(log2_32, log2(x), __clc_log2_f64(wide))

void compare_16(global uint *worst, bool has_small, bool has_special, uint got, uint exact)
{
    compare_bits(worst, has_small, has_special, got, exact, 0x7c00ul, 0x0400ul);
}

// By integers alone.
uint nearest_half(uint bits)
{
    uint magnitude = bits & 0x7fffffffu;
    uint sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u) {
        return sign | 0x7e00u;
    }
    if (magnitude >= 0x47800000u) {
        return sign | 0x7c00u;
    }
    int exponent = (int)(magnitude >> 23) - 127;
    uint digits = (magnitude & 0x007fffffu) | 0x00800000u;
    uint number;
    if (exponent >= -14) {
        number = (uint)(exponent + 14 << 10) + (digits >> 13);
        uint rest = digits & 0x1fffu;
        number += rest > 0x1000u || (rest == 0x1000u && (number & 1u) != 0u) ? 1u : 0u;
    } else {
        uint shift = (uint)min(-1 - exponent, 31);
        number = shift > 24u ? 0u : digits >> shift;
        uint rest = digits & ((1u << shift) - 1u), half_unit = 1u << (shift - 1u);
        number += rest > half_unit || (rest == half_unit && (number & 1u) != 0u) ? 1u : 0u;
    }
    return sign | number;
}

double half_value(uint bits)
{
    uint magnitude = bits & 0x7fffu, exponent = magnitude >> 10;
    double value = exponent == 0u    ? (double)magnitude * 0x1p-24
                   : exponent == 31u ? as_double(0x7ff0000000000000ul | (ulong)(magnitude & 0x3ffu) << 42)
                                     : as_double((ulong)magnitude << 42) * 0x1p1008;
    return bits >> 15 != 0u ? -value : value;
}

// Both halves of a word, and what they are as floats again: not what they were made of.
kernel void pack_half(global uint *worst, ulong start, ulong step)
{
    EACH(start) {
        uint bits = (uint)(at * step), other = bits ^ 0x80000fffu;
        ushort got[2];
        vstore_half2((float2)(as_float(bits), as_float(other)), 0, (half *)got);
        compare_16(worst, IS_SMALL_32(bits), IS_SPECIAL_32(bits), got[0], nearest_half(bits));
        compare_16(worst, IS_SMALL_32(other), IS_SPECIAL_32(other), got[1], nearest_half(other));
        float2 again = vload_half2(0, (const half *)got);
        compare_32(worst, IS_SMALL_32(bits), IS_SPECIAL_32(bits), as_uint(again.x), half_value(nearest_half(bits)));
        compare_32(worst, IS_SMALL_32(other), IS_SPECIAL_32(other), as_uint(again.y), half_value(nearest_half(other)));
    }
}

// What each work-item stores is read back as it is in memory.
kernel void store_half(global uint *worst, ulong start, ulong step)
{
    global half *stored = (global half *)(worst + 4) + get_global_id(0);
    EACH(start) {
        uint bits = (uint)(at * step);
        vstore_half(as_float(bits), 0, stored);
        ushort got = *(volatile global ushort *)stored;
        compare_16(worst, IS_SMALL_32(bits), IS_SPECIAL_32(bits), got, nearest_half(bits));
    }
}

kernel void unpack_half(global uint *worst, ulong start, ulong step)
{
    EACH(start) {
        uint word = (uint)(at * step);
        ushort bits[2] = {(ushort)word, (ushort)(word >> 16)};
        float2 got = vload_half2(0, (const half *)bits);
        for (int part = 0; part < 2; part++) {
            uint exponent = bits[part] >> 10 & 31u, digits = bits[part] & 0x3ffu;
            uint found = part == 0 ? as_uint(got.x) : as_uint(got.y);
            compare_32(worst, exponent == 0u && digits != 0u, exponent == 31u, found, half_value(bits[part]));
        }
    }
}

double widened(uint bits)
{
    double wide = (bits & 0x7f800000u) == 0u ? (double)(bits & 0x7fffffffu) * 0x1p-149
                                             : (double)as_float(bits & 0x7fffffffu);
    return as_double(as_ulong(wide) | (ulong)(bits & 0x80000000u) << 32);
}

kernel void divide_32(global uint *worst, ulong start)
{
    EACH(start) {
        uint a = argument_32(2ul * at), b = argument_32(2ul * at + 1ul);
        uint got = as_uint(as_float(a) / as_float(b));
        double exact = __clc_divide_f64(widened(a), widened(b));
        compare_32(worst, IS_SMALL_32(a) || IS_SMALL_32(b), IS_SPECIAL_32(a) || IS_SPECIAL_32(b), got, exact);
    }
}

// A sum that is close to the product's negative shows whether the product was rounded.
kernel void fma_32(global uint *worst, ulong start)
{
    EACH(start) {
        uint a = argument_32(3ul * at), b = argument_32(3ul * at + 1ul), c = argument_32(3ul * at + 2ul);
        uint product = as_uint(as_float(a) * as_float(b));
        if (at % 2ul == 0ul && !IS_SPECIAL_32(product)) {
            c = (product ^ 0x80000000u) + ((uint)(at >> 1) & 3u);
        }
        bool has_small = IS_SMALL_32(a) || IS_SMALL_32(b) || IS_SMALL_32(c);
        bool has_special = IS_SPECIAL_32(a) || IS_SPECIAL_32(b) || IS_SPECIAL_32(c);
        uint got = as_uint(fma(as_float(a), as_float(b), as_float(c)));
        uint exact = as_uint(__clc_fma_f32(as_float(a), as_float(b), as_float(c)));
        compare_bits(worst, has_small, has_special, got, exact, 0x7f800000ul, 0x00800000ul);
    }
}

// Quotients that are half way between two numbers, nearly, and near to one.
kernel void divide_64(global uint *worst, ulong start)
{
    EACH(start) {
        ulong a = argument_64(2ul * at), b = argument_64(2ul * at + 1ul);
        if (at % 2ul == 0ul) {
            double quotient = as_double((a & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
            double divisor = as_double((b & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
            double half_unit = at % 4ul == 0ul ? divisor * 0x1p-53 : 0.0;
            a = as_ulong(quotient * divisor + half_unit) + (at >> 2 & 1ul);
            b = as_ulong(divisor);
        }
        ulong got = as_ulong(as_double(a) / as_double(b));
        ulong exact = as_ulong(__clc_divide_f64(as_double(a), as_double(b)));
        compare_64(worst, IS_SMALL_64(a) || IS_SMALL_64(b), IS_SPECIAL_64(a) || IS_SPECIAL_64(b), got, exact);
    }
}

// Of squares of numbers with 54 bits, nearly, whose roots are half way between two.
kernel void sqrt_64(global uint *worst, ulong start)
{
    EACH(start) {
        ulong x = argument_64(at);
        if (at % 2ul == 0ul) {
            double root = as_double((x & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
            double half_unit = at % 4ul == 0ul ? root * 0x1p-52 : 0.0;
            x = as_ulong(root * root + half_unit) + (at >> 2 & 1ul) + (at >> 3 & 1ul) * 0x0010000000000000ul;
        }
        ulong got = as_ulong(sqrt(as_double(x)));
        ulong exact = as_ulong(__clc_sqrt_f64(as_double(x)));
        compare_64(worst, IS_SMALL_64(x), IS_SPECIAL_64(x), got, exact);
    }
}

kernel void fma_64(global uint *worst, ulong start)
{
    EACH(start) {
        ulong a = argument_64(3ul * at), b = argument_64(3ul * at + 1ul), c = argument_64(3ul * at + 2ul);
        ulong product = as_ulong(as_double(a) * as_double(b));
        if (at % 2ul == 0ul && !IS_SPECIAL_64(product)) {
            c = (product ^ 0x8000000000000000ul) + (at >> 1 & 3ul);
        }
        bool has_small = IS_SMALL_64(a) || IS_SMALL_64(b) || IS_SMALL_64(c);
        bool has_special = IS_SPECIAL_64(a) || IS_SPECIAL_64(b) || IS_SPECIAL_64(c);
        ulong got = as_ulong(fma(as_double(a), as_double(b), as_double(c)));
        ulong exact = as_ulong(__clc_fma_f64(as_double(a), as_double(b), as_double(c)));
        compare_64(worst, has_small, has_special, got, exact);
    }
}
