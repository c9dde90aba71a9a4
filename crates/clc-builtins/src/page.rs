//! The library as a page to read.

mod descriptions;

use std::fmt::Write as _;

use crate::catalogue::Line;
use crate::prose;
use crate::table::CHAPTERS;

/// The heading of each chapter of the table.
const TITLES: [&str; CHAPTERS.len()] = [
    "Work-items",
    "Mathematics",
    "Integers",
    "Common functions",
    "Geometry",
    "Relations",
    "Shuffles and printf",
    "Barriers, fences, address spaces and asynchronous copies",
    "Atomics of OpenCL C 1.x",
    "Atomics of C11",
    "Images",
    "Work-group collectives",
    "Work-group arithmetic",
    "Sub-groups",
    "Sub-group arithmetic",
    "Sub-group arithmetic in divergent code",
    "Sub-group arithmetic in clusters",
    "Sub-groups of cl_intel_subgroups",
    "Cooperative matrices",
    "Pipes",
    "Enqueuing kernels from kernels",
    "Hints",
    "Specialization constants",
    "Media operations of AMD",
    "Functions of GNU C",
];

const HEAD: &str = "\
# Built-in functions

Every built-in function that the compiler knows, as its table has them. This page is written by
`cargo xtask tidy --write`.

A signature is written for `T`, which is any of the types in the second column, in any of the
widths. `S` is `T`'s element type, `sT` and `uT` are `T` with signed and unsigned elements, `wideT`
has elements of twice the size; `rel` is the result of a comparison, `intn` is `int` in `T`'s width,
`mask` has unsigned elements of `T`'s size in a width of its own, and `Tm` is `T` in that width.
`image`, `coord`, `fcoord`, `grad` and `dim` are an image of the listed kinds, its integer and
floating-point coordinates and gradients, and the vector of its dimensions. `half` and `double`
exist where cl_khr_fp16 and cl_khr_fp64 (or OpenCL C's feature) do.

Conversions `convert_T`, `convert_T_sat` and those with `_rte`, `_rtz`, `_rtp`, `_rtn` exist between
all arithmetic types of equal widths, `as_T` between all types of equal size. Vectors are loaded and
stored by `vloadn`, `vstoren`, and from and to half-precision memory by `vload_half`,
`vload_halfn`, `vloada_halfn`, `vstore_half`, `vstore_halfn`, `vstorea_halfn`, the stores also with
a rounding mode.

The error of a math function is the largest that OpenCL C 7.4 allows, in units in the last place, for `half`, `float`
and `double`; functions without a number are exact, or have none that is bounded (`lgamma`, `mad`). OpenCL drivers compute them as
they like. On Vulkan `clc` decides: the last column has the instruction of GLSL.std.450, or the file in
`crates/clc-builtins/lib` that a call of a function of `float` becomes; relaxed options choose faster ones.
";

/// The page, in Markdown.
pub fn catalogue() -> String {
    let mut page = HEAD.to_owned();
    for ((rows, title), section) in CHAPTERS.iter().zip(TITLES).zip(prose::SECTIONS) {
        let _ = write!(
            page,
            "\n## {title}\n\n{}\n{}\n| functions | signature | for | needs |\n|---|---|---|---|\n",
            descriptions::link(section),
            descriptions::table(rows),
        );
        // Functions that differ in their names only share a line; so do the element types of rows
        // that differ in these only, as signed and unsigned integers do.
        let mut lines: Vec<Line> = Vec::new();
        for row in *rows {
            let mut line = Line::new(row);
            if let Some(twin) = lines
                .iter_mut()
                .find(|other| other.names == line.names && other.same_but_elements(&line))
            {
                twin.elements = twin.elements.union(line.elements);
                continue;
            }
            match lines
                .iter_mut()
                .find(|other| other.elements == line.elements && other.same_but_elements(&line))
            {
                Some(sibling) => sibling.names.append(&mut line.names),
                None => lines.push(line),
            }
        }
        // A second time: rows whose elements were joined above can have become alike.
        let mut joined: Vec<Line> = Vec::new();
        for mut line in lines {
            match joined
                .iter_mut()
                .find(|other| other.elements == line.elements && other.same_but_elements(&line))
            {
                Some(sibling) => {
                    line.names.retain(|name| !sibling.names.contains(name));
                    sibling.names.append(&mut line.names);
                }
                None => joined.push(line),
            }
        }
        for line in joined {
            let names: Vec<String> = line.names.iter().map(|name| format!("`{name}`")).collect();
            let _ = writeln!(
                page,
                "| {} | `{}` | {} | {} |",
                names.join(" "),
                line.signature,
                line.types(),
                line.needs
            );
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;

    #[test]
    #[cfg_attr(feature = "doubled-table", ignore = "the page is of the table as it is written")]
    fn the_page_has_every_name_once_for_each_signature() {
        let page = catalogue();
        for row in &table::ROWS {
            assert!(page.contains(&format!("`{}`", row.name)), "{} is missing", row.name);
        }
        assert!(page.contains("| `clamp` | `T(T, S, S)` | all integers; vectors |  |"), "{page}");
    }
}
