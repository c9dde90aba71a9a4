// @ format_timestamps 65536|4194304 64 i64:65536|4194304:-62135596800000..253402300800000 i16:65536|4194304:-720..841 >u8:2097152|134217728

// Text of timestamps for a CSV writer: milliseconds since 1970 and the offset of a zone in
// minutes become "YYYY-MM-DDThh:mm:ss.mmm+hh:mm", the week day's number and a newline.
// Records of 32 bytes are put together in local memory and written as words.

#define RECORD   32
#define GROUP    64
#define MS_DAY   86400000L

#define FIRST    (-62135596800000L)     // year 1
#define LAST     253402300799999L       // year 9999

typedef struct {
    int year;
    uint month, day;
    uint weekday;       // Monday is 1
} civil_date;

// After Hinnant: the year begins in March, eras have 400 years.
static civil_date civil_from_days(long z)
{
    civil_date r;
    const long shifted = z + 719468;
    const long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const uint doe = (uint)(shifted - era * 146097);
    const uint yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const uint doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const uint mp = (5 * doy + 2) / 153;
    r.day = doy - (153 * mp + 2) / 5 + 1;
    r.month = mp < 10 ? mp + 3 : mp - 9;
    r.year = (int)yoe + (int)era * 400 + (r.month <= 2 ? 1 : 0);
    const long w = (z + 3) % 7;
    r.weekday = (uint)(w < 0 ? w + 7 : w) + 1;
    return r;
}

static void put(__local uchar *at, uint value, uint digits)
{
    while (digits-- > 0) {
        at[digits] = (uchar)('0' + value % 10);
        value /= 10;
    }
}

__kernel void format_timestamps(__global const long *times,
                                __global const short *zones,
                                __global uint *records)
{
    __local uint staging[GROUP * RECORD / 4];
    const uint lid = get_local_id(0);
    __local uchar *s = (__local uchar *)staging + lid * RECORD;

    const int zone = zones[get_global_id(0)];
    const long t = clamp(times[get_global_id(0)] + zone * 60000L, FIRST, LAST);

    long days = t / MS_DAY;
    long rest = t % MS_DAY;
    if (rest < 0) {
        rest += MS_DAY;
        days--;
    }
    const civil_date d = civil_from_days(days);
    const uint ms = (uint)rest;

    put(s, (uint)d.year, 4);
    s[4] = '-';
    put(s + 5, d.month, 2);
    s[7] = '-';
    put(s + 8, d.day, 2);
    s[10] = 'T';
    put(s + 11, ms / 3600000, 2);
    s[13] = ':';
    put(s + 14, ms / 60000 % 60, 2);
    s[16] = ':';
    put(s + 17, ms / 1000 % 60, 2);
    s[19] = '.';
    put(s + 20, ms % 1000, 3);
    s[23] = zone < 0 ? '-' : '+';
    put(s + 24, abs(zone) / 60, 2);
    s[26] = ':';
    put(s + 27, abs(zone) % 60, 2);
    s[29] = ' ';
    s[30] = (uchar)('0' + d.weekday);
    s[31] = '\n';
    barrier(CLK_LOCAL_MEM_FENCE);

    __global uint *out = records + get_group_id(0) * (GROUP * RECORD / 4);
    for (uint i = lid; i < GROUP * RECORD / 4; i += GROUP)
        out[i] = staging[i];
}
