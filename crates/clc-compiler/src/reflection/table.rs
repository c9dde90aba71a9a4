//! The description of a module as a table, for people.

use std::fmt::Write as _;

use clc_legalise::reflection::{
    self as host, Addressing, ArgumentKind as Passed, DataKind, Implicit, LiteralSampler,
    Reflection, Regions,
};
use clc_spirv::reflect::{
    Argument, ArgumentKind, Kernel, ModuleDescription, Place, PrintfString, Type, TypeKind,
    WorkGroupSize,
};

/// Text with headings and columns. Lines end in `\n`; nothing in it moves a terminal's cursor.
struct Table {
    text: String,
    color: bool,
}

/// A description as a table. `name` is what to call the module; headings are bold with `color`.
/// `reflection` is what hosts of Vulkan need besides, if it is known.
pub fn table(
    name: &str,
    description: &ModuleDescription,
    reflection: Option<&Reflection>,
    color: bool,
) -> String {
    let mut table = Table { text: String::new(), color };
    table.module(name, description);
    if let Some(regions) = reflection.and_then(|reflection| reflection.regions) {
        let size = match regions {
            Regions::OneSize => "all work-groups have one size",
            Regions::AnySize => "work-groups at the edge may be smaller",
        };
        table.field("regions", &format!("a launch may be cut, {size}"));
    }
    for kernel in &description.kernels {
        let mut passed = reflection.into_iter().flat_map(|reflection| &reflection.kernels);
        let passed = passed.find(|passed| passed.name == kernel.name);
        table.kernel(description, kernel, passed);
    }
    table.structs(description);
    table.rest(description, reflection);
    if let Some(reflection) = reflection {
        table.for_hosts(reflection);
    }
    table.text
}

/// A name of a module without what moves a terminal's cursor or turns its text around.
pub(crate) fn clean(text: &str) -> String {
    let is_harmless = |c: char| {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        !c.is_control() && !turns
    };
    if text.chars().all(is_harmless) {
        return text.to_owned();
    }
    let mut clean = String::new();
    for c in text.chars() {
        if is_harmless(c) {
            clean.push(c);
        } else {
            clean.extend(c.escape_default());
        }
    }
    clean
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { clean(text) }
}

fn or_unknown(text: &str) -> String {
    if text.is_empty() { "?".to_owned() } else { clean(text) }
}

fn number(value: Option<u64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

fn bytes(value: Option<u64>) -> String {
    match value {
        None => "unknown".to_owned(),
        Some(1) => "1 byte".to_owned(),
        Some(value) => format!("{value} bytes"),
    }
}

fn sizes(sizes: [u32; 3]) -> String {
    sizes.map(|size| size.to_string()).join(" x ")
}

impl Table {
    fn heading(&mut self, text: &str) {
        let text = clean(text);
        let _ = match self.color {
            true => writeln!(self.text, "\x1b[1m{text}\x1b[0m"),
            false => writeln!(self.text, "{text}"),
        };
    }

    fn field(&mut self, name: &str, value: &str) {
        let line = format!("  {name:<18}{}", clean(value));
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    /// A field whose value is a list, cut into lines.
    fn list(&mut self, name: &str, items: &[String]) {
        const WIDTH: usize = 100;
        let mut line = String::new();
        let mut name = name;
        for (index, item) in items.iter().enumerate() {
            let last = index + 1 == items.len();
            let item = if last { item.clone() } else { format!("{item},") };
            if !line.is_empty() && 20 + line.len() + item.len() >= WIDTH {
                self.field(name, &line);
                (name, line) = ("", String::new());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&item);
        }
        if !line.is_empty() {
            self.field(name, &line);
        }
    }

    /// Rows under a heading, in columns as wide as what is in them; numbers of the columns in `right`
    /// stand on the right.
    fn rows(&mut self, heading: &[&str], right: &[usize], rows: Vec<Vec<String>>) {
        // One long name does not push the others off the screen.
        const WIDEST: usize = 40;
        let heading: Vec<String> = heading.iter().map(|&text| text.to_owned()).collect();
        let rows: Vec<Vec<String>> = std::iter::once(heading).chain(rows).collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default().min(WIDEST)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &rows {
            let mut line = String::from("   ");
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                let _ = match right.contains(&column) {
                    true => write!(line, " {cell:>width$} "),
                    false => write!(line, " {cell:<width$} "),
                };
            }
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
    }

    fn module(&mut self, name: &str, description: &ModuleDescription) {
        let (major, minor) = description.version;
        let target = match description.target.name() {
            "opencl" => "OpenCL",
            _ => "Vulkan",
        };
        self.heading(&format!("{name}: SPIR-V {major}.{minor} for {target}"));
        self.field(
            "memory",
            &format!("{}, {}", description.addressing_model, description.memory_model),
        );
        let generator = &description.generator;
        match (generator.name, generator.id, generator.version) {
            (Some(name), _, version) => self.field("generator", &format!("{name} {version}")),
            (None, 0, 0) => {}
            (None, id, version) => self.field("generator", &format!("{id}, version {version}")),
        }
        if let Some(source) = &description.source {
            let mut text = match source.language.as_str() {
                // 102000 is 1.2.
                "OpenCL_C" if source.version >= 100_000 => {
                    let (major, minor) = (source.version / 100_000, source.version / 1000 % 100);
                    format!("OpenCL C {major}.{minor}")
                }
                language => format!("{language} {}", source.version),
            };
            if let Some(file) = &source.file {
                text.push_str(&format!(", {file}"));
            }
            self.field("source", &text);
        }
        self.list("capabilities", &description.capabilities);
        self.list("extensions", &description.extensions);
        self.list("instruction sets", &description.instruction_sets);
    }

    fn kernel(
        &mut self,
        description: &ModuleDescription,
        kernel: &Kernel,
        passed: Option<&host::Kernel>,
    ) {
        self.text.push('\n');
        let what = match kernel.execution_model.as_str() {
            "Kernel" | "GLCompute" => "kernel",
            other => other,
        };
        self.heading(&format!("{what} {}", kernel.name));
        match kernel.work_group_size {
            None => {}
            Some(WorkGroupSize::Fixed(size)) => {
                self.field("work-group size", &format!("{}, required", sizes(size)));
            }
            Some(WorkGroupSize::Constants { ids, default }) => {
                let texts: Vec<String> = ids
                    .iter()
                    .zip(default)
                    .map(|(id, default)| match id {
                        Some(id) => format!("constant {id} ({default})"),
                        None => default.to_string(),
                    })
                    .collect();
                self.field("work-group size", &texts.join(" x "));
            }
        }
        if let Some(host::WorkGroupSize::Constants { required: Some(size), .. }) =
            passed.map(|passed| passed.work_group_size)
        {
            self.field("", &format!("{}, required of the host", sizes(size)));
        }
        if let Some(hint) = kernel.work_group_size_hint {
            self.field("size hint", &sizes(hint));
        }
        if let Some(hint) = &kernel.vec_type_hint {
            self.field("type hint", hint);
        }
        if let Some(size) = kernel.sub_group_size {
            self.field("sub-group size", &size.to_string());
        }
        let is_other = |mode: &&String| {
            let shown =
                ["LocalSize", "LocalSizeId", "LocalSizeHint", "VecTypeHint", "SubgroupSize"];
            !shown.contains(&mode.split(' ').next().unwrap_or_default())
        };
        let modes: Vec<String> = kernel.execution_modes.iter().filter(is_other).cloned().collect();
        self.list("modes", &modes);
        let local = match passed {
            Some(passed) if passed.local_memory_per_item > 0 => {
                let each = passed.local_memory_per_item;
                format!("{} and {each} for each work-item", bytes(Some(passed.local_memory.into())))
            }
            Some(passed) => bytes(Some(passed.local_memory.into())),
            None if kernel.local_memory_specialized => format!(
                "{} if specialization constants have their defaults",
                bytes(kernel.local_memory)
            ),
            None => bytes(kernel.local_memory),
        };
        self.field("local memory", &local);
        let registers = match kernel.private_registers {
            Some(0) | None => String::new(),
            Some(1) => " (1 register)".to_owned(),
            Some(count) => format!(" ({count} registers)"),
        };
        self.field("private memory", &(bytes(kernel.private_memory) + &registers));
        // Shaders of other languages have descriptors and no arguments.
        let may_have_arguments = kernel.execution_model == "GLCompute"
            && description.source.as_ref().is_none_or(|source| source.language.contains("OpenCL"));
        if !kernel.arguments_known && may_have_arguments {
            self.field("arguments", "unknown, the module does not say them");
        }
        if !kernel.arguments.is_empty() {
            self.field("arguments", "");
            let places: Vec<Option<String>> = match passed {
                Some(passed) => passed.arguments.iter().map(|one| Some(place_of(one))).collect(),
                None => kernel.arguments.iter().map(|one| one.place.map(place_text)).collect(),
            };
            let has_places = places.iter().any(Option::is_some);
            let rows = kernel.arguments.iter().enumerate();
            let rows = rows.map(|(index, argument)| {
                let mut row = argument_row(index, argument);
                if has_places {
                    let place = places.get(index).cloned().flatten();
                    row.push(place.unwrap_or_else(|| "-".to_owned()));
                }
                row
            });
            let heading = ["#", "name", "type", "address space", "access", "size", "align"];
            let mut heading = heading.to_vec();
            heading.push("qualifiers");
            heading.extend(has_places.then_some("where"));
            self.rows(&heading, &[0, 5, 6], rows.collect());
        }
        if !kernel.descriptors.is_empty() {
            self.field("descriptors", "");
            let rows = kernel.descriptors.iter().map(|descriptor| {
                vec![
                    descriptor.set.to_string(),
                    descriptor.binding.to_string(),
                    or_dash(&descriptor.name),
                    descriptor.kind.to_owned(),
                    clean(&description.type_text(&descriptor.ty)),
                ]
            });
            self.rows(&["set", "binding", "name", "kind", "type"], &[0, 1], rows.collect());
        }
        if let Some(ty) = &kernel.push_constants {
            let text = format!("{}, {}", description.type_text(ty), bytes(ty.size));
            self.field("push constants", &text);
        }
        if let Some(passed) = passed {
            let place = match passed.block_in_buffer {
                true => "in a buffer, whose address is the push constants",
                false => "the push constants",
            };
            self.field("argument block", &format!("{} bytes, {place}", passed.block_size));
            let implicits: Vec<String> = passed.implicit.iter().map(implicit_text).collect();
            self.list("besides arguments", &implicits);
            if passed.sub_groups {
                self.field("sub-groups", "full ones are needed");
            }
        }
    }

    fn structs(&mut self, description: &ModuleDescription) {
        for (index, record) in description.structs.iter().enumerate() {
            self.text.push('\n');
            let ty = Type {
                kind: TypeKind::Struct(index),
                dims: Vec::new(),
                size: record.size,
                align: record.align,
            };
            let text = description.type_text(&ty);
            let align = number(record.align);
            self.heading(&format!("{text}: {}, aligned to {align}", bytes(record.size)));
            let rows = record.members.iter().map(|member| {
                vec![
                    number(member.offset),
                    or_dash(&member.name),
                    clean(&description.type_text(&member.ty)),
                    number(member.ty.size),
                ]
            });
            self.rows(&["offset", "name", "type", "size"], &[0, 3], rows.collect());
        }
    }

    fn rest(&mut self, description: &ModuleDescription, reflection: Option<&Reflection>) {
        if !description.specialization_constants.is_empty() {
            self.text.push('\n');
            self.heading("specialization constants");
            let rows = description.specialization_constants.iter().map(|constant| {
                vec![
                    constant.id.to_string(),
                    or_dash(&constant.name),
                    clean(&description.type_text(&constant.ty)),
                    constant.default_text(),
                ]
            });
            self.rows(&["id", "name", "type", "default"], &[0], rows.collect());
        }
        let of_host = reflection.map(|reflection| {
            let formats = reflection.printf_formats.iter();
            let formats = formats.map(|format| (Some(format.id), format.string.clone()));
            formats.map(|(id, string)| PrintfString { id, string }).collect()
        });
        let formats: Vec<PrintfString> =
            of_host.unwrap_or_else(|| description.printf_formats.clone());
        if !formats.is_empty() {
            self.text.push('\n');
            self.heading("formats of printf");
            for PrintfString { id, string } in &formats {
                let id = id.map(|id| format!("{id}: ")).unwrap_or_default();
                let string = String::from_utf8_lossy(string);
                let _ = writeln!(self.text, "    {id}\"{}\"", string.escape_debug());
            }
        }
        for (is_export, heading) in [(true, "exports"), (false, "imports")] {
            let symbols =
                || description.symbols.iter().filter(|symbol| symbol.is_export == is_export);
            if symbols().next().is_none() {
                continue;
            }
            self.text.push('\n');
            self.heading(heading);
            for symbol in symbols() {
                let kind = if symbol.is_function { "function" } else { "variable" };
                let _ = writeln!(self.text, "    {kind:<10}{}", clean(&symbol.name));
            }
        }
        if !description.notes.is_empty() {
            self.text.push('\n');
            self.heading("not understood");
            for note in &description.notes {
                let _ = writeln!(self.text, "    {}", clean(note));
            }
        }
    }

    /// What hosts of Vulkan make once for all kernels.
    fn for_hosts(&mut self, reflection: &Reflection) {
        if !reflection.program_data.is_empty() {
            self.text.push('\n');
            self.heading("program data");
            let rows = reflection.program_data.iter().enumerate().map(|(index, data)| {
                let kind = match data.kind {
                    DataKind::Constant => "constant",
                    DataKind::Global => "global",
                };
                let names: Vec<String> =
                    data.variables.iter().map(|one| clean(&one.name)).collect();
                let size = data.contents.len().to_string();
                let align = data.align.to_string();
                vec![index.to_string(), kind.to_owned(), size, align, names.join(", ")]
            });
            let heading = ["#", "kind", "size", "align", "variables"];
            self.rows(&heading, &[0, 2, 3], rows.collect());
        }
        if !reflection.samplers.is_empty() {
            self.text.push('\n');
            self.heading("samplers of the source");
            let rows = reflection.samplers.iter().map(sampler_row);
            let heading = ["set", "binding", "coordinates", "addressing", "filter"];
            self.rows(&heading, &[0, 1], rows.collect());
        }
    }
}

fn sampler_row(sampler: &LiteralSampler) -> Vec<String> {
    let addressing = match sampler.addressing {
        Addressing::ClampToEdge => "clamp to edge",
        Addressing::Clamp => "clamp",
        Addressing::Repeat => "repeat",
        Addressing::MirroredRepeat => "mirrored repeat",
    };
    vec![
        sampler.at.set.to_string(),
        sampler.at.binding.to_string(),
        if sampler.normalized { "normalized" } else { "of texels" }.to_owned(),
        addressing.to_owned(),
        if sampler.linear { "linear" } else { "nearest" }.to_owned(),
    ]
}

/// Where the host of a shader puts an argument.
fn place_of(argument: &host::Argument) -> String {
    match argument.kind {
        Passed::Buffer { offset, .. } | Passed::Value { offset, .. } => {
            format!("argument block, {offset}")
        }
        Passed::Local { constant, element_size } => {
            place_text(Place::Elements { constant, element_size })
        }
        Passed::Image { at, .. } | Passed::Sampler { at, always_normalized: false } => {
            place_text(Place::Descriptor { set: at.set, binding: at.binding })
        }
        Passed::Sampler { at, always_normalized: true } => {
            format!("set {}, binding {}, normalized", at.set, at.binding)
        }
    }
}

fn place_text(place: Place) -> String {
    match place {
        Place::Descriptor { set, binding } => format!("set {set}, binding {binding}"),
        Place::InBuffer { set, binding, offset, size: _ } => {
            format!("set {set}, binding {binding}, offset {offset}")
        }
        Place::PushConstants { offset, size: _ } => format!("push constants, {offset}"),
        Place::Elements { constant, element_size } => {
            format!("constant {constant} times {element_size}")
        }
    }
}

/// What the host adds to the arguments, and where.
fn implicit_text(implicit: &Implicit) -> String {
    let (what, offset) = match *implicit {
        Implicit::GlobalOffset { offset } => ("global offset".to_owned(), offset),
        Implicit::GlobalSize { offset } => ("global size".to_owned(), offset),
        Implicit::EnqueuedLocalSize { offset } => ("enqueued local size".to_owned(), offset),
        Implicit::NumGroups { offset } => ("number of groups".to_owned(), offset),
        Implicit::RegionOffset { offset } => ("region offset".to_owned(), offset),
        Implicit::RegionGroupOffset { offset } => ("region group offset".to_owned(), offset),
        Implicit::WorkDim { offset } => ("work dim".to_owned(), offset),
        Implicit::PrintfBuffer { offset } => ("printf buffer".to_owned(), offset),
        Implicit::ImageChannelOrder { argument, offset } => {
            (format!("channel order of argument {argument}"), offset)
        }
        Implicit::ImageChannelDataType { argument, offset } => {
            (format!("channel data type of argument {argument}"), offset)
        }
        Implicit::ImageQuery { query, argument, offset } => {
            let what = query.name().replace('_', " ");
            (format!("{what} of argument {argument}"), offset)
        }
        Implicit::SamplerBits { argument, offset } => {
            (format!("bits of sampler {argument}"), offset)
        }
        Implicit::ProgramData { index, offset } => (format!("program data {index}"), offset),
    };
    format!("{what} at {offset}")
}

fn argument_row(index: usize, argument: &Argument) -> Vec<String> {
    let is_opaque = matches!(argument.ty.kind, TypeKind::Opaque(_)) && argument.ty.size.is_none();
    let layout = |value: Option<u64>| if is_opaque { "-".to_owned() } else { number(value) };
    let no_access = match argument.kind {
        ArgumentKind::Image | ArgumentKind::Pipe => "?",
        _ => "-",
    };
    vec![
        index.to_string(),
        or_unknown(&argument.name),
        or_unknown(&argument.type_name),
        argument.address_space.map_or("?", |space| space.name()).to_owned(),
        argument.access.map_or(no_access, |access| access.name()).to_owned(),
        layout(argument.ty.size),
        layout(argument.ty.align),
        clean(&argument.type_qualifiers),
    ]
}
