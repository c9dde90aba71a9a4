#define UNREACHED 0xffffffffu
// One step of a breadth-first search: a vertex is reached if one that leads to it was in the last step.
kernel void graph(global const uint *first, global const uint *sources, global const uint *levels,
                  global uint *next, uint level)
{
    size_t i = get_global_id(0);
    uint known = levels[i];
    uint end = first[i + 1];
    for (uint k = first[i]; k < end && known == UNREACHED; k++) {
        if (levels[sources[k]] == level)
            known = level + 1;
    }
    next[i] = known;
}
