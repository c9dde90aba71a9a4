// Accesses say that the object is of their type (C99 6.5p7), but for members of unions and components of
// vectors, however they are named.
// ir: i32 1 align 4 typed
// ir: i32 2 align 4
// not: i32 2 align 4 typed
// ir: i32 3 align 4 typed
// ir: i32 4 align 4
// not: i32 4 align 4 typed
// ir: i16 5 align 2
// not: i16 5 align 2 typed
// ir: f32 0x40c00000 align 16
// not: f32 0x40c00000 align 16 typed
// ir: i32 7 align 4 volatile typed
typedef union { int i; short s[2]; } Word;
typedef struct { Word word; int number; } Record;
kernel void k(global Record *r, global float4 *v, global int *p, volatile global int *q, int i)
{
    *p = 1;
    r[i].word.i = 2;
    r[i].number = 3;
    *&r->word.i = 4;
    r->word.s[i] = 5;
    v->x = 6.0f;
    *q = 7;
}
