//@ kernel step
//@ global 16
//@ arg buffer uchar[176] = random 3 0 60
//@ result 0 = host particles
struct particles {
    float x[16];
    float y[16];
    short charge[16];
    uchar flags[16];
};

kernel void step(global struct particles *particles)
{
    const size_t i = get_global_id(0);
    if (particles->flags[i] & 1)
        particles->x[i] += particles->charge[i];
    particles->y[i] *= 0.5f;
    particles->charge[i] = -particles->charge[i];
    particles->flags[i] = rotate(particles->flags[i], (uchar)1);
}
