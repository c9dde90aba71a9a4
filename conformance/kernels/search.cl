// Where a word of four letters begins, one byte of the text a work-item.
kernel void search(global const uchar *text, global uint *found, uint word, uint n)
{
    size_t i = get_global_id(0);
    uint here = 0;
    for (uint k = 0; k < 4; k++) {
        here |= (uint)(text[min((uint)i + k, n - 1)] & 3) << (8 * k);
    }
    if (here == word) {
        atomic_inc(found);
    }
}
