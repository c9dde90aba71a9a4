// @ build_forward 4096|262144 128 u32:32768|2097152 u8:4096|262144:6..33 zeros:u32:131072|8388608 zeros:u32:4096|262144 4096u|262144u
// @ count_triangles 4096|262144 128 #2 #3 >u32:4096|262144
//
// Triangles of an undirected graph.  Every edge is stored once, with its lower
// end (forward lists, ascending).  The first kernel makes the lists of a random
// graph with locality from gaps in nibbles, the second intersects them.

#define MAX_DEGREE 32

typedef uint vertex_t;

__kernel void build_forward(__global const uint *gap_words,	/* 8 words per vertex */
			    __global const uchar *wanted_degree,
			    __global vertex_t *adjacency,
			    __global uint *degree,
			    vertex_t n)
{
	const vertex_t v = get_global_id(0);
	__global vertex_t *list = adjacency + v * MAX_DEGREE;
	vertex_t w = v;
	uint count = 0;
	uint want = wanted_degree[v];

	while (count < want) {
		uint word = gap_words[v * 8 + count / 4];
		uint gap = 1 + ((word >> (8 * (count % 4))) & 3);
		w += gap;
		if (w >= n)
			break;
		list[count++] = w;
	}
	degree[v] = count;
}

/* Counts of each corner: number of triangles it is part of. */
__kernel void count_triangles(__global const vertex_t *adjacency,
			      __global const uint *degree,
			      volatile __global uint *triangles)
{
	const vertex_t v = get_global_id(0);
	__global const vertex_t *nv = adjacency + v * MAX_DEGREE;
	const uint dv = degree[v];
	uint own = 0;

	for (uint e = 0; e < dv; e++) {
		const vertex_t w = nv[e];
		__global const vertex_t *nw = adjacency + w * MAX_DEGREE;
		const uint dw = degree[w];
		uint with_w = 0;

		/* both lists only hold larger vertices than w from here */
		uint i = e + 1, j = 0;
		while (i < dv && j < dw) {
			const vertex_t a = nv[i];
			const vertex_t b = nw[j];

			if (a == b) {
				with_w++;
				atomic_inc(&triangles[a]);
				i++;
				j++;
			} else if (a < b) {
				i++;
			} else {
				j++;
			}
		}
		if (with_w) {
			atomic_add(&triangles[w], with_w);
			own += with_w;
		}
	}
	if (own)
		atomic_add(&triangles[v], own);
}
