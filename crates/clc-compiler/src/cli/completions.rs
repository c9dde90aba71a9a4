//! `clc completions SHELL`: what a shell needs to complete command lines of `clc`.
//!
//! Written here and not by clap_complete, which knows neither long options with one dash nor, for bash,
//! values behind `=`, and these are how OpenCL's options are spelled.

use std::fmt::Write as _;

use super::vocabulary::{Entry, Opt, SHELLS, Takes, entries};

/// The text for a shell, which a user loads or installs.
pub(super) fn completions(shell: Option<&str>) -> Result<String, String> {
    let entries = entries();
    Ok(match shell {
        Some("bash") => bash(&entries),
        Some("zsh") => zsh(&entries),
        Some("fish") => fish(&entries),
        Some("powershell") => powershell(&entries),
        Some("elvish") => elvish(&entries),
        Some(other) => {
            let known = clc_base::diagnostic::did_you_mean(other, SHELLS.into_iter());
            let guess = known.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            return Err(format!(
                "`{other}`: there are completions for {}{guess}",
                SHELLS.join(", ")
            ));
        }
        None => return Err(format!("name a shell: {}", SHELLS.join(", "))),
    })
}

fn names(entries: &[Entry]) -> Vec<&'static str> {
    entries.iter().map(|entry| entry.name).filter(|name| !name.is_empty()).collect()
}

/// Words of a list of alternatives: the spellings of an option, with `=` where one takes a value behind it.
fn words(option: &Opt) -> Vec<String> {
    let with_value = option.takes != Takes::Nothing;
    option
        .spellings()
        .into_iter()
        .map(|word| match with_value && is_long(&word) && takes_equals(option) {
            true => format!("{word}="),
            false => word,
        })
        .collect()
}

fn is_long(word: &str) -> bool {
    word.len() > 2
}

/// `-include FILE`, `-isystem FOLDER` and `-MF FILE` are written with a space everywhere.
fn takes_equals(option: &Opt) -> bool {
    !matches!(option.takes, Takes::Folder)
        && !matches!(option.long.as_deref(), Some("include" | "MF" | "MT"))
}

fn bash(entries: &[Entry]) -> String {
    let mut out =
        String::from("# Completions of clc for bash.\n\n_clc_options() {\n    case $1 in\n");
    for entry in entries {
        let all: Vec<String> = entry.options.iter().flat_map(words).collect();
        let pattern = if entry.name.is_empty() { "''" } else { entry.name };
        let _ = writeln!(out, "    {pattern}) printf '%s\\n' {} ;;", all.join(" "));
    }
    out.push_str("    esac\n}\n\n_clc_values() {\n    case $1:$2 in\n");
    for entry in entries {
        for option in &entry.options {
            let patterns: Vec<String> =
                option.spellings().iter().map(|word| format!("{}:{word}", entry.name)).collect();
            let values = match &option.takes {
                Takes::Value(values) => values.join(" "),
                Takes::Nothing | Takes::File | Takes::Folder => continue,
            };
            if !values.is_empty() {
                let _ = writeln!(out, "    {}) printf '%s\\n' {values} ;;", patterns.join("|"));
            }
        }
    }
    let _ = write!(
        out,
        r#"    completions:) printf '%s\n' {} ;;
    esac
}}

_clc() {{
    local command= cur head= line word
    # The whole word before the cursor: for readline `=` ends one, for clc it does not.
    line=${{COMP_LINE:0:COMP_POINT}}
    cur=${{line##*[[:space:]]}}
    for word in {}; do
        if [[ ${{COMP_WORDS[1]}} == "$word" && $COMP_CWORD -gt 1 ]]; then command=$word; fi
    done
    if [[ $cur == -*=* ]]; then
        head=${{cur%%=*}}=
        mapfile -t COMPREPLY < <(compgen -W "$(_clc_values "$command" "${{cur%%=*}}")" -- "${{cur#*=}}")
        if [[ ${{#COMPREPLY[@]}} -eq 0 ]]; then
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "${{cur#*=}}")
        fi
        if [[ $COMP_WORDBREAKS != *=* ]]; then COMPREPLY=("${{COMPREPLY[@]/#/$head}}"); fi
        return
    fi
    if [[ $cur == -[WO]* ]]; then
        head=${{cur:0:2}}
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$(_clc_values "$command" "$head")" -- "${{cur:2}}")
        if [[ ${{#COMPREPLY[@]}} -gt 0 ]]; then return; fi
    fi
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_clc_options "$command")" -- "$cur")
        if [[ ${{#COMPREPLY[@]}} -gt 0 && ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace; fi
        return
    fi
    word=${{COMP_WORDS[COMP_CWORD-1]}}
    mapfile -t COMPREPLY < <(compgen -W "$(_clc_values "$command" "$word")" -- "$cur")
    if [[ $command == completions ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_clc_values completions '')" -- "$cur")
    elif [[ $COMP_CWORD -eq 1 && -n $cur ]]; then
        mapfile -t COMPREPLY < <(compgen -W "{}" -- "$cur"; compgen -f -- "$cur")
        compopt -o filenames
    fi
}}

complete -o default -F _clc clc
"#,
        SHELLS.join(" "),
        names(entries).join(" "),
        names(entries).join(" "),
    );
    out
}

fn zsh(entries: &[Entry]) -> String {
    let mut out = String::from(
        "#compdef clc\n# Completions of clc for zsh.\n\n_clc() {\n    local command=\n    if (( CURRENT > 2 )); then\n",
    );
    let _ = writeln!(
        out,
        "        case $words[2] in\n        {}) command=$words[2] ;;\n        esac\n    fi",
        names(entries).join("|")
    );
    out.push_str(
        "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n        local -a commands=(\n",
    );
    for entry in entries.iter().filter(|entry| !entry.name.is_empty()) {
        let _ = writeln!(out, "            '{}:{}'", entry.name, zsh_text(&entry.about));
    }
    out.push_str("        )\n        _describe command commands\n    fi\n");
    out.push_str(
        "    if [[ -n $command ]]; then\n        words=(clc ${words[3,-1]})\n        (( CURRENT-- ))\n    fi\n    case $command in\n",
    );
    for entry in entries {
        let pattern = if entry.name.is_empty() { "''" } else { entry.name };
        let _ = writeln!(out, "    {pattern})\n        _arguments -S : \\");
        for option in &entry.options {
            let help = zsh_text(&option.help);
            let action = match &option.takes {
                Takes::Nothing => String::new(),
                Takes::File => format!(":{}:_files", option.value_name),
                Takes::Folder => format!(":{}:_files -/", option.value_name),
                Takes::Value(values) if values.is_empty() => {
                    format!(":{}: ", option.value_name.replace(':', ""))
                }
                Takes::Value(values) => {
                    format!(":{}:({})", option.value_name.replace(':', ""), values.join(" "))
                }
            };
            for word in option.spellings() {
                let kind = match (&option.takes, is_long(&word)) {
                    (Takes::Nothing, _) => "",
                    (_, true) if takes_equals(option) => "=",
                    (_, true) => "",
                    (_, false) => "+",
                };
                let _ = writeln!(out, "            '*{word}{kind}[{help}]{action}' \\");
            }
        }
        let inputs = match (entry.name, entry.input) {
            ("completions", _) => format!("'1:shell:({})'", SHELLS.join(" ")),
            (_, Some(extension)) => {
                format!("'*:input:_files -g \"*.{extension}(-.) *(-/)\"'")
            }
            (_, None) => "'*: : '".to_owned(),
        };
        let _ = writeln!(out, "            {inputs}\n        ;;");
    }
    out.push_str("    esac\n}\n\nif [[ $funcstack[1] == _clc ]]; then\n    _clc \"$@\"\nelse\n    compdef _clc clc\nfi\n");
    out
}

/// In single quotes, and in the brackets of `_arguments`.
fn zsh_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\'' => out.push_str("'\\''"),
            '[' | ']' | ':' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// A word of fish in quotes.
fn fish_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn fish(entries: &[Entry]) -> String {
    let all = names(entries).join(" ");
    let mut out = format!(
        "# Completions of clc for fish.\n\nfunction __clc_command\n    set -l words (commandline -opc)\n    \
         test (count $words) -gt 1; and contains -- $words[2] {all}; and echo $words[2]\nend\n\n\
         function __clc_is\n    test \"$(__clc_command)\" = \"$argv[1]\"\nend\n\n\
         function __clc_is_first\n    test (count (commandline -opc)) -eq 1\nend\n\n"
    );
    for entry in entries.iter().filter(|entry| !entry.name.is_empty()) {
        let about = fish_text(&entry.about);
        let _ = writeln!(out, "complete -c clc -n __clc_is_first -a {} -d {about}", entry.name);
    }
    let _ = writeln!(out, "complete -c clc -n '__clc_is completions' -f -a '{}'", SHELLS.join(" "));
    for entry in entries {
        for option in &entry.options {
            let _ = write!(
                out,
                "complete -c clc -n {}",
                fish_text(&format!("__clc_is '{}'", entry.name))
            );
            if let Some(letter) = option.short {
                let _ = write!(out, " -s {letter}");
            }
            if let Some(name) = &option.long {
                let _ = write!(out, " -l {name} -o {name}");
            }
            match &option.takes {
                Takes::Nothing => {}
                Takes::File => out.push_str(" -r -F"),
                Takes::Folder => out.push_str(" -x -a '(__fish_complete_directories)'"),
                Takes::Value(values) if values.is_empty() => out.push_str(" -x"),
                Takes::Value(values) => {
                    let _ = write!(out, " -x -a {}", fish_text(&values.join(" ")));
                }
            }
            let _ = writeln!(out, " -d {}", fish_text(&option.help));
        }
    }
    out
}

/// For shells that ask for all candidates: the command, the word, and what it means.
fn candidates(entries: &[Entry]) -> Vec<(&'static str, String, String)> {
    let mut all = Vec::new();
    for entry in entries {
        for option in &entry.options {
            for (word, bare) in words(option).into_iter().zip(option.spellings()) {
                if let (Takes::Value(values), true) = (&option.takes, word.ends_with('=')) {
                    all.extend(
                        values.iter().map(|value| {
                            (entry.name, format!("{bare}={value}"), option.help.clone())
                        }),
                    );
                }
                all.push((entry.name, word, option.help.clone()));
            }
        }
    }
    all
}

fn powershell(entries: &[Entry]) -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let mut out = String::from(
        "# Completions of clc for PowerShell.\n\nRegister-ArgumentCompleter -Native -CommandName clc -ScriptBlock {\n    \
         param($word, $tree, $position)\n    $command = ''\n    $words = $tree.CommandElements\n",
    );
    let list: Vec<String> = names(entries).iter().map(|name| quote(name)).collect();
    let _ = writeln!(
        out,
        "    $commands = @({})\n    if ($words.Count -gt 1 -and $commands -contains $words[1].ToString() -and \
         $words[1].Extent.EndOffset -lt $position) {{ $command = $words[1].ToString() }}",
        list.join(", ")
    );
    out.push_str("    $all = @(\n");
    for entry in entries.iter().filter(|entry| !entry.name.is_empty()) {
        let _ = writeln!(out, "        @('', {}, {})", quote(entry.name), quote(&entry.about));
    }
    for shell in SHELLS {
        let _ = writeln!(out, "        @('completions', '{shell}', '{shell}')");
    }
    for (command, word, help) in candidates(entries) {
        let _ = writeln!(out, "        @({}, {}, {})", quote(command), quote(&word), quote(&help));
    }
    out.push_str(
        "    )\n    $all | Where-Object { $_[0] -eq $command -and $_[1].StartsWith($word) } | ForEach-Object {\n        \
         [System.Management.Automation.CompletionResult]::new($_[1], $_[1], 'ParameterValue', $_[2])\n    }\n}\n",
    );
    out
}

fn elvish(entries: &[Entry]) -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let mut out = String::from(
        "# Completions of clc for elvish.\n\nset edit:completion:arg-completer[clc] = {|@words|\n    \
         var command = ''\n    var commands = [",
    );
    out.push_str(&names(entries).join(" "));
    out.push_str(
        "]\n    if (and (> (count $words) 2) (has-value $commands $words[1])) {\n        set command = $words[1]\n    }\n    \
         var all = [\n",
    );
    for entry in entries.iter().filter(|entry| !entry.name.is_empty()) {
        let _ = writeln!(out, "        ['' {} {}]", quote(entry.name), quote(&entry.about));
    }
    for shell in SHELLS {
        let _ = writeln!(out, "        [completions {shell} {shell}]");
    }
    for (command, word, help) in candidates(entries) {
        let _ = writeln!(out, "        [{} {} {}]", quote(command), quote(&word), quote(&help));
    }
    out.push_str(
        "    ]\n    for one $all {\n        if (eq $one[0] $command) {\n            \
         edit:complex-candidate $one[1] &display=$one[1]' ('$one[2]')'\n        }\n    }\n    \
         edit:complete-filename $words[-1]\n}\n",
    );
    out
}
