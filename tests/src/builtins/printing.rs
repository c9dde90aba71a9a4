//! `printf` (OpenCL C 6.15.14): conversions, flags, widths, precisions, lengths and vectors.

//@ section 6.15.14.2 6.15.14.3 in 3.0

use super::run::{Family, Kernel};

/// A call's arguments and what it prints.
const CALLS: &[(&str, &str)] = &[
    (r#""plain 100%%\n""#, "plain 100%"),
    (r#""%d %i\n", -42, 17"#, "-42 17"),
    (
        r#""[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42"#,
        "[   42] [42   ] [00042] [+42] [ 42]",
    ),
    (r#""[%.4d] [%8.4d] [%-8.4d]\n", 42, 42, -42"#, "[0042] [    0042] [-0042   ]"),
    (r#""%u %o %x %X\n", 4000000000u, 8u, 0xbeefu, 0xbeefu"#, "4000000000 10 beef BEEF"),
    (r#""%#o %#x %#X %#10x\n", 8u, 255u, 255u, 255u"#, "010 0xff 0XFF       0xff"),
    (
        r#""%hhd %hhu %hd %hu\n", (char)-3, (uchar)250, (short)-300, (ushort)65000"#,
        "-3 250 -300 65000",
    ),
    (
        r#""%ld %lu %lx\n", -5000000000L, 18446744073709551615UL, 0x123456789abcdefUL"#,
        "-5000000000 18446744073709551615 123456789abcdef",
    ),
    (
        r#""%f %.2f %10.3f|%-10.1f|\n", 1.5f, 3.14159f, 2.5f, 2.25f"#,
        "1.500000 3.14      2.500|2.2       |",
    ),
    (r#""%e %.3E\n", 12345.678f, 0.00012345f"#, "1.234568e+04 1.234E-04"),
    (r#""%g %G %g\n", 0.0001f, 1e10f, 100.0f"#, "0.0001 1E+10 100"),
    (r#""%a\n", 1.0f"#, "0x1p+0"),
    (r#""%f %f %F\n", INFINITY, -INFINITY, NAN"#, "inf -inf NAN"),
    (r#""%+.1f % .1f %08.2f\n", 2.5f, 2.5f, -3.25f"#, "+2.5  2.5 -0003.25"),
    (r#""%c%c%c|%3c|%-3c|\n", 'a', 'b', 'c', 'd', 'e'"#, "abc|  d|e  |"),
    (
        r#""%s [%8s] [%-8s] [%.3s]\n", "text", "right", "left", "cut off""#,
        "text [   right] [left    ] [cut]",
    ),
    (r#""%v4d\n", (int4)(1, -2, 3, -4)"#, "1,-2,3,-4"),
    (r#""%v2hld %v4hlx\n", (int2)(-7, 8), (uint4)(10, 11, 12, 255)"#, "-7,8 a,b,c,ff"),
    (
        r#""%v4hd %v8hhu\n", (short4)(1, 2, 3, -4), (uchar8)(1, 2, 3, 4, 5, 6, 7, 255)"#,
        "1,2,3,-4 1,2,3,4,5,6,7,255",
    ),
    (r#""%v2ld %v3lx\n", (long2)(-1, 9000000000L), (ulong3)(1, 2, 3)"#, "-1,9000000000 1,2,3"),
    (
        r#""%v4hlf %.1v2hlf\n", (float4)(1.0f, 2.5f, -3.0f, 0.5f), (float2)(1, 2)"#,
        "1.000000,2.500000,-3.000000,0.500000 1.0,2.0",
    ),
    (r#""%v2lf\n", (double2)(0.5, -8.25)"#, "0.500000,-8.250000"),
    (r#""%5.2v4hlf|\n", (float4)(1, 2, 3, 4)"#, " 1.00, 2.00, 3.00, 4.00|"),
    (
        r#""%v16hhx\n", (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)"#,
        "0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f",
    ),
    (r#""%lf %f\n", 0.1, (double)2.0f"#, "0.100000 2.000000"),
    (r#""%d\n", printf("inner\n")"#, "inner\n0"),
    (r#""two " "parts %d" "\n", 2"#, "two parts 2"),
    (r#""\x41\102\t|\\\"\n""#, "AB\t|\\\""),
];

pub fn family() -> Family {
    let mut kernels: Vec<Kernel> = Vec::new();
    for (call, want) in CALLS {
        let name = format!("k{}", kernels.len());
        let source = format!("kernel void {name}(void) {{ printf({call}); }}\n");
        let want = format!("{want}\n");
        let check = Box::new(move |_: &[Vec<u8>], printed: &str| {
            if printed == want {
                vec![]
            } else {
                vec![format!("printed {printed:?}, want {want:?}")]
            }
        });
        kernels.push(Kernel::new(&name, &format!("printf({call})"), source, Vec::new(), check));
    }
    Family::new("printf", "CL3.0", kernels)
}
