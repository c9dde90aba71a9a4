//! Random kernels without undefined behaviour, by construction:
//!
//! * signed sums are computed on the unsigned type, or on operands made small;
//! * divisors are made non-zero, and never -1 where the dividend is signed;
//! * indices are masked, loops count, every variable has an initializer;
//! * an expression that writes a variable is its only user until the next sequence point that ends
//!   a full expression ([`Generator::reads`], [`Generator::writes`]);
//! * work-items share local memory between barriers only, or by atomics whose order does not show;
//! * floating point keeps to operations that are rounded exactly, and neither a NaN's bits nor bytes
//!   of padding are looked into.

mod assignments;
mod contention;
mod expressions;
mod functions;
mod grid;
mod groups;
mod images;
mod kernel;
mod memory;
mod objects;
mod pointers;
mod prints;
mod statements;
mod structs;

use crate::random::Random;
use crate::tree::{Node, Piece, Role};
use crate::types::{INTEGERS, Scalar, Type, WIDTHS};

pub use grid::Grid;

/// Work-items, and how many make a group.
pub const GLOBAL: usize = 8;
pub const LOCAL: usize = 4;
/// Elements of the buffer that each work-item may write, each at most 128 bytes.
pub const OWN: usize = 4;
/// Words of the read-only buffers.
pub const WORDS: usize = 64;
/// Bytes of the buffer of structs that each work-item may write.
pub const RAW: usize = 1024;

/// The language of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    V12,
    V20,
}

impl Version {
    pub fn option(self) -> &'static str {
        match self {
            Version::V12 => "-cl-std=CL1.2",
            Version::V20 => "-cl-std=CL2.0",
        }
    }
}

/// Where an object lives that may be pointed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Space {
    Private,
    Local,
    Global,
    Constant,
    /// What an unqualified pointer of OpenCL C 2.0 points to.
    Generic,
}

impl Space {
    /// The words before the type that is pointed to; private space has no need of one in 1.2.
    fn words(self, version: Version) -> &'static str {
        match (self, version) {
            (Space::Private, Version::V12) | (Space::Generic, _) => "",
            (Space::Private, Version::V20) => "private ",
            (Space::Local, _) => "local ",
            (Space::Global, _) => "global ",
            (Space::Constant, _) => "constant ",
        }
    }

    /// Whether a pointer into `from` may become one of this kind.
    fn takes(self, from: Space) -> bool {
        self == from || (self == Space::Generic && from != Space::Constant)
    }
}

#[derive(Clone)]
enum Field {
    Value(Type),
    Array(Type, usize),
    Struct(usize),
}

#[derive(Clone)]
struct StructType {
    name: String,
    /// Its members may lie anywhere, so that nothing points to them.
    packed: bool,
    fields: Vec<(String, Field)>,
}

#[derive(Clone)]
enum Kind {
    Value(Type),
    Array(Type, usize),
    Array2(Type, usize, usize),
    Struct(usize),
    StructArray(usize, usize),
    /// To this many elements, a power of two.
    Pointer(Type, usize),
    StructPointer(usize),
    /// So many pointers to so many elements each.
    PointerTable(Type, usize, usize),
    Union,
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    writable: bool,
    /// Where the object is, or for a pointer what it points to; `None` if no plain pointer may
    /// point there.
    space: Option<Space>,
    /// The objects that a use of this variable touches.
    roots: Vec<usize>,
    /// Other values that a pointer may take.
    targets: Vec<String>,
}

#[derive(Clone)]
enum Parameter {
    Value(Type),
    Struct(usize),
    Pointer(Type, usize, Target),
    StructPointer(usize, Target),
    Input,
}

/// What a pointer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Target {
    space: Space,
    write: bool,
}

#[derive(Clone)]
enum Returned {
    Value(Type),
    Struct(usize),
    Nothing,
}

#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<Parameter>,
    returned: Returned,
}

/// An object, or part of one: text with slots for indices below a power of two.
#[derive(Clone)]
struct Place {
    parts: Vec<PlacePart>,
    ty: Type,
    roots: Vec<usize>,
    writable: bool,
    space: Option<Space>,
    /// How many elements follow from here on, itself included, if it is an element of an array
    /// and its index is still open.
    array: usize,
}

#[derive(Clone)]
enum PlacePart {
    Text(String),
    Index(usize),
}

pub struct Generator {
    random: Random,
    structs: Vec<StructType>,
    functions: Vec<Function>,
    variables: Vec<Variable>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    names: usize,
    objects: usize,
    prefix: String,
    /// Labels behind enclosing statements.
    labels: Vec<String>,
    loops: usize,
    in_switch: usize,
    in_kernel: bool,
    returned: Returned,
    calls: usize,
    version: Version,
    /// Whether the program has barriers. Then the driver's own compiler sees no negation of a floating-point number.
    barriers: bool,
    /// Whether the program is for Vulkan. Then it has no floating-point zeros as literals: lavapipe takes
    /// `x + 0` for `x`, and `0 - x` for `-x`.
    vulkan: bool,
    /// Variables of program scope that functions may write.
    global_roots: Vec<usize>,
    /// Whether the program is a short one, as most are: what drivers take grows faster than programs do.
    small: bool,
    /// How many work-items make a group.
    local: usize,
    grid: Grid,
    seed: u64,
    /// Parameters of the kernel that other programs do not have.
    arguments: Vec<Argument>,
    /// What they are declared as.
    parameters: Vec<Node>,
    /// What comes before all functions.
    helpers: Vec<Node>,
    images: Vec<images::Image>,
    /// Those that are parameters, by the line of a job.
    samplers: Vec<(String, String)>,
}

/// A kernel and all it needs, as one tree.
pub struct Program {
    pub kernel: String,
    pub tree: Node,
    pub version: Version,
    /// How many work-items make a group.
    pub local: usize,
    pub grid: Grid,
    /// What the kernel takes beyond what every kernel takes.
    pub arguments: Vec<Argument>,
    /// Whether all zeros count as one number in what a kernel says of its variables.
    pub ignores_sign_of_zero: bool,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Is nowhere in a program that has lost the parameter.
    pub name: String,
    /// The line of a job (`clc_tests::job`) that says what it is.
    pub line: String,
}

impl Program {
    /// The same with another text.
    pub fn with(&self, tree: Node) -> Program {
        let (kernel, arguments) = (self.kernel.clone(), self.arguments.clone());
        Program { kernel, tree, arguments, ..*self }
    }

    /// Whether some groups of a launch may have fewer work-items than others.
    pub fn has_smaller_groups(&self) -> bool {
        self.local != LOCAL
    }

    /// The lines of a job for the parameters that the program still has.
    pub fn more_arguments(&self) -> String {
        let text = self.tree.render();
        let there = self.arguments.iter().filter(|argument| text.contains(&argument.name));
        there.map(|argument| format!("{}\n", argument.line)).collect()
    }
}

const UNION: &str = "union U { ulong l; uint w[2]; ushort4 h; uchar b[8]; int2 v; float f; struct { short x; uchar y; char z; int q; } s; }";

/// What a module begins with, and the text that asks for it.
const PRELUDE: [(&str, &str); 11] = [
    ("", "#pragma OPENCL FP_CONTRACT OFF\n"),
    ("half", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"),
    ("read_imageh", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"),
    ("sub_group_", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"),
    ("atomic_", "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"),
    ("atomic_", "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"),
    ("MIX", "#define MIX(x) acc = (acc ^ (ulong)(x)) * 1099511628211UL\n"),
    // Its optimizer aside, the OpenCL driver's own compiler loses negations behind barriers, and no products.
    (
        "NEGATIVE",
        "#ifdef __clang__\n#define NEGATIVE(type, x) ((x) * (type)(-1))\n#else\n#define NEGATIVE(type, x) (-(x))\n#endif\n",
    ),
    // The OpenCL driver's own compiler mistakes `isnan` of a member of a struct that the kernel takes by value.
    (
        "bits_half",
        "ushort bits_half(half x) { const ushort b = as_ushort(x); return (b & 0x7fff) > 0x7c00 ? (ushort)1 : b; }\n",
    ),
    ("bits_float", "uint bits_float(float x) { return isnan(x) ? 1U : as_uint(x); }\n"),
    ("bits_double", "ulong bits_double(double x) { return isnan(x) ? 1UL : as_ulong(x); }\n"),
];

/// What a module of this text begins with.
pub fn prelude(text: &str, ignores_sign_of_zero: bool) -> String {
    let lines = PRELUDE.iter().filter(|(asks, _)| text.contains(asks)).map(|(_, line)| *line);
    let lines: String = lines.collect();
    match ignores_sign_of_zero {
        true => lines
            .replace("isnan(x)", "isnan(x) || x == 0")
            .replace("> 0x7c00", "> 0x7c00 || x == 0"),
        false => lines,
    }
}

impl Generator {
    pub fn new(seed: u64, prefix: String, version: Version, vulkan: bool) -> Generator {
        let mut random = Random::new(seed);
        let barriers = random.chance(60);
        Generator {
            random,
            structs: Vec::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            names: 0,
            objects: 0,
            prefix,
            labels: Vec::new(),
            loops: 0,
            in_switch: 0,
            in_kernel: false,
            returned: Returned::Nothing,
            calls: 0,
            version,
            barriers,
            vulkan,
            global_roots: Vec::new(),
            small: false,
            local: LOCAL,
            grid: Grid::of(seed),
            seed,
            arguments: Vec::new(),
            parameters: Vec::new(),
            helpers: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
        }
    }

    /// How many of something a program has: below `n`, and fewer in a short one.
    fn some(&mut self, n: usize) -> usize {
        let n = if self.small { n.div_ceil(2) } else { n };
        self.random.below(n)
    }

    pub fn program(mut self) -> Program {
        let has_smaller_group = match self.vulkan {
            false => self.version == Version::V20 && self.random.chance(15),
            // No number of the sequence that programs come of, so that they are as they were without.
            true => {
                self.version == Version::V20 && Random::new(self.seed.rotate_left(32)).chance(15)
            }
        };
        if has_smaller_group {
            self.local = LOCAL - 1;
        }
        if self.local != LOCAL && self.grid == Grid::Block {
            // A cut in one dimension only, so that no group has more than it should.
            self.grid = Grid::Plane;
        }
        self.small = self.random.chance(if self.vulkan { 94 } else { 85 });
        let mut pieces = Vec::new();
        let mut push = |node: Node| {
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        };
        for _ in 0..self.some(4) {
            let node = self.struct_type();
            push(node);
        }
        push(Node::text(Role::Statement, format!("{};", UNION.replace("U", &self.union_name()))));
        for _ in 0..self.random.below(3) {
            let node = self.constant_table();
            push(node);
        }
        if self.version == Version::V20 {
            for _ in 0..self.random.below(3) {
                let node = self.global_variable();
                push(node);
            }
        }
        for _ in 0..self.some(5) {
            let node = self.function();
            push(node);
        }
        let kernel = format!("{}k", self.prefix);
        let node = self.kernel(&kernel);
        push(node);
        let mut all = Vec::new();
        for helper in self.helpers {
            all.extend([Piece::Node(helper), Piece::Text("\n".to_owned())]);
        }
        all.extend(pieces);
        Program {
            kernel,
            tree: Node::new(Role::Fixed, all),
            version: self.version,
            local: self.local,
            grid: self.grid,
            arguments: self.arguments,
            ignores_sign_of_zero: false,
        }
    }

    fn union_name(&self) -> String {
        format!("{}U", self.prefix)
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{}{stem}{}", self.prefix, self.names)
    }

    /// A parameter of the kernel, as `declarator` says with `@` for its name, and the line of a job for it.
    fn parameter(&mut self, stem: &str, declarator: &str, line: String) -> String {
        // What ends in `_` is no beginning of another name.
        let name = self.name(stem) + "_";
        let text = format!(", {}", declarator.replace('@', &name));
        self.parameters.push(Node::text(Role::Statement, text));
        self.arguments.push(Argument { name: name.clone(), line });
        name
    }

    fn object(&mut self) -> usize {
        self.objects += 1;
        self.objects
    }

    // Types

    fn integer(&mut self) -> Scalar {
        *self.random.pick(&INTEGERS)
    }

    fn any_scalar(&mut self) -> Scalar {
        match self.random.below(100) {
            0..=9 => Scalar::Float,
            10..=15 => Scalar::Double,
            16..=19 => Scalar::Half,
            _ => self.integer(),
        }
    }

    fn any_type(&mut self) -> Type {
        let scalar = self.any_scalar();
        if self.random.chance(60) {
            Type::scalar(scalar)
        } else {
            Type::vector(scalar, *self.random.pick(&WIDTHS))
        }
    }

    fn constant_table(&mut self) -> Node {
        let name = self.name("t");
        let roots = vec![self.object()];
        let (kind, text) = if self.random.chance(30) && !self.structs.is_empty() {
            let of = self.random.below(self.structs.len());
            let init = self.constant_struct(of);
            (
                Kind::Struct(of),
                format!("constant struct {} {name} = {init};", self.structs[of].name),
            )
        } else {
            let ty = self.any_type();
            let n = 1usize << self.random.below(5);
            let values: Vec<String> = (0..n).map(|_| self.literal(ty)).collect();
            let values = values.join(", ");
            (Kind::Array(ty, n), format!("constant {} {name}[{n}] = {{ {values} }};", ty.name()))
        };
        let mut text = text;
        let target = match kind {
            // A pointer of program scope, into the table.
            Kind::Array(ty, n) if n >= 2 && self.random.chance(40) => {
                let pointer = self.name("cp");
                let from = self.random.below(n / 2 + 1);
                let ty_name = ty.name();
                text.push_str(&format!(
                    "\nconstant {ty_name} *constant {pointer} = &{name}[{from}];"
                ));
                Some((pointer, Kind::Pointer(ty, n / 2)))
            }
            _ => None,
        };
        let variable = |name, kind| Variable {
            name,
            kind,
            writable: false,
            space: Some(Space::Constant),
            roots: roots.clone(),
            targets: Vec::new(),
        };
        self.variables.push(variable(name, kind));
        if let Some((pointer, kind)) = target {
            self.variables.push(variable(pointer, kind));
        }
        Node::text(Role::Statement, text)
    }

    // Literals

    fn literal(&mut self, ty: Type) -> String {
        if ty.is_vector() {
            if self.random.chance(30) {
                let one = self.literal(Type::scalar(ty.scalar));
                return format!("({})({one})", ty.name());
            }
            let all: Vec<String> =
                (0..ty.width).map(|_| self.literal(Type::scalar(ty.scalar))).collect();
            return format!("({})({})", ty.name(), all.join(", "));
        }
        if ty.scalar.is_float() {
            let value = self.random.below(256) as f64 / 4.0 - 24.0;
            let value = if value == 0.0 && self.vulkan { 0.25 } else { value };
            return match ty.scalar {
                Scalar::Double => format!("({value:?})"),
                Scalar::Half => format!("((half)({value:?}f))"),
                _ if value < 0.0 => format!("({value:?}f)"),
                _ => format!("{value:?}f"),
            };
        }
        let bits = ty.scalar.bits();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let value = match self.random.below(6) {
            0 => 0,
            1 => self.random.next(),
            2 => u64::MAX >> self.random.below(64),
            3 => 1 << self.random.below(64),
            4 => (self.random.below(16) as u64).wrapping_neg(),
            _ => self.random.below(100) as u64,
        } & mask;
        if !ty.scalar.signed() {
            return match ty.scalar {
                Scalar::UInt => format!("{value}U"),
                Scalar::ULong => format!("{value:#x}UL"),
                _ => format!("({}){value}", ty.name()),
            };
        }
        let value = ((value << (64 - bits)) as i64) >> (64 - bits);
        match ty.scalar {
            Scalar::Int if value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
            Scalar::Int if value < 0 => format!("({value})"),
            Scalar::Int => format!("{value}"),
            Scalar::Long if value == i64::MIN => "(-9223372036854775807L - 1L)".to_owned(),
            Scalar::Long => format!("({value}L)"),
            _ => format!("({})({value})", ty.name()),
        }
    }

    fn literal_node(&mut self, ty: Type) -> Node {
        let text = self.literal(ty);
        Node::text(Role::Value(ty), text)
    }
}
