// RUN[program]: -cl-std=CL2.0
// RUN[part]: -cl-std=CL2.0 -c
// compiles[part]
int elsewhere(int x);
extern global int counter;
kernel void other(global int *p);
kernel void k(global int *p)
{
    p[0] = elsewhere(1); //~[program] E0752 `elsewhere` is called
    p[1] = counter; //~[program] E0752 `counter` is used
    other(p); //~[program] E0752 `other` is called
    p[2] = sizeof(elsewhere(1));
}
