// @ utf8_lines 4096|524288 64 u8:524288|67108864:32..245 u8:4096|524288:64..129 >u16:589824|75497472 128
//
// Converts lines of UTF-8 to UTF-16. Bad sequences become U+FFFD, one for each
// maximal subpart (Unicode 15, 3.9, as browsers do it). The first unit of each
// output line is the number of units after it; the line may hold as many units
// as the input has bytes, plus this header (padded to 144).

#define REPLACEMENT 0xFFFDu
#define OUT_STRIDE  144

typedef struct Decoder {
    uint code;
    uint needed;
    uchar lower, upper;
} Decoder;

enum { MORE = 0, DONE, BAD, BAD_AGAIN };

static void reset(Decoder *d)
{
    d->code = 0;
    d->needed = 0;
    d->lower = 0x80;
    d->upper = 0xBF;
}

static int step(Decoder *d, uchar byte)
{
    if (d->needed == 0) {
        if (byte < 0x80) {
            d->code = byte;
            return DONE;
        } else if (byte >= 0xC2 && byte <= 0xDF) {
            d->needed = 1;
            d->code = byte & 0x1F;
        } else if (byte >= 0xE0 && byte <= 0xEF) {
            if (byte == 0xE0)
                d->lower = 0xA0;
            if (byte == 0xED)
                d->upper = 0x9F;
            d->needed = 2;
            d->code = byte & 0x0F;
        } else if (byte >= 0xF0 && byte <= 0xF4) {
            if (byte == 0xF0)
                d->lower = 0x90;
            if (byte == 0xF4)
                d->upper = 0x8F;
            d->needed = 3;
            d->code = byte & 0x07;
        } else {
            return BAD;
        }
        return MORE;
    }
    if (byte < d->lower || byte > d->upper) {
        reset(d);
        return BAD_AGAIN;
    }
    d->lower = 0x80;
    d->upper = 0xBF;
    d->code = (d->code << 6) | (byte & 0x3F);
    return --d->needed == 0 ? DONE : MORE;
}

static int put(__global ushort *out, int at, uint code)
{
    if (code >= 0x10000) {
        code -= 0x10000;
        out[at++] = (ushort)(0xD800 + (code >> 10));
        out[at++] = (ushort)(0xDC00 + (code & 0x3FF));
    } else {
        out[at++] = (ushort)code;
    }
    return at;
}

__kernel void utf8_lines(__global const uchar *text,
                         __global const uchar *lengths,
                         __global ushort *units,
                         int stride)
{
    const size_t line = get_global_id(0);
    const int length = lengths[line];
    text += line * stride;
    units += line * OUT_STRIDE;

    Decoder d;
    reset(&d);
    int at = 1;
    int i = 0;
    while (i < length) {
        switch (step(&d, text[i])) {
        case DONE:
            at = put(units, at, d.code);
            reset(&d);
            i++;
            break;
        case BAD:
            at = put(units, at, REPLACEMENT);
            i++;
            break;
        case BAD_AGAIN:         // this byte begins something new
            at = put(units, at, REPLACEMENT);
            break;
        default:
            i++;
        }
    }
    if (d.needed)
        at = put(units, at, REPLACEMENT);
    units[0] = (ushort)(at - 1);
}
