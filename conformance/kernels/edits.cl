// How many letters have to be changed, added or left out to make one word of another.
#define LENGTH 16
kernel void edits(global const uchar *words, constant uchar *wanted, global uint *distances)
{
    size_t i = get_global_id(0);
    uint row[LENGTH + 1];
    for (uint k = 0; k <= LENGTH; k++)
        row[k] = k;
    for (uint n = 0; n < LENGTH; n++) {
        uchar letter = words[i * LENGTH + n];
        uint diagonal = row[0];
        row[0] = n + 1;
        for (uint k = 1; k <= LENGTH; k++) {
            uint changed = diagonal + (letter != wanted[k - 1]);
            diagonal = row[k];
            row[k] = min(changed, min(row[k], row[k - 1]) + 1);
        }
    }
    distances[i] = row[LENGTH];
}
