// Structs that point to one another, and contain one another.
//@ kernel k
//@ arg buffer int[4] = 1 2 3 4
//@ result 0 = 42 48 7 4
typedef struct N { struct N *next; struct M *m; int v; } N;
typedef struct M { N n; struct M *other; struct K *k; } M;
typedef struct K { M both[2]; N n; } K;
int size(const K *k) { return k->both[1].n.v + k->n.m->n.v; }
kernel void k(global int *p)
{
    N n;
    M m;
    K q;
    n.next = &n;
    n.m = &m;
    n.v = p[0] + p[1];
    m.n = n;
    m.n.v = 40 - p[0];
    m.other = &m;
    m.k = &q;
    q.n = n;
    q.both[1] = m;
    q.both[1].n.v = p[2];
    p[0] = size(&q);
    p[1] = m.k->n.next->m->other->n.v + m.k->both[1].n.next->v * p[2];
    p[2] = (m.k == &q) + (n.m->k->n.m == &m) * 6;
}
