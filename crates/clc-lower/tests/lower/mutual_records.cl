// Records that point to one another, and contain one another.
// ir: struct.M
// ir: struct.N
// ir: struct.K
typedef struct N { struct N *next; global struct M *m; int v; } N;
typedef struct M { N n; struct M *other; struct K *k; } M;
typedef struct K { M both[2]; N n; } K;
kernel void k(global int *p, global M *g) { N n; n.next = &n; n.m = g; n.v = 3; K q; q.n = n; M m; m.n = n; m.k = &q; *p = m.n.next->v + m.k->n.v + g->n.v; }
