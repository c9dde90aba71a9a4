//! Kernels that call one function in all vector widths over columns of arguments.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::builtins::inputs::Inputs;
use crate::builtins::run::{Argument, Kernel};
use crate::builtins::value::{Value, suffix, vector};
use crate::builtins::want::Want;
use crate::data::Element;

/// How a parameter's type follows from the width of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A vector of the call's width.
    Vector(Element),
    /// A scalar, whatever the width: the first of a vector's arguments.
    Splat(Element),
    /// A vector of a width of its own; the column has so many values for each call.
    Fixed(Element, usize),
}

impl Parameter {
    pub fn element(self) -> Element {
        match self {
            Parameter::Vector(element)
            | Parameter::Splat(element)
            | Parameter::Fixed(element, _) => element,
        }
    }
}

/// The width of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Same,
    One,
    Fixed(usize),
}

/// Address spaces of a pointer to a second result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Private,
    Local,
    Global,
    Generic,
}

/// For the arguments of one call (a slice for each parameter), what each result's components
/// may be.
pub type Reference = Box<dyn Fn(&[&[Value]]) -> Vec<Vec<Want>> + Send + Sync>;

pub struct Function {
    /// The call's name; `{n}` stands for the width. A `(` makes it an expression, in which
    /// `{0}`, `{1}` are the arguments.
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The value, and what the pointers that follow the parameters point to afterwards.
    pub results: Vec<(Element, Width)>,
    pub space: Space,
    pub widths: &'static [usize],
    pub inputs: Arc<Inputs>,
    pub reference: Reference,
}

pub const ALL_WIDTHS: &[usize] = &[1, 2, 3, 4, 8, 16];
pub const VECTOR_WIDTHS: &[usize] = &[2, 3, 4, 8, 16];
pub const SCALAR: &[usize] = &[1];

/// A reference that takes one component at a time.
pub fn each(reference: impl Fn(&[Value]) -> Want + Send + Sync + 'static) -> Reference {
    each_of(move |arguments| vec![reference(arguments)])
}

/// As [`each`], for several results.
pub fn each_of(reference: impl Fn(&[Value]) -> Vec<Want> + Send + Sync + 'static) -> Reference {
    Box::new(move |arguments| {
        let width = arguments.iter().map(|argument| argument.len()).max().unwrap_or(1);
        let mut results: Vec<Vec<Want>> = Vec::new();
        for component in 0..width {
            let values: Vec<Value> = arguments
                .iter()
                .map(|argument| argument.get(component).or(argument.last()).copied())
                .collect::<Option<_>>()
                .unwrap_or_default();
            for (index, want) in reference(&values).into_iter().enumerate() {
                match results.get_mut(index) {
                    Some(result) => result.push(want),
                    None => results.push(vec![want]),
                }
            }
        }
        results
    })
}

impl Function {
    /// A function of vectors of one element type.
    pub fn new(
        name: &str,
        parameters: &[Parameter],
        result: Element,
        inputs: &Arc<Inputs>,
        reference: Reference,
    ) -> Function {
        Function {
            name: name.to_owned(),
            parameters: parameters.to_vec(),
            results: vec![(result, Width::Same)],
            space: Space::Private,
            widths: ALL_WIDTHS,
            inputs: Arc::clone(inputs),
            reference,
        }
    }

    pub fn widths(self, widths: &'static [usize]) -> Function {
        Function { widths, ..self }
    }

    pub fn result_width(mut self, width: Width) -> Function {
        self.results[0].1 = width;
        self
    }

    /// `name` in messages: `clamp(short, short)`.
    pub fn title(&self) -> String {
        let mut parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| match *parameter {
                Parameter::Vector(element) => format!("{}n", vector(element, 1)),
                Parameter::Splat(element) => vector(element, 1),
                Parameter::Fixed(element, width) => vector(element, width),
            })
            .collect();
        for (element, _) in &self.results[1..] {
            let space = match self.space {
                Space::Private => "private",
                Space::Local => "local",
                Space::Global => "global",
                Space::Generic => "generic",
            };
            parameters.push(format!("{space} {}n*", vector(*element, 1)));
        }
        format!("{}({})", self.name, parameters.join(", "))
    }

    fn result_width_in(&self, result: usize, width: usize) -> usize {
        match self.results[result].1 {
            Width::Same => width,
            Width::One => 1,
            Width::Fixed(width) => width,
        }
    }

    /// The kernel called `kernel`.
    pub fn kernel(self, kernel: &str) -> Kernel {
        let source = self.source(kernel);
        let mut arguments: Vec<Argument> = (0..self.parameters.len())
            .map(|column| Argument::Column(Arc::clone(&self.inputs), column))
            .collect();
        for (result, &(element, _)) in self.results.iter().enumerate() {
            let length: usize = self
                .widths
                .iter()
                .map(|&width| self.calls(width) * self.result_width_in(result, width))
                .sum();
            arguments.push(Argument::Output(length * element.size()));
        }
        if self.space == Space::Global {
            arguments.push(Argument::Output(256));
        }
        let title = self.title();
        let check = move |outputs: &[Vec<u8>], _: &str| self.check(outputs);
        Kernel::new(kernel, &title, source, arguments, Box::new(check))
    }

    /// Calls in one width: a column's values per call.
    fn per_call(parameter: Parameter, width: usize) -> usize {
        match parameter {
            Parameter::Vector(_) => width,
            // The column goes on by a vector, so that the arguments of a call stay together.
            Parameter::Splat(_) => width,
            Parameter::Fixed(_, fixed) => fixed,
        }
    }

    fn calls(&self, width: usize) -> usize {
        self.parameters
            .iter()
            .map(|&parameter| self.inputs.count() / Function::per_call(parameter, width))
            .min()
            .unwrap_or(0)
    }

    fn source(&self, kernel: &str) -> String {
        let mut parameters: Vec<String> = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            parameters.push(format!("global const {} *a{index}", vector(parameter.element(), 1)));
        }
        for (index, &(element, _)) in self.results.iter().enumerate() {
            parameters.push(format!("global {} *r{index}", vector(element, 1)));
        }
        if self.space == Space::Global {
            parameters.push("global double16 *scratch".to_owned());
        }
        let mut text = format!("kernel void {kernel}({}) {{\n", parameters.join(", "));
        if self.space == Space::Local {
            // Declared where the language wants local variables.
            for &width in self.widths {
                for (index, &(element, _)) in self.results.iter().enumerate().skip(1) {
                    let ty = vector(element, self.result_width_in(index, width));
                    let _ = writeln!(text, "    local {ty} l{index}_{width};");
                }
            }
        }
        let mut offsets = vec![0; self.results.len()];
        for &width in self.widths {
            let calls = self.calls(width);
            let mut arguments: Vec<String> = Vec::new();
            for (index, &parameter) in self.parameters.iter().enumerate() {
                arguments.push(match parameter {
                    Parameter::Vector(_) => load(&format!("a{index}"), width),
                    Parameter::Splat(_) => format!("a{index}[i * {width}]"),
                    Parameter::Fixed(_, fixed) => load(&format!("a{index}"), fixed),
                });
            }
            let mut before = String::new();
            let mut after = String::new();
            for (index, &(element, _)) in self.results.iter().enumerate().skip(1) {
                let out = self.result_width_in(index, width);
                let ty = vector(element, out);
                let pointee = match self.space {
                    Space::Private => {
                        let _ = write!(before, "{ty} p{index}; ");
                        arguments.push(format!("&p{index}"));
                        format!("p{index}")
                    }
                    Space::Local => {
                        arguments.push(format!("&l{index}_{width}"));
                        format!("l{index}_{width}")
                    }
                    Space::Global => {
                        let _ = write!(
                            before,
                            "global {ty} *p{index} = (global {ty} *)(scratch + {}); ",
                            index - 1
                        );
                        arguments.push(format!("p{index}"));
                        format!("*p{index}")
                    }
                    Space::Generic => {
                        let _ = write!(before, "{ty} v{index}; {ty} *p{index} = &v{index}; ");
                        arguments.push(format!("p{index}"));
                        format!("v{index}")
                    }
                };
                after.push_str(&store(&pointee, out, index, offsets[index]));
            }
            let name = self.name.replace("{n}", &suffix(width));
            let call = if name.contains('(') {
                let mut call = name;
                for (index, argument) in arguments.iter().enumerate() {
                    call = call.replace(&format!("{{{index}}}"), argument);
                }
                call
            } else {
                format!("{name}({})", arguments.join(", "))
            };
            let out = self.result_width_in(0, width);
            let ty = vector(self.results[0].0, out);
            let _ = writeln!(
                text,
                "    for (uint i = 0; i < {calls}; i++) {{ {before}{ty} v = {call}; {}{after}}}",
                store("v", out, 0, offsets[0]),
            );
            for (index, offset) in offsets.iter_mut().enumerate() {
                *offset += calls * self.result_width_in(index, width);
            }
        }
        text.push_str("}\n");
        text
    }

    fn check(&self, outputs: &[Vec<u8>]) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut offsets = vec![0; self.results.len()];
        for &width in self.widths {
            for call in 0..self.calls(width) {
                let arguments: Vec<&[Value]> = self
                    .parameters
                    .iter()
                    .zip(&self.inputs.columns)
                    .map(|(&parameter, column)| {
                        let step = Function::per_call(parameter, width);
                        let taken = match parameter {
                            Parameter::Splat(_) => 1,
                            Parameter::Vector(_) | Parameter::Fixed(..) => step,
                        };
                        &column[call * step..call * step + taken]
                    })
                    .collect();
                let wants = (self.reference)(&arguments);
                for (index, (wants, &(element, _))) in wants.iter().zip(&self.results).enumerate() {
                    let out = self.result_width_in(index, width);
                    for (component, want) in wants.iter().take(out).enumerate() {
                        let at = offsets[index] + call * out + component;
                        let got =
                            outputs.get(index).and_then(|bytes| Value::read(element, bytes, at));
                        if got.is_some_and(|got| want.allows(got)) {
                            continue;
                        }
                        complaints.push(format!(
                            "width {width}, result {index}, component {component}: arguments \
                             {arguments:?}, got {got:?}, want {want:?}"
                        ));
                    }
                }
            }
            for (index, offset) in offsets.iter_mut().enumerate() {
                *offset += self.calls(width) * self.result_width_in(index, width);
            }
        }
        complaints
    }
}

fn load(from: &str, width: usize) -> String {
    if width == 1 { format!("{from}[i]") } else { format!("vload{width}(i, {from})") }
}

fn store(value: &str, width: usize, result: usize, offset: usize) -> String {
    if width == 1 {
        format!("r{result}[{offset} + i] = {value}; ")
    } else {
        format!("vstore{width}({value}, i, r{result} + {offset}); ")
    }
}
