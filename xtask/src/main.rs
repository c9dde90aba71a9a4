//! The project's chores. `cargo xtask` lists them.
//!
//! Nothing here depends on the compiler's crates, so that a chore starts in a moment; what needs
//! the compiler is built and run by cargo as a program of its own.

mod architectures;
mod batch;
mod bench;
mod book;
mod clang_tests;
mod clean_root;
mod corpus;
mod coverage;
mod cts;
mod dependents;
mod dist;
mod editors;
mod first_steps;
mod fuzz;
mod growth;
mod kernels;
mod language_support;
mod litmus;
mod memory;
mod oracle;
mod order;
mod packages;
mod parser;
mod python;
mod quality;
mod release;
mod setup;
mod shell;
mod stats;
mod suites;
mod supply;
mod table;
mod test;
mod tidy;
mod vulkan;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  test                    bring in what is missing, then run every test there is
       [--guided]         and a minute of `fuzz --guided`
  architectures [NAME...] run the tests on the OpenCL driver with the code that it has for each kind
                          of processor: corei7, corei7-avx, core-avx2 and skx
  tidy                    check what the compiler cannot: dependency direction, purity of the
                          inner crates, diagnostics and their documentation
  tidy --write            also write docs/diagnostics anew
  corpus [NAME...]        compile real kernels and compare with the expected tables
         [--update]       write the expected tables anew
         [--sample N]     only every N-th unit
  bench                   compare with clang-22 as whole processes; writes docs/benchmarks.md
        [--small]         with small sources only, once, as the tests are compiled; writes nothing
  bench build             show what a clean build with clc-build costs
  bench batch             compile many sources in one call, on one core and on all
  bench memory [NAME...]  compare the most memory that the largest units of each corpus take with clang-22's
  bench growth            show that ten times the input takes at most twelve times as long
  bench parser            show how many tokens a second the grammar reads
  bench lsp               show how fast the language server answers
  bench table             show that the size of the library costs programs without it nothing
  order                   find the functions that small compilations call, which are linked side by side
  bench opencl            compare the run time of kernels compiled for OpenCL with what clang-22 and
                          the driver itself make of their source, on the driver of the tests
         [--system]       on the machine's own driver
         [--busy] [--small] [--rounds N] [--also FOLDER] [NAME...]
         [--kernels FOLDER]
                          kernels of one's own, whose first lines say how they are launched (docs/benchmarks.md)
  bench vulkan            compare the run time of kernels compiled for Vulkan with what the
                          OpenCL driver of the same device makes of their source
         [--on-lavapipe]  on the driver of the tests, which only shows that results are right
         [--small] [--vulkan-only] [--rounds N] [--kernels FOLDER] [NAME...]
         [--modules FOLDER] [--statistics] [--caches FOLDER]
                         other modules, and what the driver makes (docs/vulkan.md)
  bench matrices          compare products of large matrices by cooperative matrices with what the
                          OpenCL driver of the same GPU makes of a tiled kernel
         [--rounds N] [SIZE]
  cts --cts FOLDER        run Khronos' conformance suite, built in this folder, on the OpenCL driver
                          and compare with conformance/cts (docs/conformance.md)
      [--clvk FOLDER]     on Vulkan, through clvk, which was built in this folder
      [--system]          on the machine's own Vulkan driver
      [--as NAME]         what the driver is called in conformance/cts
      [--suite NAME]... [--subtest NAME]... [--jobs N] [--clc FILE]
      [--patience PERCENT] of the time limits
      [--resume]          take the results of an interrupted run that are newer than the compiler
      [--update]          write the expectations, and the tables of the page, anew
  dist                    build target/dist/clc: one static file, as it is measured and shipped
       [--check]          only link it, without optimization
       [--prefix FOLDER]  install it there, with libclc_compiler for C and the packages for CMake,
                          Meson and pkg-config
       [--archives]       what is given away, in target/dist: the archive, Debian packages, the wheel of
                          Python, the playground, the extension of VS Code, and the crates, which are
                          only listed
       [--reproducible]   compile it twice, in copies of the sources in different places, and compare the bytes
  packages                test what `dist` installs, with CMake, Meson and pkg-config
  clean-root              install the archive and the Debian packages in a root that holds a minimal Debian, as
                          root, and run them there; with their completions in bash, zsh and fish
  first-steps [NAME...]   go through sections of the guide, line by line, each in such a root
  python                  build the Python package, install it as pip does and test it
  book                    check the guide in docs/: links, kernels, commands
       [--write]          and make the messages in it anew
  web                     build target/web, a page that compiles in the browser
      [--test]            drive it in Chromium, from Debian, and compare with the command
  editors                 build target/editors/clc-opencl.vsix, the extension of VS Code, by npm
  coverage                count the lines of each crate that the tests run; writes conformance/coverage.txt
           [PART...]      show those without a run, of the last time, in files whose paths contain one of these
  fuzz                    compare with the driver's own compiler on random programs
       [--programs N] [--seed S]
       [--vulkan]         what clc makes for Vulkan, on a Vulkan driver
       [--keep FOLDER]    keep what runs there for the devices of other machines
       [--replay FOLDER]  run what was kept
       [--only NUMBER]    write one of the programs
       [--bytes N]        damage sources instead, and compile them; other damages are in docs/fuzzing.md
       [--guided [TARGET...] [--seconds N] [--jobs N] [--corpus FOLDER]]
                          inputs of libFuzzer, guided by the code that they reach
       [--record]         add a run that finds nothing to conformance/fuzz.txt
  litmus [PART...]        run litmus tests of the memory model on the OpenCL and the Vulkan driver, and compare with
                          what it allows; only those whose lines contain one of these (docs/fuzzing.md)
         [--door DOOR]    only opencl, or vulkan
         [--rounds N] [--instances N] [--sample N] [--level -O0] [--all]
         [--show]         only write the kernels
  supply                  check licences, sources and versions of other people's crates by deny.toml, and write the
                          bill of materials, target/dist/clc-VERSION.cdx.json
  supply semver           compare what the Rust crates offer with the last release, by cargo-semver-checks
         [--baseline REV] with this revision
  release --dry-run       check all that a release needs, and say what is missing; nothing is published
          [--quick]       but what is compiled for that alone: with the oldest Rust, and twice
  oracle                  compare what is legal with clang-22 on generated variations
       [--family NAME]    only the families whose name contains this
       [--all]            also list the disagreements that are explained
  clang-tests             compare errors with clang-22 on clang's own tests of OpenCL C, which are
                          downloaded (164 MB), and with conformance/clang-tests
              [--all]     also list the differences that are explained
              [--sample]  on a few of this repository instead
              [NAME...]   only tests whose path contains one of these
  suites [NAME...]        run the programs of piglit, oclgrind and pocl, which are downloaded, on the drivers, and
                          compare what does not pass with conformance/suites
         [--doors LIST]   only source, opencl, vulkan, opencl-O0, …; with commas
         [--sample N]     only every N-th program
         [--update]       write the counts, and lines for what is not listed
         [PART...]        only programs whose names contain one of these
  library                 compile a call of every overload that clang-22's header declares
          [--name NAME]   only functions whose names contain this
  setup                   only bring in the drivers and the corpora that the tests need
  setup vulkan            only the Vulkan driver
";

fn main() -> ExitCode {
    if let Some(code) = dependents::as_compiler() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test::run(false),
        ["test", "--guided"] => test::run(true),
        ["architectures", ref rest @ ..] => architectures::run(rest),
        ["tidy"] => tidy::run(false),
        ["tidy", "--write"] => tidy::run(true),
        ["corpus", ref rest @ ..] => corpus::run(rest),
        ["cts", ref rest @ ..] => cts::run(rest),
        ["coverage", ref rest @ ..] => coverage::coverage(rest),
        ["fuzz", ref rest @ ..] => fuzz::fuzz(rest),
        ["litmus", ref rest @ ..] => litmus::litmus(rest),
        ["suites", ref rest @ ..] => suites::suites(rest),
        ["clang-tests", ref rest @ ..] => clang_tests::run_tests(rest),
        ["oracle", ref rest @ ..] => oracle::run_oracle(rest),
        ["library", ref rest @ ..] => oracle::run_library(rest),
        ["bench"] => bench::run(),
        ["bench", "--small"] => bench::run_small(),
        ["bench", "parser"] => parser::run(),
        ["bench", "lsp"] => editors::bench(),
        ["bench", "table"] => table::run(),
        ["bench", "build"] => dependents::run(),
        ["bench", "batch"] => batch::run(),
        ["bench", "memory", ref names @ ..] => memory::run(names),
        ["bench", "growth"] => growth::run(),
        ["order"] => order::run(),
        ["bench", "opencl", ref rest @ ..] => kernels::on_opencl(rest),
        ["bench", "vulkan", ref rest @ ..] => kernels::on_vulkan(rest),
        ["bench", "matrices", ref rest @ ..] => kernels::of_matrices(rest),
        ["dist", "--reproducible"] => dist::check_reproducible(),
        ["release", "--dry-run"] => release::rehearse(false),
        ["release", "--dry-run", "--quick"] => release::rehearse(true),
        ["supply"] => supply::run(),
        ["supply", "semver"] => supply::semver::run(None),
        ["supply", "semver", "--baseline", revision] => supply::semver::run(Some(revision)),
        ["editors"] => editors::build().map(|file| println!("{}", file.display())),
        ["dist"] => dist::build().map(drop),
        ["dist", "--check"] => dist::check(),
        ["dist", "--prefix", folder] => dist::install(std::path::Path::new(folder)),
        ["dist", "--archives"] => dist::archives(),
        ["packages"] => packages::run(),
        ["book"] => book::run(false),
        ["book", "--write"] => book::run(true),
        ["clean-root"] => clean_root::run(),
        ["first-steps", ref names @ ..] => first_steps::run(names),
        ["guided"] => fuzz::guided_briefly(),
        ["python"] => python::run(),
        ["web", ref rest @ ..] => web::command(rest),
        ["setup"] => setup::everything().map(drop),
        ["setup", "vulkan"] => vulkan::driver().map(|folder| println!("{}", folder.display())),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown command `{}`\n\n{USAGE}", words.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
