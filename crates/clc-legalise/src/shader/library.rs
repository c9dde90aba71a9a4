//! Math functions for which shaders have no instruction that is precise enough, and divisions of 64 bits, become calls of
//! bodies in OpenCL C (`clc_builtins::library` says which, and why), component by component.
//!
//! This crate cannot compile the bodies: [`wanted`] says which are needed, and [`link`] takes the
//! module that a callback made of them.

use clc_base::Version;
use clc_base::lang::FloatOptions;
use clc_builtins::Intrinsic;
use clc_builtins::library::{self, Body, File, Way};
use clc_builtins::measured;
use clc_builtins::profile::{DeviceProfile, Errors, Instruction};
use clc_builtins::worst::{self, Estimates};
use clc_ir::{
    BinaryOp, Block, Builder, ConvertOp, FuncId, Function, Inst, InstData, InstKind, MemFlags,
    MemoryAccess, Module, Type, TypeKind, TypePool, Value, import,
};
use rustc_hash::FxHashMap;

use super::fma_question::{Asked, Cost};
use super::{fma_question, normal, operations};
use crate::{Bodies, TargetOptions};

/// What bodies take, in instructions, and what of it a device saves whose `Fma` rounds once: for `fma` itself, for
/// quotients and roots of `double`, and for other functions that it helps.
const BODY: u64 = 100;
const FMA: u64 = 300;
const QUOTIENT: u64 = 200;
const OTHERS: u64 = 20;

/// Replaces functions by calls of bodies, which `bodies` compiles. With `asks`, functions that depend on whether `Fma`
/// rounds once may be written for both answers where that is not known.
pub(crate) fn run(module: &mut Module, purpose: For<'_>, bodies: &mut Bodies<'_>, asks: bool) {
    let mut ways = Ways::new(module, purpose);
    if asks {
        ways.ask(module);
    }
    let wanted = wanted_in(module, ways);
    if wanted.functions.is_empty() {
        return link(module, Module::new(8, Version::V1_2), &wanted, purpose);
    }
    let mut text = library::text(&wanted.files);
    let mut functions = wanted.functions.clone();
    if let For::Test(estimates, _) = purpose
        && estimates != Estimates::OfDevice
    {
        text.push_str(&worst::text(estimates));
        functions.extend(worst::functions());
    }
    let compiled = bodies(&text, &functions);
    link(module, compiled, &wanted, purpose);
}

/// What a module needs of the library.
#[derive(Debug, Default)]
pub struct Wanted {
    /// For [`library::text`].
    pub files: Vec<&'static File>,
    /// What the module made of the text must define.
    pub functions: Vec<&'static str>,
    ways: Ways,
}

/// What decides how functions are computed.
#[derive(Clone, Debug, Default)]
struct Ways {
    float: FloatOptions,
    /// What is known of the device.
    profile: DeviceProfile,
    /// The target is a shader: building blocks are instructions of GLSL.std.450.
    is_shader: bool,
    /// Functions that ask whether `Fma` rounds once.
    asked: FxHashMap<FuncId, Asked>,
}

impl Ways {
    fn new(module: &Module, purpose: For<'_>) -> Ways {
        let target = match purpose {
            For::Shader(target) => Some(target),
            For::Test(..) => None,
        };
        let mut float = module.float_options;
        float.denorms_are_zero |= target.is_some_and(|target| !target.keeps_denormals(&float));
        let profile = match purpose {
            For::Shader(target) => target.profile,
            For::Test(_, profile) => *profile,
        };
        Ways { float, profile, is_shader: target.is_some(), asked: FxHashMap::default() }
    }

    /// Has functions ask whether `Fma` rounds once.
    fn ask(&mut self, module: &mut Module) {
        let fused = with_fma(self.profile);
        let ids: Vec<FuncId> = module.functions.ids().collect();
        for id in ids {
            if module.functions[id].is_declaration() {
                continue;
            }
            let empty = Function::new(String::new(), TypePool::VOID);
            let mut function = std::mem::replace(&mut module.functions[id], empty);
            let asked = fma_question::ask(module, &mut function, |module, function, inst| {
                let data = &function.insts[inst];
                let now = self.by(&self.profile, module, function, data);
                let then = self.by(&fused, module, function, data);
                let bits = data.result.and_then(|result| float_bits(module, function, result));
                let saved = match data.kind {
                    _ if now == then => 0,
                    InstKind::Intrinsic { intrinsic: Intrinsic::Fma, .. } => FMA,
                    _ if bits == Some(64) => QUOTIENT,
                    _ => OTHERS,
                };
                let rest = if matches!(now, Some(Change::Call(..))) { BODY } else { 1 };
                Cost { all: rest + saved, saved, bits }
            });
            module.functions[id] = function;
            if let Some(asked) = asked {
                self.asked.insert(id, asked);
            }
        }
    }

    /// How an instruction in a block is computed.
    fn of(
        &self,
        module: &Module,
        (id, block): (FuncId, Block),
        function: &Function,
        inst: &InstData,
    ) -> Option<Change> {
        let now = |profile| self.by(profile, module, function, inst);
        match self.asked.get(&id) {
            Some(Asked::Twice(blocks)) if blocks.contains(&block) => now(&with_fma(self.profile)),
            Some(Asked::Once(answers)) if answers.is_asked_for(inst.result?) => {
                now(&with_fma(self.profile))
            }
            Some(Asked::Once(answers)) => match now(&self.profile) {
                Some(Change::Call(body, _)) => {
                    let asking = measured::asking(&body);
                    let bits = float_bits(module, function, inst.result?);
                    let answer = bits.and_then(|bits| answers.of(bits));
                    Some(match (asking, answer) {
                        (Some(asking), Some(answer)) => Change::Call(asking, Some(answer)),
                        _ => Change::Call(body, None),
                    })
                }
                change => change,
            },
            _ => now(&self.profile),
        }
    }
}

/// What is known of a device that rounds `Fma` once.
fn with_fma(mut profile: DeviceProfile) -> DeviceProfile {
    profile.set(Instruction::FmaF32, Errors::ROUNDED);
    profile.set(Instruction::FmaF64, Errors::ROUNDED);
    profile
}

/// What bodies are for.
#[derive(Clone, Copy)]
pub enum For<'a> {
    /// The shader that calls them.
    Shader(&'a TargetOptions),
    /// Any driver, on which tests compare bodies with what they are to compute: see
    /// [`expand_operations`](crate::pipeline::expand_operations). As for a device of which this is known.
    Test(Estimates, &'a DeviceProfile),
}

/// The bodies that `module` calls for, in the order of their first use.
pub fn wanted(module: &Module, purpose: For<'_>) -> Wanted {
    wanted_in(module, Ways::new(module, purpose))
}

fn wanted_in(module: &Module, ways: Ways) -> Wanted {
    let mut wanted = Wanted::default();
    for (id, function) in module.functions.iter() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let Some(Change::Call(body, _)) = ways.of(module, (id, block), function, data)
                else {
                    continue;
                };
                if !wanted.files.contains(&body.file) {
                    wanted.files.push(body.file);
                }
                for name in [Some(body.function), body.stored, body.common].into_iter().flatten() {
                    if !wanted.functions.contains(&name) {
                        wanted.functions.push(name);
                    }
                }
            }
        }
    }
    wanted.ways = ways;
    wanted
}

/// What becomes of an instruction.
#[derive(PartialEq, Eq)]
enum Change {
    /// With a value behind the arguments, if the body takes one that is at hand.
    Call(Body, Option<Value>),
    /// The same arguments to another function.
    As(Intrinsic),
}

/// What decides which instructions become something else.
trait Rule {
    /// `at` says where the instruction is.
    fn change(
        &self,
        module: &Module,
        at: (FuncId, Block),
        function: &Function,
        inst: &InstData,
    ) -> Option<Change>;
}

/// The width of a float, or of the components of a vector of floats.
fn float_bits(module: &Module, function: &Function, value: Value) -> Option<u8> {
    let ty = module.types.scalar(module.value_type(function, value));
    match module.types.kind(ty) {
        TypeKind::Float(bits) => Some(bits),
        _ => None,
    }
}

/// In programs.
impl Rule for Ways {
    fn change(
        &self,
        module: &Module,
        at: (FuncId, Block),
        function: &Function,
        inst: &InstData,
    ) -> Option<Change> {
        self.of(module, at, function, inst)
    }
}

impl Ways {
    /// How an instruction is computed on a device of which `profile` is known.
    fn by(
        &self,
        profile: &DeviceProfile,
        module: &Module,
        function: &Function,
        inst: &InstData,
    ) -> Option<Change> {
        let bits = |value: Value| float_bits(module, function, value);
        match inst.kind {
            InstKind::Intrinsic { intrinsic, arguments } => {
                // `ilogb` has its floats among the operands only, `nan` in the result only.
                let bits =
                    bits(inst.result?).or_else(|| bits(function.values_of(arguments).next()?))?;
                // InverseSqrt is within 2 units there, as it may be.
                let way = if bits == 32
                    && matches!(intrinsic, Intrinsic::Rsqrt | Intrinsic::HalfRsqrt)
                    && normal::is_normal(module, function, function.values_of(arguments).next()?)
                {
                    Way::As(Intrinsic::NativeRsqrt)
                } else {
                    measured::way_on(profile, intrinsic, bits, &self.float)?
                };
                match way {
                    Way::Body(body) => Some(Change::Call(body, None)),
                    Way::As(other) => self.is_shader.then_some(Change::As(other)),
                    Way::Instruction { .. } => None,
                }
            }
            InstKind::Binary { op: BinaryOp::FDiv, left, right } => {
                let bits = bits(left)?;
                let is_of_one = bits == 64 && normal::is_one(module, left);
                let body = measured::division_on(profile, bits, is_of_one, &self.float)?;
                let will_do = body.function == library::DIVISION_OF_ANY
                    && normal::is_moderate(module, function, right);
                (!will_do).then_some(Change::Call(body, None))
            }
            // Constants are multiplied by.
            InstKind::Binary { op, left, right } if !right.is_const() => {
                let (is_signed, wants_rest) = match op {
                    BinaryOp::UDiv => (false, false),
                    BinaryOp::URem => (false, true),
                    BinaryOp::SDiv => (true, false),
                    BinaryOp::SRem => (true, true),
                    _ => return None,
                };
                let ty = module.types.scalar(module.value_type(function, left));
                let TypeKind::Int(bits) = module.types.kind(ty) else { return None };
                let body = library::integer_division(bits, is_signed, wants_rest)?;
                Some(Change::Call(body, None))
            }
            _ => None,
        }
    }
}

/// In bodies for shaders: building blocks are instructions.
struct Instructions;

impl Rule for Instructions {
    fn change(
        &self,
        module: &Module,
        _: (FuncId, Block),
        function: &Function,
        inst: &InstData,
    ) -> Option<Change> {
        match (inst.kind, float_bits(module, function, inst.result?)) {
            (InstKind::Intrinsic { intrinsic, arguments: _ }, Some(32)) => {
                library::building_block(intrinsic).map(|block| Change::As(block.instruction))
            }
            _ => None,
        }
    }
}

/// In bodies for tests: inexact operations have the largest errors that they may have.
struct Worst;

impl Rule for Worst {
    fn change(
        &self,
        module: &Module,
        _: (FuncId, Block),
        function: &Function,
        inst: &InstData,
    ) -> Option<Change> {
        match (inst.kind, float_bits(module, function, inst.result?)) {
            (InstKind::Intrinsic { intrinsic: Intrinsic::Mad, arguments: _ }, Some(bits)) => {
                Some(Change::Call(worst::mad(bits), None))
            }
            (InstKind::Intrinsic { intrinsic, arguments: _ }, Some(32)) => {
                worst::stand_in(intrinsic).map(|body| Change::Call(body, None))
            }
            (InstKind::Binary { op: BinaryOp::FDiv, .. }, Some(32)) => {
                Some(Change::Call(worst::division(), None))
            }
            _ => None,
        }
    }
}

/// Replaces what [`wanted`] found by calls of functions of `library`, which come into `module`.
///
/// # Panics
/// If `library` lacks one of the functions, or uses what the target does not have.
pub fn link(module: &mut Module, mut library: Module, wanted: &Wanted, purpose: For<'_>) {
    // What bodies are made of may itself have no instruction.
    let none = FxHashMap::default();
    match purpose {
        For::Shader(target) => {
            operations::run(&mut library, target).expect("bodies are for all targets");
            replace_all(&mut library, &none, &Instructions);
        }
        For::Test(estimates, _) => {
            operations::expand_all(&mut library);
            if estimates != Estimates::OfDevice {
                let find = |name: &'static str| Some((name, find(&library, name)?));
                let functions = worst::functions().filter_map(find).collect();
                replace_all(&mut library, &functions, &Worst);
            }
        }
    }
    let body =
        |name: &&str| find(&library, name).expect("the library defines what its table names");
    let roots: Vec<FuncId> = wanted.functions.iter().map(body).collect();
    let users = module.functions.len();
    let ids = import(module, &library, &roots);
    let functions: FxHashMap<&str, FuncId> = wanted.functions.iter().copied().zip(ids).collect();
    // Bodies have no memory but their own: equal calls are one.
    for function in module.functions.values_mut().skip(users) {
        function.is_const = true;
    }
    let ids: Vec<FuncId> = module.functions.iter().map(|(id, _)| id).take(users).collect();
    for id in ids {
        replace_in(module, id, &functions, &wanted.ways);
    }
}

fn find(module: &Module, name: &str) -> Option<FuncId> {
    module.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
}

fn replace_all(module: &mut Module, functions: &FxHashMap<&str, FuncId>, rule: &dyn Rule) {
    let ids: Vec<FuncId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in ids {
        replace_in(module, id, functions, rule);
    }
}

fn replace_in(
    module: &mut Module,
    id: FuncId,
    functions: &FxHashMap<&str, FuncId>,
    rule: &dyn Rule,
) {
    let empty = Function::new(String::new(), TypePool::VOID);
    let mut function = std::mem::replace(&mut module.functions[id], empty);
    replace(module, id, &mut function, functions, rule);
    module.functions[id] = function;
}

/// Applies `rule` to a function, which is not in `module` meanwhile. `functions` has the callees.
fn replace(
    module: &mut Module,
    id: FuncId,
    function: &mut Function,
    functions: &FxHashMap<&str, FuncId>,
    rule: &dyn Rule,
) {
    let mut replacements: FxHashMap<Value, Value> = FxHashMap::default();
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let insts = &function.blocks[block].insts;
        let at = (id, block);
        let changes =
            |&inst: &Inst| rule.change(module, at, function, &function.insts[inst]).is_some();
        if !insts.iter().any(changes) {
            continue;
        }
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let terminator = std::mem::take(&mut function.blocks[block].terminator);
        for inst in insts {
            let data = function.insts[inst];
            match (rule.change(module, at, function, &data), data.result) {
                (Some(Change::Call(body, answer)), Some(result)) => {
                    let Module { types, consts, functions: all, .. } = &mut *module;
                    let callee = |name: &str| {
                        let id = functions[name];
                        (id, all[id].params.clone(), all[id].result)
                    };
                    let (value, stored) = (callee(body.function), body.stored.map(callee));
                    let common = body.common.map(callee);
                    let mut builder = Builder::new(types, consts, function, block);
                    builder.location = data.location;
                    let new = expand(
                        &mut builder,
                        data.kind,
                        result,
                        &value,
                        [stored.as_ref(), common.as_ref()],
                        answer,
                    );
                    replacements.insert(result, new);
                }
                (Some(Change::As(other)), _) => {
                    if let InstKind::Intrinsic { intrinsic, .. } = &mut function.insts[inst].kind {
                        *intrinsic = other;
                    }
                    function.blocks[block].insts.push(inst);
                }
                _ => function.blocks[block].insts.push(inst),
            }
        }
        function.blocks[block].terminator = terminator;
    }
    if !replacements.is_empty() {
        function.map_all_operands(|value| *replacements.get(&value).unwrap_or(&value));
    }
}

/// A function of the library with the types of its parameters and its result.
type Callee = (FuncId, Vec<Type>, Type);

fn expand(
    builder: &mut Builder<'_>,
    kind: InstKind,
    result: Value,
    callee: &Callee,
    [stored, common]: [Option<&Callee>; 2],
    last: Option<Value>,
) -> Value {
    let mut operands: Vec<Value> = match kind {
        InstKind::Binary { op: _, left, right } => vec![left, right],
        InstKind::Intrinsic { intrinsic: _, arguments } => {
            builder.function.values_of(arguments).collect()
        }
        _ => unreachable!("other instructions have no bodies"),
    };
    let ty = builder.ty(result);
    if let Some(stored) = stored {
        let pointer = operands.pop().expect("the last operand is a pointer");
        let pointee = builder.types.pointer_parts(builder.ty(pointer)).expect("it is a pointer").0;
        let second = each_lane(builder, &operands, stored, None, None, pointee);
        let align = builder.types.align(pointee) as u32;
        builder.store(pointer, second, MemoryAccess { align, flags: MemFlags::default() });
    }
    each_lane(builder, &operands, callee, common, last, ty)
}

/// Calls a scalar function for each component of `ty`, with what `common` gives as its last argument, or with `last`.
fn each_lane(
    builder: &mut Builder<'_>,
    operands: &[Value],
    callee: &Callee,
    common: Option<&Callee>,
    last: Option<Value>,
    ty: Type,
) -> Value {
    let (id, parameters, result) = callee;
    let lanes = builder.types.lanes(ty);
    let mut values = Vec::with_capacity(usize::from(lanes));
    for lane in 0..lanes {
        let mut arguments: Vec<Value> = operands
            .iter()
            .zip(parameters)
            .map(|(&operand, &parameter)| {
                let scalar = match builder.types.kind(builder.ty(operand)) {
                    TypeKind::Vector(..) => builder.extract(operand, &[u32::from(lane)]),
                    _ => operand,
                };
                convert(builder, scalar, parameter)
            })
            .collect();
        if let Some((id, _, result)) = common {
            arguments.extend(builder.call(*id, &arguments, *result));
        }
        arguments.extend(last);
        let value = builder.call(*id, &arguments, *result).expect("bodies give results");
        let scalar = builder.types.scalar(ty);
        values.push(convert(builder, value, scalar));
    }
    match values[..] {
        [value] => value,
        _ => builder.construct(ty, &values),
    }
}

/// Between `half` and the `float` of a body, and of the payload of a `half` NaN to `uint`.
fn convert(builder: &mut Builder<'_>, value: Value, to: Type) -> Value {
    let from = builder.ty(value);
    if from == to {
        return value;
    }
    let op = if builder.types.is_float(to) { ConvertOp::FToF } else { ConvertOp::ZeroExtend };
    builder.convert(op, value, to)
}
