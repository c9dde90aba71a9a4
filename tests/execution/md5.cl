// MD5 of several messages by hashcat's own functions, against the host's digests.
//@ needs hashcat
//@ options -DKERNEL_STATIC -I {hashcat} -DINCLUDE_PATH={hashcat} -DXM2S(x)=#x -DM2S(x)=XM2S(x)
//@ options -DMAX_THREADS_PER_BLOCK=256 -DLOCAL_MEM_TYPE=1 -DVENDOR_ID=64 -DCUDA_ARCH=0 -DVECT_SIZE=1
//@ options -DDEVICE_TYPE=4 -DDGST_R0=0 -DDGST_R1=1 -DDGST_R2=2 -DDGST_R3=3 -DDGST_ELEM=4 -DKERN_TYPE=0
//@ options -DATTACK_EXEC=11 -DATTACK_KERN=0 -DATTACK_MODE=0 -DFIXED_LOCAL_SIZE=64
//@ options -DHAS_ADD=0 -DHAS_ADDC=0 -DHAS_SUB=0 -DHAS_SUBC=0 -DHAS_VADD=0 -DHAS_VADDC=0 -DHAS_VADD_CO=0
//@ options -DHAS_VADDC_CO=0 -DHAS_VSUB=0 -DHAS_VSUBB=0 -DHAS_VSUB_CO=0 -DHAS_VSUBB_CO=0 -DHAS_VPERM=0
//@ options -DHAS_VADD3=0 -DHAS_VBFE=0 -DHAS_BFE=0 -DHAS_LOP3=0 -DHAS_MOV64=0 -DHAS_PRMT=0 -DHAS_SHFW=0
//@ kernel md5 known
//@ global 1
//@ arg buffer uchar[256] = text "abc"
//@ arg buffer int[1] = 3
//@ arg buffer uchar[16] = zero
//@ result 2 = 144 1 80 152 60 210 79 176 214 150 63 125 40 225 127 114
//@ kernel md5 lengths
//@ global 8
//@ arg buffer uchar[2048] = random 99
//@ arg buffer int[8] = 0 1 55 56 63 64 65 200
//@ arg buffer uchar[128] = zero
//@ result 2 = host md5
//@ kernel md5 text
//@ global 1
//@ arg buffer uchar[256] = text "The quick brown fox jumps over the lazy dog"
//@ arg buffer int[1] = 43
//@ arg buffer uchar[16] = zero
//@ result 2 = host md5
#include M2S(INCLUDE_PATH/inc_vendor.h)
#include M2S(INCLUDE_PATH/inc_types.h)
#include M2S(INCLUDE_PATH/inc_platform.cl)
#include M2S(INCLUDE_PATH/inc_common.cl)
#include M2S(INCLUDE_PATH/inc_hash_md5.cl)

#define WORDS (16 / 4)

kernel void md5(global const uchar *messages, global const int *lengths, global uchar *digests)
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
                word |= (u32)message[4 * k + b] << (8 * b);
        words[k] = word;
    }
    md5_ctx_t ctx;
    md5_init(&ctx);
    md5_update(&ctx, words, length);
    md5_final(&ctx);
    for (int k = 0; k < 4 * WORDS; ++k) {
        const int b = k & 3;
        digests[i * 4 * WORDS + k] = (uchar)(ctx.h[k / 4] >> (8 * b));
    }
}
