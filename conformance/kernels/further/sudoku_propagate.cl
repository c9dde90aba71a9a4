// @ propagate 512|65536 32 u8:41472|5308416:0..40 >u8:43008|5505024
//
// Constraint propagation on Sudoku boards, naked and hidden singles, until nothing changes
// or a contradiction shows. Boards are random here, so most end in one. A digit above 9 is an
// empty cell. A record is the board and three bytes: state, rounds, filled cells.

#define CELLS 81
#define ALL   0x1ff

enum { SOLVED = 0, STUCK = 1, CONTRADICTION = 2 };

typedef struct {
	ushort row[9], col[9], box[9];	/* digits that are not used yet */
	uchar cell[CELLS];
	int filled;
} Board;

#define BOX(r, c) ((r) / 3 * 3 + (c) / 3)

ushort candidates(const Board *b, int r, int c)
{
	return b->row[r] & b->col[c] & b->box[BOX(r, c)];
}

bool place(Board *b, int r, int c, ushort bit)
{
	if (!(candidates(b, r, c) & bit))
		return false;
	b->row[r] &= ~bit;
	b->col[c] &= ~bit;
	b->box[BOX(r, c)] &= ~bit;
	b->cell[r * 9 + c] = (uchar)(16 - clz(bit));
	b->filled++;
	return true;
}

/* cell k of a unit: rows, columns, boxes */
int cell_of(int unit, int k)
{
	if (unit < 9)
		return unit * 9 + k;
	if (unit < 18)
		return k * 9 + unit - 9;
	const int x = unit - 18;
	return (x / 3 * 3 + k / 3) * 9 + x % 3 * 3 + k % 3;
}

__kernel void propagate(__global const uchar *puzzles, __global uchar *results)
{
	const size_t id = get_global_id(0);
	__global const uchar *in = puzzles + id * CELLS;
	__global uchar *out = results + id * (CELLS + 3);

	Board b;
	for (int i = 0; i < 9; i++)
		b.row[i] = b.col[i] = b.box[i] = ALL;
	for (int i = 0; i < CELLS; i++)
		b.cell[i] = 0;
	b.filled = 0;

	/* clues that contradict earlier ones are dropped */
	for (int i = 0; i < CELLS; i++) {
		const int d = in[i];
		if (d >= 1 && d <= 9)
			place(&b, i / 9, i % 9, (ushort)(1 << (d - 1)));
	}

	int rounds = 0;
	bool ok = true, changed = true;
	while (ok && changed && b.filled < CELLS) {
		changed = false;
		rounds++;

		for (int i = 0; i < CELLS && ok; i++) {
			if (b.cell[i])
				continue;
			const ushort m = candidates(&b, i / 9, i % 9);
			if (m == 0)
				ok = false;
			else if ((m & (m - 1)) == 0)
				changed |= place(&b, i / 9, i % 9, m);
		}

		for (int unit = 0; unit < 27 && ok; unit++) {
			ushort once = 0, twice = 0, placed = 0;
			for (int k = 0; k < 9; k++) {
				const int i = cell_of(unit, k);
				if (b.cell[i]) {
					placed |= (ushort)(1 << (b.cell[i] - 1));
					continue;
				}
				const ushort m = candidates(&b, i / 9, i % 9);
				twice |= once & m;
				once |= m;
			}
			if ((once | placed) != ALL) {
				ok = false;
				break;
			}
			ushort hidden = once & ~twice;
			for (int k = 0; k < 9 && hidden; k++) {
				const int i = cell_of(unit, k);
				if (b.cell[i])
					continue;
				const ushort m = candidates(&b, i / 9, i % 9) & hidden;
				if (m == 0)
					continue;
				if (m & (m - 1)) {	/* two digits with this one place */
					ok = false;
					break;
				}
				changed |= place(&b, i / 9, i % 9, m);
				hidden &= ~m;
			}
		}
	}

	for (int i = 0; i < CELLS; i++)
		out[i] = b.cell[i];
	out[CELLS] = !ok ? CONTRADICTION : b.filled == CELLS ? SOLVED : STUCK;
	out[CELLS + 1] = (uchar)rounds;
	out[CELLS + 2] = (uchar)b.filled;
}
