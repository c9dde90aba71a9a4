// What is left of the knowledge of memory when something of another type is stored (C99 6.5p7, OpenCL C 6.3.8),
// or through another pointer (C99 6.7.3.1); and which stores are covered by later ones.
// RUN[strict]: -S
// RUN[named]: -S -fno-strict-aliasing -fstrict-aliasing
// RUN[cl]: -S -cl-strict-aliasing
// RUN[off]: -S -fno-strict-aliasing
// RUN[last]: -S -fstrict-aliasing -fno-strict-aliasing
// RUN[none]: -S -O0
// RUN[unsigned]: -S -DWORD=uint -DFLOAT=int
// RUN[attribute]: -S -DANY
// RUN[union]: -S -DUNION
// RUN[char]: -S -DWORD=uchar
// RUN[vector]: -S -DWORD=int4
// RUN[restrict]: -S -DWORD=float -DQUALIFIER=restrict
// RUN[argument]: -S -DWORD=float
// RUN[local]: -S -DWORD=float -DSPACE=local
// emits-not[strict]: OpLoad
// emits-not[named]: OpLoad
// emits-not[cl]: OpLoad
// emits[off]: OpLoad
// emits[last]: OpLoad
// emits[none]: OpLoad
// emits[unsigned]: OpLoad
// emits[attribute]: OpLoad
// emits[union]: OpLoad
// emits[char]: OpLoad
// emits[vector]: OpLoad
// emits-not[restrict]: OpLoad
// emits[argument]: OpLoad
// emits-not[local]: OpLoad
// RUN[between]: -S -DBETWEEN
// RUN[between_off]: -S -DBETWEEN -fno-strict-aliasing
// emits[between]: OpLoad
// emits-not[between]: 77
// emits[between_off]: 77
// emits[between_off]: OpLoad
#ifndef WORD
#define WORD int
#endif
#ifndef FLOAT
#define FLOAT float
#endif
#ifndef QUALIFIER
#define QUALIFIER
#endif
#ifndef SPACE
#define SPACE global
#endif
#ifdef ANY
typedef int __attribute__((may_alias)) AnyWord;
#undef WORD
#define WORD AnyWord
#endif
#ifdef UNION
typedef union { int i; float f; } Word;
#undef WORD
#define WORD Word
#define MEMBER .i
#else
#define MEMBER
#endif

kernel void k(global FLOAT *f, SPACE WORD *QUALIFIER w, ulong i)
{
#ifdef BETWEEN
    f[i] = 77;
    int seen = w[1];
    f[i] = 3;
    w[2] = seen;
#else
    f[i] = 3;
    w[i] MEMBER = 2;
    f[i + 2] = f[i];
#endif
}
