// error: E0401 11
// error: E0401 12
#define FIRST(x) x + undeclared
#define SECOND(x) FIRST(x * 2)
#define DEEP4(x) x + missing
#define DEEP3(x) DEEP4(x)
#define DEEP2(x) DEEP3(x)
#define DEEP1(x) DEEP2(x)
kernel void k(global int *p)
{
    p[0] = SECOND(3);
    p[1] = DEEP1(4);
}
