// @ random_games 256|65536 64 u64:256|65536:1..1000000000000 >i32:1024|262144 2

// Monte Carlo playouts of Reversi (Othello) with bitboards. A work-item plays
// several random games from the initial position; black begins.

#define NOT_EDGES 0x7e7e7e7e7e7e7e7eUL  // columns b to g

typedef struct {
	ulong own;
	ulong other;
} board;

__constant int directions[4] = { 1, 8, 7, 9 };

ulong inner(ulong discs, int direction)
{
	return direction == 8 ? discs : discs & NOT_EDGES;
}

/* Dumb7fill in both senses of a direction. */
ulong legal_moves(board b)
{
	ulong moves = 0;
	for (int k = 0; k < 4; k++) {
		const int s = directions[k];
		const ulong mask = inner(b.other, s);
		ulong up = mask & (b.own << s);
		ulong down = mask & (b.own >> s);
		for (int i = 0; i < 5; i++) {
			up |= mask & (up << s);
			down |= mask & (down >> s);
		}
		moves |= up << s | down >> s;
	}
	return moves & ~(b.own | b.other);
}

ulong flipped_discs(board b, ulong move)
{
	ulong flips = 0;
	for (int k = 0; k < 4; k++) {
		const int s = directions[k];
		const ulong mask = inner(b.other, s);
		ulong up = mask & (move << s);
		ulong down = mask & (move >> s);
		for (int i = 0; i < 5; i++) {
			up |= mask & (up << s);
			down |= mask & (down >> s);
		}
		if ((up << s) & b.own)
			flips |= up;
		if ((down >> s) & b.own)
			flips |= down;
	}
	return flips;
}

uint next_random(ulong *state)
{
	ulong x = *state;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (uint)((x * 0x2545F4914F6CDD1DUL) >> 32);
}

/* one of the bits that are set */
ulong choose(ulong bits, ulong *rng)
{
	uint skip = mul_hi(next_random(rng), (uint)popcount(bits));
	while (skip-- > 0)
		bits &= bits - 1;
	return bits & -bits;
}

__kernel void random_games(__global const ulong *seeds, __global int4 *results, int games)
{
	const int id = get_global_id(0);
	ulong rng = seeds[id];
	int total = 0, won = 0, drawn = 0, plies = 0;

	for (int g = 0; g < games; g++) {
		board b = { 0x0000000810000000UL, 0x0000001008000000UL };
		bool black = true;
		bool passed = false;

		for (;;) {
			const ulong moves = legal_moves(b);
			if (moves != 0) {
				const ulong move = choose(moves, &rng);
				const ulong flips = flipped_discs(b, move);
				b.own ^= flips | move;
				b.other ^= flips;
				passed = false;
				plies++;
			} else {
				if (passed)
					break;
				passed = true;
			}

			const ulong t = b.own;
			b.own = b.other;
			b.other = t;
			black = !black;
		}

		int score = (int)popcount(b.own) - (int)popcount(b.other);
		if (!black)
			score = -score;
		total += score;
		won += score > 0;
		drawn += score == 0;
	}
	results[id] = (int4)(total, won, drawn, plies);
}
