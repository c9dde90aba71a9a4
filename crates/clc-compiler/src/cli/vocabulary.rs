//! The command and its options as data, for completions and the manual: from clap's, with both spellings of
//! long options and the values that clap does not know.

use clap::{Arg, Command, CommandFactory};
use clc_builtins::features::Extension;

use super::args::{Args, InspectArgs, LinkArgs};
use crate::{SpirvExtensions, TargetEnv};

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    /// One of these, or with an empty list any text.
    Value(Vec<String>),
    File,
    Folder,
}

/// An option, as a user may write it.
#[derive(Clone, Debug)]
pub(super) struct Opt {
    /// `-o`
    pub short: Option<char>,
    /// Without dashes: one and two are right.
    pub long: Option<String>,
    pub takes: Takes,
    /// What stands for the value in help.
    pub value_name: String,
    /// One line.
    pub help: String,
    pub heading: Option<String>,
}

impl Opt {
    /// All that stands for this option.
    pub(super) fn spellings(&self) -> Vec<String> {
        let short = self.short.iter().map(|letter| format!("-{letter}"));
        let long = self.long.iter().flat_map(|name| [format!("-{name}"), format!("--{name}")]);
        short.chain(long).collect()
    }
}

/// A command: `clc` itself, or what stands behind it.
pub(super) struct Entry {
    /// Empty for `clc` itself.
    pub name: &'static str,
    pub about: String,
    pub options: Vec<Opt>,
    /// How inputs end; `None` where there are no inputs.
    pub input: Option<&'static str>,
}

/// Shells that have completions.
pub(super) const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// The commands, `clc` itself first.
pub(super) fn entries() -> Vec<Entry> {
    let of = |name, command: Command, input| Entry {
        name,
        about: command.get_about().map(ToString::to_string).unwrap_or_default(),
        options: options(&command),
        input: Some(input),
    };
    let plain =
        |name, about: &str, options| Entry { name, about: about.to_owned(), options, input: None };
    let format = Opt {
        short: None,
        long: Some("format".to_owned()),
        takes: Takes::Value(vec!["table".to_owned(), "json".to_owned()]),
        value_name: "FORMAT".to_owned(),
        help: "How to show it: table (default) or json".to_owned(),
        heading: None,
    };
    vec![
        of("", Args::command(), "cl"),
        of("link", LinkArgs::command(), "spv"),
        of("inspect", InspectArgs::command(), "spv"),
        Entry {
            input: Some("cl"),
            ..plain("clspv", "Takes the command line of clspv, as clvk writes it.", Vec::new())
        },
        plain(
            "doctor",
            "Finds drivers, says what they take and which options fit, and runs a vector add on each.",
            vec![format],
        ),
        plain("lsp", "Starts the language server.", Vec::new()),
        plain("completions", "Writes the completions of a shell.", Vec::new()),
        plain("man", "Writes the manual page of clc, for man.", Vec::new()),
    ]
}

fn options(command: &Command) -> Vec<Opt> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_positional());
    let mut options: Vec<Opt> = shown.map(option).collect();
    options.push(Opt {
        short: Some('h'),
        long: Some("help".to_owned()),
        takes: Takes::Nothing,
        value_name: String::new(),
        help: "Show the options".to_owned(),
        heading: None,
    });
    options
}

fn option(arg: &Arg) -> Opt {
    let takes = if !arg.get_action().takes_values() {
        Takes::Nothing
    } else {
        match arg.get_id().as_str() {
            "output" | "depend_file" | "force_includes" | "reflection" => Takes::File,
            "include_dirs" | "system_dirs" => Takes::Folder,
            id => Takes::Value(match values(id) {
                known if known.is_empty() => arg
                    .get_possible_values()
                    .iter()
                    .map(|value| value.get_name().to_owned())
                    .collect(),
                known => known,
            }),
        }
    };
    let value_names = arg.get_value_names().unwrap_or_default();
    Opt {
        short: arg.get_short(),
        long: arg.get_long().map(str::to_owned),
        takes,
        value_name: value_names.first().map(ToString::to_string).unwrap_or_default(),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default().replace('\n', " "),
        heading: arg.get_help_heading().map(str::to_owned),
    }
}

/// The values of options that clap takes for text.
fn values(id: &str) -> Vec<String> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect();
    match id {
        "standard" => words("CL1.0 CL1.1 CL1.2 CL2.0 CL3.0 CL3.1"),
        "target" => TargetEnv::all().map(|target| target.to_string()).collect(),
        "spirv_version" => words("1.0 1.1 1.2 1.3 1.4 1.5 1.6"),
        "address_bits" => words("32 64"),
        "opt_level" => words("0 1 2 3 s"),
        "limits" => words("shared= images=0 int8=0 storage8=0 storage16=0"),
        "extensions" => signed(Extension::all().map(Extension::name)),
        "spirv_extensions" => signed(SpirvExtensions::KNOWN.into_iter()),
        "warnings" => {
            let names = crate::codes::all()
                .filter(|code| code.id.starts_with('W'))
                // `#` begins a comment of shells.
                .filter(|code| !code.name.contains('#'))
                .flat_map(|code| [code.name.to_owned(), format!("no-{}", code.name)]);
            words("all extra everything error").into_iter().chain(names).collect()
        }
        "print_after" | "stop_after" => {
            let passes = clc_passes::PASSES.iter().map(|pass| pass.name);
            let mut names: Vec<String> = passes
                .chain(clc_legalise::STEPS.iter().map(|step| step.name))
                .map(str::to_owned)
                .collect();
            names.sort();
            names.dedup();
            names
        }
        "explain" => crate::codes::all().map(|code| code.id.to_owned()).collect(),
        _ => Vec::new(),
    }
}

fn signed(names: impl Iterator<Item = &'static str>) -> Vec<String> {
    let all: Vec<&str> = std::iter::once("all").chain(names).collect();
    all.iter().flat_map(|name| [format!("+{name}"), format!("-{name}")]).collect()
}
