// Tables of more elements than an instruction of SPIR-V has operands: what is listed, what is not, and the ends of
// the pieces that a module has of them.
//@ kernel tables
//@ global 1
//@ arg uint = 65531
//@ arg buffer int[16] = zero
//@ result 1 = 1 0 9 8 7 0 6 -1 10 11 12 0 13 14 0 70000
#define LIMIT 65532
constant int table[70000] = { 1, [65531] = 9, 8, 7, [69999] = 6 };
// Little is listed; the rest is one piece of zeros.
constant short bytes[70000] = { -1, 10 };
struct parts { char head; short2 body[65535]; char tail; };
constant struct parts whole = { 11, { [65533] = (short2)(12, 13) }, 14 };
constant uchar rows[2][65540] = { { [65539] = 70 }, { [65533] = 100 } };

int through(constant const int *p, uint i) { return p[i]; }

kernel void tables(uint i, global int *out)
{
    out[0] = table[0];
    out[1] = table[i - 1];
    out[2] = through(table, i);
    out[3] = table[i + 1];
    out[4] = table[LIMIT + 1];
    out[5] = table[i + 3];
    out[6] = table[69999];
    out[7] = bytes[i - LIMIT + 1];
    out[8] = bytes[i - LIMIT + 2];
    out[9] = whole.head;
    out[10] = whole.body[i + 2].x;
    out[11] = whole.body[i + 1].y;
    out[12] = whole.body[i + 2].y;
    out[13] = whole.tail;
    out[14] = bytes[i + 4000];
    out[15] = rows[i - 65531][65539] * 10 * rows[1][i + 2];
}
