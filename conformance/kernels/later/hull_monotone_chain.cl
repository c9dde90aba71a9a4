// @ convex_hulls 4096|262144 64 i32:196608|12582912:-2000000..2000000 u8:4096|262144:6..25 >i64:16384|1048576 24

/* Convex hulls of many small clusters of points (footprints of detections), by
   Andrew's monotone chain. Exact: coordinates are integers of 22 bits.

   Result of a cluster: vertices of the hull, twice the area, square of the diameter,
   and twice the area of the smallest triangle of successive vertices. */

#define MAX_POINTS 24

bool before(int2 a, int2 b)
{
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* > 0 if o, a, b turn left */
long turn(int2 o, int2 a, int2 b)
{
  const int2 u = a - o, v = b - o;
  return (long)u.x * v.y - (long)u.y * v.x;
}

int build_hull(const int2 *points, int n, int2 *hull)
{
  int k = 0;

  for (int i = 0; i < n; ++i) {
    while (k >= 2 && turn(hull[k - 2], hull[k - 1], points[i]) <= 0)
      --k;
    hull[k++] = points[i];
  }
  const int lower = k + 1;
  for (int i = n - 2; i >= 0; --i) {
    while (k >= lower && turn(hull[k - 2], hull[k - 1], points[i]) <= 0)
      --k;
    hull[k++] = points[i];
  }
  return k - 1;     /* the first point is there twice */
}

__kernel void convex_hulls(__global const int2 *points,
                           __global const uchar *sizes,
                           __global long4 *results,
                           const int stride)
{
  const size_t cluster = get_global_id(0);
  const int n = min((int)sizes[cluster], MAX_POINTS);
  __global const int2 *p = points + cluster * stride;

  int2 sorted[MAX_POINTS];
  for (int i = 0; i < n; ++i) {
    const int2 q = p[i];
    int j = i;
    while (j > 0 && before(q, sorted[j - 1])) {
      sorted[j] = sorted[j - 1];
      --j;
    }
    sorted[j] = q;
  }

  int2 hull[2 * MAX_POINTS];
  const int h = build_hull(sorted, n, hull);

  long area = 0, diameter = 0, smallest = LONG_MAX;
  for (int i = 0; i < h; ++i) {
    const int2 a = hull[i], b = hull[(i + 1) % h], c = hull[(i + 2) % h];
    area += (long)a.x * b.y - (long)a.y * b.x;
    smallest = min(smallest, turn(a, b, c));
    for (int j = i + 1; j < h; ++j) {
      const long dx = (long)hull[j].x - a.x;
      const long dy = (long)hull[j].y - a.y;
      diameter = max(diameter, dx * dx + dy * dy);
    }
  }

  results[cluster] = (long4)(h, area, diameter, smallest);
}
