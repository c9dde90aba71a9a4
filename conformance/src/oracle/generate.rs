//! All variations, in a fixed order.

use std::collections::HashSet;

use crate::{builtins, declarations, expressions, pointers, statements};

/// What the variations use.
pub const PRELUDE: &str = "\
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef struct { int a; float b; } S; typedef union { int a; float b; } U;
typedef enum { A, B } E; typedef int I; typedef struct { int a; int t[3]; } R;";

/// A small translation unit on one line.
pub struct Variation {
    pub family: &'static str,
    pub source: String,
}

/// Collects variations. In a text, `$` stands for a number that no other variation has, so that
/// thousands of them can be in one file.
pub struct Collector {
    out: Vec<Variation>,
    seen: HashSet<String>,
}

impl Collector {
    pub fn add(&mut self, family: &'static str, text: &str) {
        debug_assert!(!text.contains('\n'), "{text}");
        if !self.seen.insert(text.to_owned()) {
            return;
        }
        let number = self.out.len().to_string();
        self.out.push(Variation { family, source: text.replace('$', &number) });
    }

    /// The statements as the body of a function with these parameters.
    pub fn body(&mut self, family: &'static str, parameters: &str, statements: &str) {
        self.add(family, &format!("void f$({parameters}) {{ {statements} }}"));
    }

    /// The statements as the body of a kernel with these parameters.
    pub fn kernel(&mut self, family: &'static str, parameters: &str, statements: &str) {
        self.add(family, &format!("kernel void k$({parameters}) {{ {statements} }}"));
    }
}

pub fn variations() -> Vec<Variation> {
    let mut collector = Collector { out: Vec::new(), seen: HashSet::new() };
    declarations::generate(&mut collector);
    pointers::generate(&mut collector);
    expressions::generate(&mut collector);
    statements::generate(&mut collector);
    builtins::generate(&mut collector);
    collector.out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_are_many_and_each_has_a_line() {
        let variations = variations();
        assert!(variations.len() > 3000, "{}", variations.len());
        assert!(variations.iter().all(|v| !v.source.contains(['\n', '$'])));
    }
}
