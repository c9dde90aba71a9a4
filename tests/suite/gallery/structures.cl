typedef struct {
    float3 origin, direction;
    int depth : 4;
} ray;

struct hit { float distance; struct hit next; };

float nearest(ray *r, const struct hit h) {
    r.origin = r->dircetion;
    h.distance = 0.0f;
    ray other = { .orgin = (float3)(0.0f), .depth = 1 };
    return h->distance + other;
}

// error: E0208 3:9
// error: E0206 6:41
// error: E0426 9:5
// error: E0426 9:19
// error: E0432 10:16
// error: E0216 11:19
// error: E0426 12:12
