// Each macro opens ten brackets, so the line has 10,000.
// error: E0105
#define A ((((((((((
#define B A A A A A A A A A A
#define C B B B B B B B B B B
int x = C C C C C C C C C C 1;
