// @ siphash24 16384|1048576 64 u64:262144|16777216 u8:16384|1048576:0..128 506097522914230528L 1084818905618843912L >u64:16384|1048576

// SipHash-2-4 of variable length keys (at most 127 bytes, each in a slot of
// 16 words).

typedef struct {
  ulong v0, v1, v2, v3;
} Sip;

inline void sipRound(Sip* s) {
  s->v0 += s->v1;
  s->v2 += s->v3;
  s->v1 = rotate(s->v1, 13UL) ^ s->v0;
  s->v3 = rotate(s->v3, 16UL) ^ s->v2;
  s->v0 = rotate(s->v0, 32UL);
  s->v2 += s->v1;
  s->v0 += s->v3;
  s->v1 = rotate(s->v1, 17UL) ^ s->v2;
  s->v3 = rotate(s->v3, 21UL) ^ s->v0;
  s->v2 = rotate(s->v2, 32UL);
}

inline void absorb(Sip* s, ulong m) {
  s->v3 ^= m;
  sipRound(s);
  sipRound(s);
  s->v0 ^= m;
}

kernel void siphash24(global const ulong* restrict keys,
                      global const uchar* restrict lengths,
                      const ulong k0,
                      const ulong k1,
                      global ulong* restrict hashes) {
  const size_t gid = get_global_id(0);
  global const ulong* key = keys + gid * 16;
  const uint len = lengths[gid];
  const uint words = len >> 3;

  Sip s;
  s.v0 = k0 ^ 0x736f6d6570736575UL;
  s.v1 = k1 ^ 0x646f72616e646f6dUL;
  s.v2 = k0 ^ 0x6c7967656e657261UL;
  s.v3 = k1 ^ 0x7465646279746573UL;

  for (uint i = 0; i < words; ++i)
    absorb(&s, key[i]);

  ulong tail = (ulong)len << 56;
  const uint rest = len & 7;
  if (rest)
    tail |= key[words] & ((1UL << (8 * rest)) - 1);
  absorb(&s, tail);

  s.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i)
    sipRound(&s);

  hashes[gid] = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
