// @ execute_sequences 4096|1048576 32 u8:65536 u8:122880|31457280 u8:8192|2097152:0..16 u8:8192|2097152:3..36 u8:8192|2097152:0..16 u16:8192|2097152 >u8:409600|104857600
//
// The last stage of a zstd decompressor: sequences (literal length, match
// length, offset) are executed, with a raw-content dictionary before every
// block.  A work-group of 32 produces one block, sequence by sequence.

#define SEQUENCES     64
#define DICT_SIZE     65536
#define LITERALS_MAX  (SEQUENCES * 15)
#define BLOCK_STRIDE  (SEQUENCES * (15 + 35))

// Offset codes: 2^code + extra bits; values up to 3 are repeated offsets,
// whose meaning is shifted by one if there are no literals.
uint decode_offset(uint code, uint extra, uint literal_length, uint rep[3])
{
  const uint value = (1u << code) + (extra & ((1u << code) - 1u));
  uint offset;
  if (value > 3) {
    offset = value - 3;
    rep[2] = rep[1];
    rep[1] = rep[0];
  } else {
    const uint index = value - 1 + (literal_length == 0 ? 1 : 0);
    if (index == 0)
      return rep[0];
    if (index == 3)
      offset = max(rep[0] - 1, 1u);
    else
      offset = rep[index];
    if (index != 1)
      rep[2] = rep[1];
    rep[1] = rep[0];
  }
  rep[0] = offset;
  return offset;
}

__kernel void execute_sequences(__global const uchar* dictionary,
                                __global const uchar* literals,
                                __global const uchar* literal_lengths,
                                __global const uchar* match_lengths,
                                __global const uchar* offset_codes,
                                __global const ushort* offset_bits,
                                __global uchar* output)
{
  const uint lane = get_local_id(0);
  const uint lanes = get_local_size(0);
  const size_t block = get_group_id(0);

  __global const uchar* lit = literals + block * LITERALS_MAX;
  __global uchar* out = output + block * BLOCK_STRIDE;
  uint rep[3] = {1, 4, 8};
  uint produced = 0;

  for (uint s = 0; s < SEQUENCES; ++s) {
    const size_t at = block * SEQUENCES + s;
    const uint literal_length = literal_lengths[at];
    const uint match_length = match_lengths[at];
    const uint offset = decode_offset(offset_codes[at], offset_bits[at], literal_length, rep);

    for (uint i = lane; i < literal_length; i += lanes)
      out[produced + i] = lit[i];
    lit += literal_length;
    produced += literal_length;
    barrier(CLK_GLOBAL_MEM_FENCE);

    // A match may overlap itself: it is then periodic.
    for (uint i = lane; i < match_length; i += lanes) {
      const uint back = offset - i % offset;
      out[produced + i] = back > produced ? dictionary[DICT_SIZE + produced - back]
                                          : out[produced - back];
    }
    produced += match_length;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
