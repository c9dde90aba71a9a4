//! Every diagnostic code of every crate, for `--explain` and the documentation.

use clc_base::Code;

/// The facade's own codes.
pub static E0901: Code = Code::error(
    "E0901",
    "too-many-errors",
    "\
The source has more errors than the limit (100, or what `--error-limit` says). The errors behind \
the limit are counted, not shown: most of the time the first few are the cause of the others.

`--error-limit=0` shows all of them.
",
);

/// `-cl-ext=` names an extension that is not known.
pub static E0902: Code = Code::error(
    "E0902",
    "unknown-extension-option",
    "\
`-cl-ext=` takes a comma-separated list of extensions and features, each with `+` (the target has \
it) or `-` (the target lacks it); `+all` and `-all` mean every one that is known. The names are \
those of the macros: `cl_khr_fp64`, `__opencl_c_generic_address_space`.

```text
clc -cl-ext=-all,+cl_khr_fp64 kernel.cl
```
",
);

static OWN: &[&Code] = &[&E0901, &E0902];

/// The codes of each crate, in the order of the stages.
fn families() -> [&'static [&'static Code]; 5] {
    [clc_syntax::diagnostics::CODES, clc_sema::CODES, clc_lower::CODES, clc_legalise::CODES, OWN]
}

/// Every code there is.
pub fn all() -> impl Iterator<Item = &'static Code> {
    families().into_iter().flatten().copied()
}

/// The code named by `text`: an identifier (`E0312`, in any case) or a name.
pub fn find(text: &str) -> Option<&'static Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(text) || code.name == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut ids: Vec<&str> = all().map(|code| code.id).collect();
        ids.sort_unstable();
        for pair in ids.windows(2) {
            assert_ne!(pair[0], pair[1], "two diagnostics share a code");
        }
        for code in all() {
            assert!(!code.explain.trim().is_empty(), "{} has no explanation", code.id);
            // `-W#warnings` is what other compilers call it.
            let name = code.name.trim_start_matches('#');
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.'),
                "{}: `{}` is not in kebab case",
                code.id,
                code.name
            );
        }
    }
}
