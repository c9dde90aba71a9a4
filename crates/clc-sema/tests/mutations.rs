//! One mistake, one error, at the mistake: programs that are right are damaged by one token, as
//! people damage them, and what is said of each is counted.
//!
//! The programs are the kernels of `tests/execution`. `docs/recovery.md` has the figures.
//! `CLC_MUTATIONS=FOLDER` writes the damaged programs there, the bytes of each between which the
//! mistake is (`places.txt`), and what is said of those that are reported badly (`bad.txt`).
//! `CLC_MUTATIONS_SEED=NUMBER` looks at four other samples.

use std::fmt::Write as _;
use std::path::Path;

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{SourceMap, Version};
use clc_builtins::{Extension, ExtensionSet, features};
use clc_sema::{LintOptions, SemaOptions};
use clc_syntax::parse::{ParseOptions, parse};
use clc_syntax::preprocess::{FileInput, NoIncludes, Options, preprocess};

/// How many damaged programs are looked at for each seed.
const PROGRAMS: usize = 2_000;

/// Where the choice of damages begins: several, since one choice alone is off by half a percent.
const SEEDS: [u64; 4] =
    [0x2545_f491_4f6c_dd1d, 0x1234_5678_9abc_def1, 0x9e37_79b9_7f4a_7c15, 0xdead_beef_0bad_f00d];

/// What a mistake can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    Deletion,
    Insertion,
    Swap,
    Misspelling,
}

const MISTAKES: [Mistake; 4] =
    [Mistake::Deletion, Mistake::Insertion, Mistake::Swap, Mistake::Misspelling];

/// Tokens that slip in.
const STRAY: &[&str] =
    &["(", ")", "[", "]", "{", "}", ";", ",", "=", "+", "*", ".", "1", "x", "int", "return"];

/// A token as a range of bytes.
type Range = std::ops::Range<usize>;

/// The tokens of a text without comments and directives.
fn tokens(text: &str) -> Vec<Range> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while at < bytes.len() {
        let rest = &text[at..];
        let byte = bytes[at];
        let length = if byte == b'\n' {
            line_begins = true;
            at += 1;
            continue;
        } else if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        } else if byte == b'#' && line_begins {
            // A directive, to the end of a line that is not continued.
            let mut end = 0;
            loop {
                end += rest[end..].find('\n').map_or(rest.len() - end, |found| found + 1);
                if end >= rest.len() || !rest[..end - 1].ends_with('\\') {
                    break;
                }
            }
            at += end;
            continue;
        } else if byte.is_ascii_alphanumeric() || byte == b'_' {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let is_number = byte.is_ascii_digit();
            rest.find(|c: char| !word(c) || (!is_number && c == '.')).unwrap_or(rest.len())
        } else if byte == b'"' || byte == b'\'' {
            let mut end = 1;
            while end < rest.len() && bytes[at + end] != byte {
                end += if bytes[at + end] == b'\\' { 2 } else { 1 };
            }
            (end + 1).min(rest.len())
        } else {
            let long = ["<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!="];
            let more = ["&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];
            let found = long.iter().chain(&more).find(|sign| rest.starts_with(**sign));
            found.map_or(1, |sign| sign.len())
        };
        line_begins = false;
        tokens.push(at..at + length);
        at += length;
    }
    tokens
}

/// The errors of a program: where each is, its code and message.
fn errors(text: &str) -> Vec<(usize, String)> {
    let mut extensions = ExtensionSet::default();
    for index in 0..features::NAMES.len() {
        extensions.insert(Extension(index as u16));
    }
    let version = Version::V3_0;
    let options = SemaOptions {
        version,
        extensions,
        address_bits: AddressBits::Bits64,
        float: FloatOptions::default(),
        strict_aliasing: true,
        signed_overflow_wraps: false,
    };
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let preprocessing = Options {
        version,
        extensions: options.extensions.clone(),
        image_support: true,
        ..Options::default()
    };
    let main = FileInput { name: "case.cl".to_owned(), bytes: text.as_bytes().to_vec() };
    let output = preprocess(main, &preprocessing, &mut NoIncludes, &mut map, &mut interner);
    let mut diagnostics = output.diagnostics;
    let (ast, found) = parse(&output.tokens, &mut interner, &ParseOptions { version });
    diagnostics.extend(found);
    // Lints look at what is left of a program, but errors alone are counted.
    let is_on = |_: &clc_base::Code| true;
    let lints = LintOptions { sources: &map, is_on: &is_on, uniform_work_groups: false };
    diagnostics.extend(clc_sema::check_and_lint(&ast, &options, Some(&lints), &mut interner).1);
    let place = |position: u32| map.resolve(clc_base::Span { lo: position, hi: position });
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            let start = place(diagnostic.primary.span.lo);
            let start = start.map_or(usize::MAX, |location| location.start as usize);
            (start, format!("{} {}", diagnostic.code.id, diagnostic.message))
        })
        .collect()
}

/// The damaged text, and the bytes in it where the mistake is: from the token before to the token
/// behind.
fn damage(
    text: &str,
    tokens: &[Range],
    index: usize,
    mistake: Mistake,
    random: usize,
) -> Option<(String, Range)> {
    let token = tokens[index].clone();
    let word = &text[token.clone()];
    let (replaced, new) = match mistake {
        Mistake::Deletion => (token, " ".to_owned()),
        Mistake::Insertion => {
            (token.start..token.start, format!(" {} ", STRAY[random % STRAY.len()]))
        }
        Mistake::Swap => {
            let next = tokens.get(index + 1)?.clone();
            let (between, other) = (&text[token.end..next.start], &text[next.clone()]);
            if word == other {
                return None;
            }
            (token.start..next.end, format!(" {other}{between} {word} "))
        }
        Mistake::Misspelling => {
            if !word.starts_with(|c: char| c.is_ascii_alphabetic()) || word.len() < 3 {
                return None;
            }
            let at = 1 + random % (word.len() - 2);
            let (a, b) = (&word[at..at + 1], &word[at + 1..at + 2]);
            if a == b {
                return None;
            }
            (token, format!("{}{b}{a}{}", &word[..at], &word[at + 2..]))
        }
    };
    let first = tokens[index.saturating_sub(1)].start;
    let last = if mistake == Mistake::Swap { index + 2 } else { index + 1 };
    let last = tokens.get(last).map_or(text.len(), |token| token.end);
    let grown = last + new.len() - replaced.len();
    let text = format!("{}{new}{}", &text[..replaced.start], &text[replaced.end..]);
    Some((text, first..grown))
}

/// Mixes two numbers.
fn mixed(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[test]
fn one_mistake_is_one_error_at_the_mistake() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/execution");
    let mut files: Vec<_> = std::fs::read_dir(kernels)
        .expect("the kernels of the execution tests")
        .map(|entry| entry.expect("an entry of a folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    let programs: Vec<(u64, String, Vec<Range>)> = files
        .iter()
        .map(|path| (path, std::fs::read_to_string(path).expect("a kernel")))
        .filter(|(_, text)| errors(text).is_empty())
        .map(|(path, text)| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let name = name.iter().fold(0, |hash, &byte| mixed(hash, u64::from(byte) + 1));
            let tokens = tokens(&text);
            (name, text, tokens)
        })
        .collect();
    assert!(programs.len() >= 40, "{} programs only", programs.len());

    let (mut damaged, mut single, mut near) = (0, 0, 0);
    let mut by_kind = [[0; 3]; MISTAKES.len()];
    let mut list = String::new();
    let mut places = String::new();
    let folder = std::env::var_os("CLC_MUTATIONS").map(std::path::PathBuf::from);
    let other = std::env::var("CLC_MUTATIONS_SEED").ok();
    let other: u64 = other.map_or(0, |text| text.parse().expect("a number"));
    for seed in SEEDS {
        let mut draw = mixed(seed, other);
        let end = damaged + PROGRAMS;
        while damaged < end {
            draw = mixed(draw, 1);
            // The kernel to which the draw and its own name give the least number: one more kernel changes only the draws
            // that it wins.
            let drawn = programs.iter().min_by_key(|(name, ..)| mixed(draw, *name));
            let (name, text, tokens) = drawn.expect("there are programs");
            let random = |number| mixed(draw ^ name, number) as usize;
            let kind = damaged % MISTAKES.len();
            let index = random(2) % tokens.len();
            let Some((broken, place)) = damage(text, tokens, index, MISTAKES[kind], random(3))
            else {
                continue;
            };
            let found = errors(&broken);
            // Some damage leaves a program that is right.
            let Some(first) = found.first() else { continue };
            if let Some(folder) = &folder {
                let name = folder.join(format!("{damaged}.cl"));
                std::fs::write(name, &broken).expect("a file can be written");
                let _ = writeln!(places, "{damaged} {} {}", place.start, place.end);
            }
            damaged += 1;
            let (is_single, is_near) = (found.len() == 1, place.contains(&first.0));
            single += usize::from(is_single);
            near += usize::from(is_near);
            by_kind[kind][0] += 1;
            by_kind[kind][1] += usize::from(is_single);
            by_kind[kind][2] += usize::from(is_near);
            if !is_single || !is_near {
                let line = |at: usize| broken[..at.min(broken.len())].matches('\n').count() + 1;
                let _ = writeln!(list, "{:?} `{}`", MISTAKES[kind], &broken[place.clone()]);
                for (at, message) in &found {
                    let _ = writeln!(
                        list,
                        "    {:+} {message}",
                        line(*at) as i64 - line(place.start) as i64
                    );
                }
            }
        }
    }
    let percent = |part: usize| part as f64 * 100.0 / damaged as f64;
    let (single, near) = (percent(single), percent(near));
    let text = format!("{single:.1} % exactly one error, {near:.1} % at the mistake; {by_kind:?}");
    println!("{text}");
    if let Some(folder) = &folder {
        std::fs::write(folder.join("bad.txt"), list).expect("a file can be written");
        std::fs::write(folder.join("places.txt"), places).expect("a file can be written");
    }
    assert!(single >= 97.0, "{text}");
    assert!(near >= 90.0, "{text}");
}

/// Syntax and semantics mixed; each line with a mistake says so.
const TWENTY: &str = r"
typedef struct { float x, y; int kind; } point;
uint32_t first(void);                                   // 1: unknown type
int second(int a int b);                                // 2: a comma is missing
struct pair { int left; int ; int right; };
constant int table[3] = { 1, 2, 3;                      // 3: a brace is missing
int third(float v) { return v.x; }                      // 4: no vector
kernel void work(global int *out, global const point *in, int n)
{
    int i = get_global_id(0)                            // 5: a semicolon is missing
    int a = in[i].knid;                                 // 6: no such member
    float b = * ;                                       // 7: no operand
    out[i] = b + undeclared;                            // 8: not declared
    for (int k = 0; k < n; k++ {                        // 9: a parenthesis is missing
        out[k] += k;
    }
    if (a == 3 {                                        // 10: a parenthesis is missing
        out[i] = 4;
    }
    out[i] = clampp(a, 0, 3);                           // 11: not declared
    point p = in;                                       // 12: a pointer is no struct
    p.x = dot(a, out);                                  // 13: no such overload
    float4 v = float4(1, 2, 3, 4);                      // 14: C++
    out[a + ] = 2;                                      // 15: no operand
    break;                                              // 16: not in a loop
    a = (a * 2;                                         // 17: a parenthesis is missing
    3 = a;                                              // 18: no lvalue
    return a;                                           // 19: kernels return nothing
}
int last(void) { goto nowhere; }                        // 20: no such label
";

#[test]
fn twenty_mistakes_are_twenty_errors() {
    let line = |at: usize| TWENTY[..at.min(TWENTY.len())].matches('\n').count() + 1;
    let mut found: Vec<(usize, String)> =
        errors(TWENTY).into_iter().map(|(at, message)| (line(at), message)).collect();
    found.sort();
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    let expected: Vec<usize> = (1..)
        .zip(TWENTY.lines())
        .filter(|(_, text)| text.contains(" // "))
        .map(|(line, _)| line)
        .collect();
    assert_eq!(expected.len(), 20);
    assert_eq!(lines, expected, "{found:#?}");
}
