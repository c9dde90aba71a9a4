// SHA-256 of several messages by hashcat's own functions, against the host's digests.
//@ needs hashcat
//@ options -DKERNEL_STATIC -I {hashcat} -DINCLUDE_PATH={hashcat} -DXM2S(x)=#x -DM2S(x)=XM2S(x)
//@ options -DMAX_THREADS_PER_BLOCK=256 -DLOCAL_MEM_TYPE=1 -DVENDOR_ID=64 -DCUDA_ARCH=0 -DVECT_SIZE=1
//@ options -DDEVICE_TYPE=4 -DDGST_R0=0 -DDGST_R1=1 -DDGST_R2=2 -DDGST_R3=3 -DDGST_ELEM=4 -DKERN_TYPE=0
//@ options -DATTACK_EXEC=11 -DATTACK_KERN=0 -DATTACK_MODE=0 -DFIXED_LOCAL_SIZE=64
//@ options -DHAS_ADD=0 -DHAS_ADDC=0 -DHAS_SUB=0 -DHAS_SUBC=0 -DHAS_VADD=0 -DHAS_VADDC=0 -DHAS_VADD_CO=0
//@ options -DHAS_VADDC_CO=0 -DHAS_VSUB=0 -DHAS_VSUBB=0 -DHAS_VSUB_CO=0 -DHAS_VSUBB_CO=0 -DHAS_VPERM=0
//@ options -DHAS_VADD3=0 -DHAS_VBFE=0 -DHAS_BFE=0 -DHAS_LOP3=0 -DHAS_MOV64=0 -DHAS_PRMT=0 -DHAS_SHFW=0
//@ kernel sha256 known
//@ global 1
//@ arg buffer uchar[256] = text "abc"
//@ arg buffer int[1] = 3
//@ arg buffer uchar[32] = zero
//@ result 2 = 186 120 22 191 143 1 207 234 65 65 64 222 93 174 34 35 176 3 97 163 150 23 122 156 180 16 255 97 242 0 21 173
//@ kernel sha256 lengths
//@ global 8
//@ arg buffer uchar[2048] = random 99
//@ arg buffer int[8] = 0 1 55 56 63 64 65 200
//@ arg buffer uchar[256] = zero
//@ result 2 = host sha256
//@ kernel sha256 text
//@ global 1
//@ arg buffer uchar[256] = text "The quick brown fox jumps over the lazy dog"
//@ arg buffer int[1] = 43
//@ arg buffer uchar[32] = zero
//@ result 2 = host sha256
#include M2S(INCLUDE_PATH/inc_vendor.h)
#include M2S(INCLUDE_PATH/inc_types.h)
#include M2S(INCLUDE_PATH/inc_platform.cl)
#include M2S(INCLUDE_PATH/inc_common.cl)
#include M2S(INCLUDE_PATH/inc_hash_sha256.cl)

#define WORDS (32 / 4)

kernel void sha256(global const uchar *messages, global const int *lengths, global uchar *digests)
{
    const int i = get_global_id(0);
    global const uchar *message = messages + i * 256;
    const int length = lengths[i];
    u32 words[64];
    // The hash functions read whole blocks and expect zeros behind the message.
    for (int k = 0; k < 64; ++k) {
        u32 word = 0;
        for (int b = 0; b < 4; ++b)
            if (4 * k + b < length)
                word |= (u32)message[4 * k + b] << (24 - 8 * b);
        words[k] = word;
    }
    sha256_ctx_t ctx;
    sha256_init(&ctx);
    sha256_update(&ctx, words, length);
    sha256_final(&ctx);
    for (int k = 0; k < 4 * WORDS; ++k) {
        const int b = k & 3;
        digests[i * 4 * WORDS + k] = (uchar)(ctx.h[k / 4] >> (24 - 8 * b));
    }
}
