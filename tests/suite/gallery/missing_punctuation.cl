struct particle {
    float4 position
    float mass;
};

kernel void step(global struct particle *p, float dt {
    int i = get_global_id(0);
    for (int k = 0; k < 4, k++) {
        p[i].position.x += dt * (p[i].mass + 1.0f;
    }
    p[i].mas = 0
}

// error: E0103 2:20
// error: E0102 6:54
