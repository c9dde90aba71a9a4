//! `printf` (OpenCL C 6.15.14) as records in a buffer of the host.
//!
//! Word 0 of the buffer counts the words that records have asked for, word 1 is the number of words
//! for records, which follow. A record is the id of a format and the arguments, each padded to whole
//! words of 32 bits. A call reserves its words with one atomic addition; a record that does not fit
//! wholly is dropped. Records lie one after the other from the first word on; where the first one was
//! dropped that had begun in the buffer, a zero ends them, which is the id of no format.
//!
//! Under the convention of clspv word 0 is all that is before the records: the compiler is told how
//! large the buffer is, and the record of a format without text, behind which clvk reads nothing,
//! stands for the zero. clvk reads nothing behind a format without conversions, so such a text is printed
//! by `%s`, and as many arguments as a format has conversions, so others are not recorded. Where a call
//! chooses among formats that differ in that, it branches to a record for each.
//!
//! The format and the arguments of `%s` are ids in the record, so the strings themselves need no
//! memory on the device. Numbers are stored as they were before C's promotion to `double`: that loses
//! nothing, and a device without doubles can print floats.

mod formats;
mod parameters;
mod strings;

use clc_base::memory_model::{AtomicOp, Ordering};
use clc_base::{Diagnostic, Span};
use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, Function, GlobalId, Inst, InstKind,
    MemoryAccess, Module, StorageClass, Type, TypeKind, TypePool, Value,
};
use clc_passes::{context, dead_code, mem2reg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::private;
use super::tables;
use crate::diagnostics::E0703;
use crate::reflection::{PrintfArgument, PrintfArgumentKind, PrintfFormat};
use crate::{Convention, Environment, TargetOptions};
use formats::Formats;
use strings::Literal;

/// What is in the buffer besides records.
#[derive(Clone, Copy, Debug)]
struct Protocol {
    /// Bytes before the records.
    header: u64,
    /// The words for records; otherwise the buffer's second word says it.
    capacity: Option<u32>,
    /// The id that ends the records where one was dropped.
    end: u32,
    /// A record holds as many arguments as its format has conversions, and at least one.
    is_counted: bool,
}

impl Protocol {
    fn of(convention: Convention, formats: &mut Formats) -> Protocol {
        match convention {
            Convention::Own => Protocol { header: 8, capacity: None, end: 0, is_counted: false },
            Convention::Clspv(host) => Protocol {
                header: 4,
                capacity: Some((host.printf_buffer_size / 4).saturating_sub(1)),
                end: formats.id(b"", &[]),
                is_counted: true,
            },
        }
    }
}

/// From this count on nothing is added, so that the count does not wrap around to the start of the
/// buffer, however much is printed.
const MAX_COUNT: u64 = 1 << 31;

/// What later steps have to know.
#[derive(Debug)]
pub(crate) struct Printf {
    /// A Private variable for the address of the buffer.
    pub buffer: GlobalId,
    /// The function that reserves words, which alone reads the variable.
    pub reserve: FuncId,
    pub formats: Vec<PrintfFormat>,
    /// Strings that nothing uses any more.
    pub unused: FxHashSet<GlobalId>,
}

/// Replaces the calls of `printf`; `None` if there are none.
pub(crate) fn run(
    module: &mut Module,
    options: &TargetOptions,
) -> Result<Option<Printf>, Vec<Diagnostic>> {
    if module.functions.values().all(|function| calls(function).is_empty()) {
        return Ok(None);
    }
    // At -O0 strings may be in variables.
    context::each_function(module, |context, function| {
        mem2reg::run(context, function);
    });
    parameters::inline(module);
    let ids = module.functions.ids();
    let printing: Vec<FuncId> =
        ids.filter(|&id| !calls(&module.functions[id]).is_empty()).collect();
    let buffer = private(module, "printf buffer", TypePool::I64);
    let mut formats = Formats::default();
    let protocol = Protocol::of(options.convention, &mut formats);
    let reserve = reserve(module, buffer, protocol);
    let mut literals = FxHashSet::default();
    let mut errors = Vec::new();
    let removable = vec![false; module.functions.len()];
    for id in printing {
        let mut plans = FxHashMap::default();
        for inst in calls(&module.functions[id]) {
            match plan(module, id, inst, protocol, &mut formats, &mut literals) {
                Ok(plan) => {
                    plans.insert(inst, plan);
                }
                Err(why) => {
                    let span = module.functions[id].insts[inst].location.span;
                    errors.push(refusal(span, options.environment, why));
                }
            }
        }
        let Module { types, consts, functions, .. } = &mut *module;
        let function = &mut functions[id];
        rewrite::expand(types, consts, function, is_printf, |builder, inst| {
            match plans.get(&inst) {
                Some(plan) => Expansion::Value(expand(builder, inst, plan, reserve)),
                None => Expansion::Keep,
            }
        });
        // The addresses of the strings, and conversions to `double`.
        dead_code::remove_dead(function, &removable);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let used = tables::used(module);
    let unused = literals.into_iter().filter(|literal| !used.contains(literal)).collect();
    Ok(Some(Printf { buffer, reserve, formats: formats.list, unused }))
}

/// Whether an instruction is a call. One without a format stays, and is an error later.
fn is_printf(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Intrinsic { intrinsic: Intrinsic::Printf, arguments }
        if !arguments.is_empty())
}

/// The calls of `printf` in a function.
fn calls(function: &Function) -> Vec<Inst> {
    let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.copied().filter(|&inst| is_printf(&function.insts[inst].kind)).collect()
}

/// How a call is recorded: in one way, or in one of several that the program chooses by its format.
struct Plan {
    ways: Vec<Way>,
    /// Which of several it is.
    choice: Value,
}

/// A record.
struct Way {
    /// The id of the format.
    format: Value,
    arguments: Vec<Recorded>,
}

/// What decides how a call with a format is recorded: which arguments are strings, of those that are
/// recorded.
type Strings = Vec<bool>;

enum Recorded {
    Value(Value),
    /// A float, without the conversion to a wider type.
    Float(Value, Type),
    Pointer(Value),
    /// The id of a string.
    String(Value),
}

/// Finds the format and the strings of a call; otherwise, why the call is refused.
fn plan(
    module: &mut Module,
    id: FuncId,
    inst: Inst,
    protocol: Protocol,
    formats: &mut Formats,
    literals: &mut FxHashSet<GlobalId>,
) -> Result<Plan, &'static str> {
    let function = &module.functions[id];
    let InstKind::Intrinsic { arguments, .. } = function.insts[inst].kind else {
        return Err("it has no format");
    };
    let arguments: Vec<Value> = function.values_of(arguments).collect();
    let (&format, arguments) = arguments.split_first().ok_or("it has no format")?;
    let format = strings::find(module, id, format)
        .ok_or("the host is told its format, which must be a string literal")?;
    let is_pointer: Vec<bool> = arguments
        .iter()
        .map(|&value| module.types.is_pointer(module.value_type(&module.functions[id], value)))
        .collect();
    let strings_of = |literal: &Literal| -> Strings {
        let letters = formats::letters(&literal.text);
        // What is recorded is what conversions take.
        let count = if protocol.is_counted { letters.len() } else { usize::MAX };
        let is_string =
            |(index, &is_pointer): (usize, &bool)| is_pointer && letters.get(index) == Some(&b's');
        is_pointer.iter().enumerate().map(is_string).take(count).collect()
    };
    let mut all: Vec<Strings> = Vec::new();
    for literal in &format.literals {
        let strings = strings_of(literal);
        if !all.contains(&strings) {
            all.push(strings);
        }
    }
    let mut ways = Vec::new();
    for wanted in &all {
        let (mut kinds, mut recorded) = (Vec::new(), Vec::new());
        for (&value, &is_string) in arguments.iter().zip(wanted) {
            let (kind, how) = argument(module, id, value, is_string, formats, literals)?;
            kinds.push(kind);
            recorded.push(how);
        }
        let is_wanted = |literal: &Literal| strings_of(literal) == *wanted;
        if protocol.is_counted && wanted.is_empty() {
            let text = format.replace(module, id, |literal: &Literal| {
                literals.extend(literal.global);
                match is_wanted(literal) {
                    true => formats.id(&formats::without_escapes(&literal.text), &[]),
                    false => 0,
                }
            });
            let by_string = formats.id(b"%s", &[PrintfArgument::STRING]);
            let format = module.consts.intern(Const::Int(TypePool::I32, u64::from(by_string)));
            ways.push(Way { format, arguments: vec![Recorded::String(text)] });
            continue;
        }
        let format = format.replace(module, id, |literal: &Literal| {
            literals.extend(literal.global);
            if is_wanted(literal) { formats.id(&literal.text, &kinds) } else { 0 }
        });
        ways.push(Way { format, arguments: recorded });
    }
    let way_of = |literal: &Literal| {
        let strings = strings_of(literal);
        all.iter().position(|known| *known == strings).unwrap_or_default() as u32
    };
    let choice = match ways.len() {
        1 => module.consts.intern(Const::Int(TypePool::I32, 0)),
        _ => format.replace(module, id, way_of),
    };
    Ok(Plan { ways, choice })
}

/// How an argument is recorded, and what the host is told of it.
fn argument(
    module: &mut Module,
    id: FuncId,
    value: Value,
    is_string: bool,
    formats: &mut Formats,
    literals: &mut FxHashSet<GlobalId>,
) -> Result<(PrintfArgument, Recorded), &'static str> {
    let ty = module.value_type(&module.functions[id], value);
    if is_string {
        let strings = strings::find(module, id, value)
            .ok_or("the host is told what `%s` prints, which must be a string literal")?;
        let ids = strings.replace(module, id, |literal| {
            literals.extend(literal.global);
            formats.id(&literal.text, &[])
        });
        return Ok((PrintfArgument::STRING, Recorded::String(ids)));
    }
    if module.types.is_pointer(ty) {
        return Ok((PrintfArgument::POINTER, Recorded::Pointer(value)));
    }
    number(module, id, value).ok_or("no conversion prints an argument of this type")
}

fn refusal(span: Span, environment: Environment, why: &str) -> Diagnostic {
    let message = format!("`printf` cannot be compiled for {environment}: {why}");
    Diagnostic::new(&E0703, span, message).at("this call of `printf`").help(
        "write string literals in the call, or choose among them with `?:`; a function may take them as \
         arguments",
    )
}

/// How a number or a vector of numbers is recorded; `None` for what is neither.
fn number(module: &Module, id: FuncId, value: Value) -> Option<(PrintfArgument, Recorded)> {
    let (types, function) = (&module.types, &module.functions[id]);
    let ty = module.value_type(function, value);
    let mut how = Recorded::Value(value);
    let mut bits = u32::from(types.scalar_bits(ty)?);
    let kind = match types.kind(types.scalar(ty)) {
        TypeKind::Int(_) => PrintfArgumentKind::Integer,
        TypeKind::Float(_) => PrintfArgumentKind::Float,
        _ => return None,
    };
    if kind == PrintfArgumentKind::Float && types.lanes(ty) == 1 {
        let mut narrow = value;
        while let Some((_, data)) = function.def_inst(narrow)
            && let InstKind::Convert { op: ConvertOp::FToF, operand, .. } = data.kind
            && types.scalar_bits(module.value_type(function, operand))
                < types.scalar_bits(module.value_type(function, narrow))
        {
            narrow = operand;
        }
        // A half becomes a float, as in the language.
        bits = u32::from(types.scalar_bits(module.value_type(function, narrow))?).max(32);
        how = Recorded::Float(narrow, if bits == 64 { TypePool::F64 } else { TypePool::F32 });
    }
    let components = u32::from(types.lanes(ty));
    Some((PrintfArgument { kind, size: bits / 8, components }, how))
}

/// Records a call; what it returns.
fn expand(builder: &mut Builder<'_>, inst: Inst, plan: &Plan, reserve: FuncId) -> Value {
    debug_assert!(is_printf(&builder.function.insts[inst].kind));
    let Some((last, others)) = plan.ways.split_last() else { return builder.i32(-1) };
    if others.is_empty() {
        return record(builder, last, reserve);
    }
    let done = builder.new_block();
    let result = builder.function.add_block_param(done, TypePool::I32);
    for (index, way) in others.iter().enumerate() {
        let (this, next) = (builder.new_block(), builder.new_block());
        let index = builder.i32(index as i32);
        let is_this = builder.compare(CompareOp::Equal, plan.choice, index);
        builder.branch(is_this, this, next);
        builder.switch_to(this);
        let value = record(builder, way, reserve);
        builder.jump(done, &[value]);
        builder.switch_to(next);
    }
    let value = record(builder, last, reserve);
    builder.jump(done, &[value]);
    builder.switch_to(done);
    result
}

/// A record, where there is room for it; what `printf` returns then.
fn record(builder: &mut Builder<'_>, way: &Way, reserve: FuncId) -> Value {
    let mut words = vec![way.format];
    for argument in &way.arguments {
        match *argument {
            Recorded::String(id) => words.push(id),
            Recorded::Value(value) => push_number(builder, value, &mut words),
            Recorded::Float(value, ty) => {
                let value = match builder.ty(value) == ty {
                    true => value,
                    false => builder.convert(ConvertOp::FToF, value, ty),
                };
                push_number(builder, value, &mut words);
            }
            Recorded::Pointer(pointer) => {
                let address = builder.convert(ConvertOp::PtrToInt, pointer, TypePool::I64);
                push_number(builder, address, &mut words);
            }
        }
    }
    let count = builder.int(TypePool::I32, words.len() as u64);
    let zero = builder.int(TypePool::I64, 0);
    let address = builder.call(reserve, &[count], TypePool::I64).unwrap_or(zero);
    let has_room = builder.compare(CompareOp::NotEqual, address, zero);
    let (write, after) = (builder.new_block(), builder.new_block());
    builder.branch(has_room, write, after);
    builder.switch_to(write);
    let record = word_pointer(builder, address);
    for (index, word) in words.into_iter().enumerate() {
        let place = word_at(builder, record, index as u64);
        builder.store(place, word, WORD);
    }
    builder.jump(after, &[]);
    builder.switch_to(after);
    let (success, failure) = (builder.i32(0), builder.i32(-1));
    builder.select(has_room, success, failure)
}

const WORD: MemoryAccess = MemoryAccess::aligned(4);

/// Appends the words of a number, or of the components of a vector, packed as in memory.
fn push_number(builder: &mut Builder<'_>, value: Value, words: &mut Vec<Value>) {
    let ty = builder.ty(value);
    let bits = builder.types.scalar_bits(ty).unwrap_or(32);
    let integer = builder.types.int(bits);
    let lanes = builder.types.lanes(ty);
    let mut shift = 0;
    for lane in 0..lanes {
        let component = match lanes {
            1 => value,
            _ => builder.extract(value, &[u32::from(lane)]),
        };
        let constant = component.as_const().map(|id| builder.consts.get(id));
        if let (64, Some(&(Const::Int(_, number) | Const::Float(_, number)))) = (bits, constant) {
            // So a module for devices without doubles may print constants.
            for half in [number & 0xffff_ffff, number >> 32] {
                words.push(builder.int(TypePool::I32, half));
            }
            continue;
        }
        match bits {
            64 => {
                let pair = builder.types.vector(TypePool::I32, 2);
                let pair = builder.bitcast(component, pair);
                for half in 0..2 {
                    words.push(builder.extract(pair, &[half]));
                }
            }
            32 => words.push(builder.bitcast(component, TypePool::I32)),
            _ => {
                let number = builder.bitcast(component, integer);
                let number = builder.convert(ConvertOp::ZeroExtend, number, TypePool::I32);
                match words.last_mut().filter(|_| shift > 0) {
                    Some(last) => {
                        let by = builder.i32(shift);
                        let number = builder.binary(BinaryOp::Shl, number, by);
                        *last = builder.binary(BinaryOp::Or, *last, number);
                    }
                    None => words.push(number),
                }
                shift = (shift + i32::from(bits)) % 32;
            }
        }
    }
}

fn word_pointer(builder: &mut Builder<'_>, address: Value) -> Value {
    let pointer = builder.types.pointer(TypePool::I32, StorageClass::CrossWorkgroup);
    builder.convert(ConvertOp::IntToPtr, address, pointer)
}

fn word_at(builder: &mut Builder<'_>, pointer: Value, index: u64) -> Value {
    if index == 0 {
        return pointer;
    }
    let index = builder.int(TypePool::I64, index);
    builder.ptr_add(pointer, index)
}

/// Makes the function that reserves a number of words. It returns their address, or 0 if the record
/// is dropped.
fn reserve(module: &mut Module, buffer: GlobalId, protocol: Protocol) -> FuncId {
    let Module { types, consts, functions, .. } = module;
    let mut function = Function::new("reserve printf", TypePool::I64);
    function.params = vec![TypePool::I32];
    let entry = function.add_block();
    let wanted = function.add_block_param(entry, TypePool::I32);
    let mut builder = Builder::new(types, consts, &mut function, entry);
    let b = &mut builder;
    let dropped = b.new_block();
    let next = |b: &mut Builder<'_>, condition: Value| {
        let next = b.new_block();
        b.branch(condition, next, dropped);
        b.switch_to(next);
    };
    let variable = b.types.pointer(TypePool::I64, StorageClass::Private);
    let variable = b.consts.intern(Const::GlobalAddress(variable, buffer));
    let base = b.load(variable, MemoryAccess::aligned(8));
    let null = b.int(TypePool::I64, 0);
    // A host that wants no output passes no buffer.
    let is_there = b.compare(CompareOp::NotEqual, base, null);
    next(b, is_there);
    let counter = word_pointer(b, base);
    let seen = b.atomic_load(counter, Ordering::RELAXED);
    let most = b.int(TypePool::I32, MAX_COUNT);
    let counts = b.compare(CompareOp::ULess, seen, most);
    next(b, counts);
    let start = b.atomic_modify(AtomicOp::IAdd, counter, wanted, Ordering::RELAXED);
    let capacity = match protocol.capacity {
        Some(words) => b.int(TypePool::I32, u64::from(words)),
        None => {
            let capacity = word_at(b, counter, 1);
            b.load(capacity, WORD)
        }
    };
    let begins = b.compare(CompareOp::ULess, start, capacity);
    next(b, begins);
    let offset = b.convert(ConvertOp::ZeroExtend, start, TypePool::I64);
    let two = b.int(TypePool::I64, 2);
    let offset = b.binary(BinaryOp::Shl, offset, two);
    let header = b.int(TypePool::I64, protocol.header);
    let records = b.binary(BinaryOp::IAdd, base, header);
    let record = b.binary(BinaryOp::IAdd, records, offset);
    let room = b.binary(BinaryOp::ISub, capacity, start);
    let does_not_fit = b.compare(CompareOp::UGreater, wanted, room);
    let (cut, fits) = (b.new_block(), b.new_block());
    b.branch(does_not_fit, cut, fits);
    b.switch_to(fits);
    b.ret(Some(record));
    b.switch_to(cut);
    let end = word_pointer(b, record);
    let id = b.int(TypePool::I32, u64::from(protocol.end));
    b.store(end, id, WORD);
    b.jump(dropped, &[]);
    b.switch_to(dropped);
    b.ret(Some(null));
    functions.push(function)
}
