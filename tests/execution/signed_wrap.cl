// Sums of signed numbers that do not fit, which `-fwrapv` gives a meaning.
//@ options -fwrapv
//@ kernel wraps
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = -2147483648
//@ arg buffer int[16] = zero
//@ result 2 = 1257 1014 771 528 2285 2042 1799 1556 1313 2070 1827 1584 1341 1098 855 612
kernel void wraps(global const int *in, int start, global int *out)
{
    int i = start + (int)get_global_id(0), least = INT_MIN;
    out[get_global_id(0)] = in[i + (INT_MIN + 4)] + 2 * in[i - (least - 9)];
}
