//! Modules cut and put to the validator.

use super::*;
use crate::{TargetOptions, validate};

fn put(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
}

const FIRST: u32 = 100_000;

/// `count` kernels, each with a constant and a decoration of its own and a helper for every two;
/// the constant of number `broken` is of a type that is none.
fn module(count: u32, broken: Option<u32>) -> Vec<u32> {
    let [void, uint, int_pointer, signature, helper_type] = [1, 2, 3, 4, 5];
    let id = |kernel: u32, of: u32| FIRST + 16 * kernel + of;
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, FIRST + 16 * count, 0];
    for capability in [4, 5, 6] {
        put(&mut words, Op::Capability, &[capability]);
    }
    put(&mut words, Op::MemoryModel, &[2, 2]);
    for kernel in 0..count {
        // The name is the number; its last byte is the zero that ends it.
        put(&mut words, Op::EntryPoint, &[6, id(kernel, 1), kernel + 0x0001_0101]);
    }
    for kernel in 0..count {
        put(&mut words, Op::Decorate, &[id(kernel, 3), 44, 4]);
    }
    put(&mut words, Op::TypeVoid, &[void]);
    put(&mut words, Op::TypeInt, &[uint, 32, 0]);
    put(&mut words, Op::TypePointer, &[int_pointer, 5, uint]);
    put(&mut words, Op::TypeFunction, &[signature, void, int_pointer]);
    put(&mut words, Op::TypeFunction, &[helper_type, uint, uint]);
    for kernel in 0..count {
        let ty = if broken == Some(kernel) { void } else { uint };
        put(&mut words, Op::Constant, &[ty, id(kernel, 0), kernel]);
    }
    for kernel in 0..count {
        if kernel % 2 == 0 {
            put(&mut words, Op::Function, &[uint, id(kernel, 8), 0, helper_type]);
            put(&mut words, Op::FunctionParameter, &[uint, id(kernel, 9)]);
            put(&mut words, Op::Label, &[id(kernel, 10)]);
            put(&mut words, Op::ReturnValue, &[id(kernel, 9)]);
            put(&mut words, Op::FunctionEnd, &[]);
        }
        put(&mut words, Op::Function, &[void, id(kernel, 1), 0, signature]);
        put(&mut words, Op::FunctionParameter, &[int_pointer, id(kernel, 3)]);
        put(&mut words, Op::Label, &[id(kernel, 2)]);
        let helper = id(kernel & !1, 8);
        put(&mut words, Op::FunctionCall, &[uint, id(kernel, 4), helper, id(kernel, 0)]);
        put(&mut words, Op::Store, &[id(kernel, 3), id(kernel, 4), 2, 4]);
        put(&mut words, Op::Return, &[]);
        put(&mut words, Op::FunctionEnd, &[]);
    }
    words
}

fn count(words: &[u32], of: Op) -> usize {
    Instructions::of(words).filter(|instruction| op(instruction) == of as u32).count()
}

/// The word at which the first of some instructions begins.
fn start_of(words: &[u32], of: Op) -> usize {
    let before = Instructions::of(words).take_while(|instruction| op(instruction) != of as u32);
    HEADER_WORDS + before.map(<[u32]>::len).sum::<usize>()
}

#[test]
fn parts_have_everything_once() {
    let module = module(4000, None);
    let parts = split(&module, &Limits::DEFAULT).expect("it is large and does not hang together");
    assert!(parts.len() > 4, "{}", parts.len());
    for of in [Op::EntryPoint, Op::Decorate, Op::Constant, Op::Function, Op::FunctionCall] {
        let all: usize = parts.iter().map(|part| count(part, of)).sum();
        assert_eq!(all, count(&module, of), "{of:?}");
    }
    for part in &parts {
        assert_eq!(count(part, Op::TypeInt), 1);
        // A helper and the two kernels that call it are in one part.
        assert_eq!(count(part, Op::EntryPoint) % 2, 0);
        assert_eq!(count(part, Op::Function) * 2, count(part, Op::EntryPoint) * 3);
    }
    validate(&module, &TargetOptions::default()).expect("valid");
}

#[test]
fn a_mistake_in_any_part_is_found() {
    for broken in [0, 1999, 3999] {
        let error = validate(&module(4000, Some(broken)), &TargetOptions::default())
            .expect_err("a constant of type void");
        assert!(error.message.contains("not a scalar numeric type"), "{error}");
    }
}

#[test]
fn what_nothing_mentions_is_checked() {
    let mut module = module(4000, None);
    let end = start_of(&module, Op::Function);
    let mut lonely = Vec::new();
    put(&mut lonely, Op::Constant, &[1, 50, 7]);
    module.splice(end..end, lonely);
    assert!(split(&module, &Limits::DEFAULT).is_some());
    validate(&module, &TargetOptions::default()).expect_err("a constant of type void");
}

/// The source is behind each position and each name that a debugger is told, and is checked in one part.
#[test]
fn a_part_has_what_a_debugger_is_told_of_it() {
    let mut module = module(4000, None);
    module[1] = 0x0001_0600;
    let [source, set, of_source, lonely] = [50, 51, 52, 53];
    let mut text = vec![source];
    text.extend([0x2020_2020; 30_000]);
    text.push(0);
    let start = start_of(&module, Op::MemoryModel);
    let mut import = Vec::new();
    let name: Vec<u8> = b"NonSemantic.Shader.DebugInfo.100\0\0\0\0".to_vec();
    let name: Vec<u32> = name
        .chunks(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    put(&mut import, Op::ExtInstImport, &[&[set][..], &name].concat());
    module.splice(start..start, import);
    let start = start_of(&module, Op::Decorate);
    let mut strings = Vec::new();
    put(&mut strings, Op::String, &text);
    for kernel in 0..4000 {
        put(&mut strings, Op::String, &[FIRST + 16 * kernel + 11, 0x41]);
    }
    module.splice(start..start, strings);
    let end = start_of(&module, Op::Function);
    let mut told = Vec::new();
    // DebugSource, DebugExpression.
    put(&mut told, Op::ExtInst, &[1, of_source, set, 35, source]);
    put(&mut told, Op::ExtInst, &[1, lonely, set, 31]);
    module.splice(end..end, told);
    let parts = split(&module, &Limits::DEFAULT).expect("it is large and does not hang together");
    let size = |part: &Vec<u32>| {
        let strings = Instructions::of(part).filter(|i| op(i) == Op::String as u32);
        strings.map(<[u32]>::len).max().unwrap_or(0)
    };
    assert_eq!(parts.iter().filter(|part| size(part) > 30_000).count(), 1);
    for of in [Op::String, Op::ExtInst] {
        let all: usize = parts.iter().map(|part| count(part, of)).sum();
        assert_eq!(all, count(&module, of), "{of:?}");
    }
    let options = TargetOptions { spirv_version: (1, 6), ..TargetOptions::default() };
    validate(&module, &options).expect("valid");
}

#[test]
fn a_number_is_no_mention_of_a_variable() {
    // The width of the integer type.
    const VARIABLE: u32 = 32;
    let mut module = module(4000, None);
    let position = |module: &[u32], of: Op| {
        HEADER_WORDS
            + Instructions::of(module)
                .take_while(|instruction| op(instruction) != of as u32)
                .map(<[u32]>::len)
                .sum::<usize>()
    };
    for (before, instruction, operands) in [
        (Op::Function, Op::Variable, &[3, VARIABLE, 5][..]),
        (Op::TypeVoid, Op::Decorate, &[VARIABLE, 22]),
    ] {
        let at = position(&module, before);
        let mut words = Vec::new();
        put(&mut words, instruction, operands);
        module.splice(at..at, words);
    }
    let parts = split(&module, &Limits::DEFAULT).expect("it is large");
    let variables: usize = parts.iter().map(|part| count(part, Op::Variable)).sum();
    assert_eq!(variables, 1);
    validate(&module, &TargetOptions::default()).expect("valid");
}

/// `count` kernels of `length` branches, each with a phi behind it and a way to the end.
fn long_kernels(count: u32, length: u32) -> Vec<u32> {
    let [void, uint, int_pointer, signature, boolean, truth, number] = [1, 2, 3, 4, 5, 6, 7];
    let id = |kernel: u32, of: u32| 100 + kernel * (4 * length + 8) + of;
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, id(count, 0), 0];
    for capability in [4, 5, 6] {
        put(&mut words, Op::Capability, &[capability]);
    }
    put(&mut words, Op::MemoryModel, &[2, 2]);
    for kernel in 0..count {
        put(&mut words, Op::EntryPoint, &[6, id(kernel, 0), kernel + 0x0001_0101]);
    }
    put(&mut words, Op::TypeVoid, &[void]);
    put(&mut words, Op::TypeInt, &[uint, 32, 0]);
    put(&mut words, Op::TypePointer, &[int_pointer, 5, uint]);
    put(&mut words, Op::TypeFunction, &[signature, void, int_pointer]);
    put(&mut words, Op::TypeBool, &[boolean]);
    put(&mut words, Op::ConstantTrue, &[boolean, truth]);
    put(&mut words, Op::Constant, &[uint, number, 7]);
    for kernel in 0..count {
        let [head, arm, phi] = [3, 4, 5].map(|of| move |branch: u32| id(kernel, of + 4 * branch));
        let end = id(kernel, 2);
        put(&mut words, Op::Function, &[void, id(kernel, 0), 0, signature]);
        put(&mut words, Op::FunctionParameter, &[int_pointer, id(kernel, 1)]);
        put(&mut words, Op::Label, &[head(0)]);
        for branch in 0..length {
            let next = head(branch + 1);
            put(&mut words, Op::BranchConditional, &[truth, arm(branch), next]);
            put(&mut words, Op::Label, &[arm(branch)]);
            put(&mut words, Op::BranchConditional, &[truth, next, end]);
            put(&mut words, Op::Label, &[next]);
            let parents = [number, head(branch), number, arm(branch)];
            put(&mut words, Op::Phi, &[&[uint, phi(branch)], &parents[..]].concat());
        }
        put(&mut words, Op::Branch, &[end]);
        put(&mut words, Op::Label, &[end]);
        put(&mut words, Op::Return, &[]);
        put(&mut words, Op::FunctionEnd, &[]);
    }
    words
}

#[test]
fn what_stands_for_pieces_of_two_functions_has_ids_of_its_own() {
    let options = TargetOptions::default();
    let module = long_kernels(3, 100);
    let parts = split(&module, &Limits::DEFAULT).expect("its functions are long");
    assert!(parts.iter().any(|part| count(part, Op::Function) == 3), "the rests are in one part");
    for part in &parts {
        super::super::validate_as_is(part, &options).expect("a part of a valid module");
    }
    validate(&module, &options).expect("valid");
}

#[test]
fn an_id_defined_twice_is_for_the_whole() {
    let mut module = module(4000, None);
    let label = module.len() - 1 - 1 - 5 - 5 - 1;
    assert_eq!(module[label], FIRST + 16 * 3999 + 2);
    module[label] = FIRST + 2;
    assert!(split(&module, &Limits::DEFAULT).is_none());
    validate(&module, &TargetOptions::default()).expect_err("an id defined twice");
}

#[test]
fn every_reader_takes_damaged_modules() {
    use crate::link::{LinkInput, LinkOptions, link};
    let read = |words: &[u32]| {
        let input = LinkInput { name: "damaged", words };
        let _ = link(&[input, input], LinkOptions { library: true });
        let _ = link(&[input], LinkOptions::default());
        #[cfg(feature = "text")]
        let _ = crate::disassemble(words);
        let _ = validate(words, &TargetOptions::default());
        let _ = split(words, &Limits::DEFAULT);
    };
    let module = module(2, None);
    for length in 0..module.len() {
        read(&module[..length]);
    }
    for at in 0..module.len() {
        let old = module[at];
        for new in [0, old ^ 1, old ^ 0x1_0000, old.swap_bytes(), 0xffff, u32::MAX] {
            let mut damaged = module.clone();
            damaged[at] = new;
            read(&damaged);
        }
    }
}

#[test]
fn small_modules_stay_whole() {
    assert!(split(&module(40, None), &Limits::DEFAULT).is_none());
    assert!(split(&[], &Limits::DEFAULT).is_none());
    assert!(split(&vec![0; 1 << 16], &Limits::DEFAULT).is_none());
    assert!(split(&vec![u32::MAX; 1 << 16], &Limits::DEFAULT).is_none());
}
