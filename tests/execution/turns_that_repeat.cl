// Loops with barriers in which something repeats after two to four turns, which end after any of them.
//@ kernel parity
//@ global 24
//@ local 4
//@ arg buffer int[24] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//@ arg buffer int[24] = zero
//@ result 1 = 0 8 16 24 121 145 169 97 730 802 586 658 3283 2635 2851 3067 10516 11164 11812 12460 41293 43237 45181 39349
//@ kernel next_of_three
//@ global 24
//@ local 4
//@ arg buffer int[24] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//@ arg buffer int[24] = zero
//@ result 1 = 702 10703 20704 30705 401504 421505 441506 461507 642487 662483 682479 702475 945552 966748 987944 1009140 23683214 23364410 23045606 22726802 28507999 28189287 27870575 27551863
//@ kernel rotating
//@ global 24
//@ local 4
//@ arg buffer int[24] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//@ arg buffer int[24] = zero
//@ result 1 = 70303 70202 70101 70000 70703 60502 50301 40100 31611 21509 11407 1305 150820 130719 110618 90517 241908 231707 221506 211305 83323 73221 63119 53017
//@ kernel down_by_wrapping
//@ global 24
//@ local 4
//@ arg buffer int[24] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//@ arg buffer int[24] = zero
//@ result 1 = 3210 4321 5432 6543 21654 20765 27876 26987 36098 35009 42720 41631 49602 48493 56264 55155 63038 61931 69712 68605 206386 207279 225060 225953
//@ kernel private_halves
//@ global 24
//@ local 4
//@ arg buffer int[24] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//@ arg buffer int[24] = zero
//@ result 1 = 0 3002 2 4005 8004 13012 16018 26027 36032 47046 56058 72073 88084 105104 120122 142143 164160 187186 208210 236237 264260 293292 320322 354355
kernel void parity(global const int *data, global int *out)
{
    local int rows[2][4];
    const int i = get_local_id(0), turns = get_group_id(0);
    rows[0][i] = data[get_global_id(0)];
    rows[1][i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int t;
    for (t = 0; t < turns; t++) {
        rows[~t & 1][i] = 3 * rows[t & 1][(i + 1) & 3] + t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rows[t & 1][i] * 8 + t;
}

kernel void next_of_three(global const int *data, global int *out)
{
    local int rows[3][4];
    const int i = get_local_id(0), turns = get_group_id(0) + 1;
    rows[0][i] = data[get_global_id(0)];
    rows[1][i] = rows[2][i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = 1;
    for (int t = 0; t < turns; t++) {
        const int sum = rows[t % 3][3 - i] + rows[(t + 2) % 3][i];
        barrier(CLK_LOCAL_MEM_FENCE);
        rows[next][i] = 2 * sum + next;
        if (++next == 3)
            next = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rows[0][i] + 100 * rows[1][i] + 10000 * rows[2][i] + next;
}

// What is behind the pointers behind the loop.
kernel void rotating(global const int *data, global int *out)
{
    local int rows[3][4];
    const int i = get_local_id(0), turns = get_group_id(0);
    local int *first = rows[0], *second = rows[1], *third = rows[2];
    first[i] = data[get_global_id(0)];
    second[i] = i;
    third[i] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < turns; t++) {
        if (first[i] > second[3 - i])
            third[i] = first[i] - second[3 - i];
        else
            third[i] += 5;
        local int *last = first;
        first = second;
        second = third;
        third = last;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = first[3 - i] + 100 * second[3 - i] + 10000 * third[3 - i];
}

// The counter goes through zero, where it wraps.
kernel void down_by_wrapping(global const int *data, global int *out)
{
    local int rows[4][4];
    const int i = get_local_id(0);
    const uint turns = get_group_id(0);
    for (int k = 0; k < 4; k++)
        rows[k][i] = data[get_global_id(0)] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = 2; t != 2 - turns; t--) {
        rows[(t + 1) & 3][i] += 2 * rows[t & 3][i ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rows[0][i] + 10 * rows[1][i] + 100 * rows[2][i] + 1000 * rows[3][i];
}

kernel void private_halves(global const int *data, global int *out)
{
    int rows[2][4] = { { 0, 1, 2, 3 }, { 0, 0, 0, 0 } };
    const int n = data[get_global_id(0)];
    int current = 0;
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < 4; k++)
            rows[1 - current][k] = rows[current][(k + 1) & 3] + t * k;
        current = 1 - current;
    }
    out[get_global_id(0)] = rows[current][0] + 1000 * rows[1 - current][3] + current;
}
