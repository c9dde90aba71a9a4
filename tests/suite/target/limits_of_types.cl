// What types and functions may be in SPIR-V: circles of pointers can be written.
// RUN[levels]: -DLEVELS -S -O0
// RUN[parameters]: -DPARAMETERS -O0
// RUN[circle]: -DCIRCLE -S
// RUN[other]: -DOTHER -S
// emits[levels]: OpInBoundsPtrAccessChain
// emits[circle]: OpTypeForwardPointer
// emits[other]: OpTypeForwardPointer
#define TWICE(x) x x
#define FOUR(x) TWICE(TWICE(x))
#define SIXTEEN(x) FOUR(FOUR(x))
#define MANY(x) SIXTEEN(SIXTEEN(x)) SIXTEEN(x)
#if defined(LEVELS)
// More levels than an access chain has room for.
typedef int cube MANY([1]) [2];
kernel void k(global cube *p, int i) { p[1] MANY([0]) [i] = 1; }
#elif defined(PARAMETERS)
#define P(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
#define Q(x) P(x##0), P(x##1), P(x##2), P(x##3), P(x##4), P(x##5), P(x##6), P(x##7)
#define R(x) Q(x##0), Q(x##1), Q(x##2), Q(x##3)
#define A p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
#define B A, A, A, A, A, A, A, A
int sum(R(a)) { return a000 + a377; } //~[parameters] E0704 more than the 255
kernel void k(global int *p) { *p = sum(B, B, B, B); }
#elif defined(CIRCLE)
struct b;
struct a { int x; global struct b *q; };
struct b { int y; global struct a *p; };
kernel void k(global struct a *p) { p->x = p->q->y + p->q->p->x; }
#elif defined(OTHER)
// Either may be met first.
struct b;
struct a { int x; global struct b *q; };
struct b { int y; global struct a (*p)[4]; };
kernel void k(global struct a *p) { p->x = p->q->y + (*p->q->p)[1].x; }
kernel void l(global struct b *p) { p->y = (*p->p)[1].x; }
#endif
