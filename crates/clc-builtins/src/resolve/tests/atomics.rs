//! What each function of OpenCL C 6.15.12.7 and of cl_ext_float_atomics needs, by the comments
//! above its declarations there.

use clc_base::lang::AddressBits;
use clc_base::{AddressSpace, Version};

use crate::features::{self as f, Extension, ExtensionSet, Target};
use crate::resolve::resolve;
use crate::types::{BuiltinType, Environment, Scalar};

/// Which types an operation has beyond integers.
#[derive(Clone, Copy, PartialEq)]
enum Operands {
    /// Values of every type move: load, store, exchange.
    Moved,
    Added,
    /// Minimum and maximum.
    Ordered,
    /// Every type of OpenCL C itself; `atomic_half` is not in the extension's list.
    Compared,
    Bits,
    Flag,
}

/// Name, number of values after the pointers, number of orders, operands.
const OPERATIONS: [(&str, usize, usize, Operands); 14] = [
    ("atomic_store", 1, 1, Operands::Moved),
    ("atomic_load", 0, 1, Operands::Moved),
    ("atomic_exchange", 1, 1, Operands::Moved),
    ("atomic_compare_exchange_strong", 1, 2, Operands::Compared),
    ("atomic_compare_exchange_weak", 1, 2, Operands::Compared),
    ("atomic_fetch_add", 1, 1, Operands::Added),
    ("atomic_fetch_sub", 1, 1, Operands::Added),
    ("atomic_fetch_or", 1, 1, Operands::Bits),
    ("atomic_fetch_xor", 1, 1, Operands::Bits),
    ("atomic_fetch_and", 1, 1, Operands::Bits),
    ("atomic_fetch_min", 1, 1, Operands::Ordered),
    ("atomic_fetch_max", 1, 1, Operands::Ordered),
    ("atomic_flag_test_and_set", 0, 1, Operands::Flag),
    ("atomic_flag_clear", 0, 1, Operands::Flag),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Short,
    Order,
    OrderAndScope,
}

/// What the type of the object needs (6.15.12.6, footnotes).
fn of_type(scalar: Scalar) -> Vec<Extension> {
    match scalar {
        Scalar::Long | Scalar::ULong => vec![f::INT64_BASE_ATOMICS, f::INT64_EXTENDED_ATOMICS],
        Scalar::Double => vec![f::INT64_BASE_ATOMICS, f::INT64_EXTENDED_ATOMICS],
        _ => Vec::new(),
    }
}

/// What cl_ext_float_atomics asks for: the feature for global memory, the one for local memory.
/// `None` if neither OpenCL C nor the extension has the operation on the type.
fn of_extension(operands: Operands, scalar: Scalar) -> Option<Vec<[Extension; 2]>> {
    use Operands::*;
    use Scalar::*;
    Some(match (operands, scalar) {
        (Moved, Half) => vec![[
            f::FEATURE_EXT_FP16_GLOBAL_ATOMIC_LOAD_STORE,
            f::FEATURE_EXT_FP16_LOCAL_ATOMIC_LOAD_STORE,
        ]],
        (Added, Half) => {
            vec![[f::FEATURE_EXT_FP16_GLOBAL_ATOMIC_ADD, f::FEATURE_EXT_FP16_LOCAL_ATOMIC_ADD]]
        }
        (Added, Float) => {
            vec![[f::FEATURE_EXT_FP32_GLOBAL_ATOMIC_ADD, f::FEATURE_EXT_FP32_LOCAL_ATOMIC_ADD]]
        }
        (Added, Double) => {
            vec![[f::FEATURE_EXT_FP64_GLOBAL_ATOMIC_ADD, f::FEATURE_EXT_FP64_LOCAL_ATOMIC_ADD]]
        }
        (Ordered, Half) => vec![[
            f::FEATURE_EXT_FP16_GLOBAL_ATOMIC_MIN_MAX,
            f::FEATURE_EXT_FP16_LOCAL_ATOMIC_MIN_MAX,
        ]],
        (Ordered, Float) => vec![[
            f::FEATURE_EXT_FP32_GLOBAL_ATOMIC_MIN_MAX,
            f::FEATURE_EXT_FP32_LOCAL_ATOMIC_MIN_MAX,
        ]],
        (Ordered, Double) => vec![[
            f::FEATURE_EXT_FP64_GLOBAL_ATOMIC_MIN_MAX,
            f::FEATURE_EXT_FP64_LOCAL_ATOMIC_MIN_MAX,
        ]],
        (Bits, Half | Float | Double) | (Compared, Half) => return None,
        _ => Vec::new(),
    })
}

/// Everything that a function needs in OpenCL C 3.0, or `None` if it does not exist.
fn needed(
    operands: Operands,
    scalar: Scalar,
    form: Form,
    space: AddressSpace,
) -> Option<Vec<Extension>> {
    let mut needed = of_type(scalar);
    for [global, local] in of_extension(operands, scalar)? {
        needed.push(f::EXT_FLOAT_ATOMICS);
        match space {
            AddressSpace::Global => needed.push(global),
            AddressSpace::Local => needed.push(local),
            _ => needed.extend([global, local]),
        }
    }
    match scalar {
        Scalar::Half => needed.push(f::FP16),
        // Either name will do; the test removes both together.
        Scalar::Double => needed.push(f::FP64),
        _ => {}
    }
    if !matches!(space, AddressSpace::Global | AddressSpace::Local) {
        needed.push(f::FEATURE_GENERIC_ADDRESS_SPACE);
    }
    match form {
        Form::Short => {
            needed.extend([f::FEATURE_ATOMIC_ORDER_SEQ_CST, f::FEATURE_ATOMIC_SCOPE_DEVICE]);
        }
        Form::Order => needed.push(f::FEATURE_ATOMIC_SCOPE_DEVICE),
        Form::OrderAndScope => {}
    }
    Some(needed)
}

fn exists(
    (name, values, orders, operands): (&str, usize, usize, Operands),
    scalar: Scalar,
    form: Form,
    space: AddressSpace,
    (version, extensions): (Version, &ExtensionSet),
) -> bool {
    let pointer = |pointee, is_volatile| BuiltinType::Pointer {
        pointee: Box::new(pointee),
        space,
        is_const: false,
        is_volatile,
    };
    let object = match operands {
        Operands::Flag => BuiltinType::AtomicFlag,
        _ => BuiltinType::Atomic(scalar),
    };
    let mut arguments = vec![pointer(object, true)];
    if operands == Operands::Compared {
        arguments.push(pointer(BuiltinType::Scalar(scalar), false));
    }
    arguments.extend((0..values).map(|_| BuiltinType::Scalar(scalar)));
    let (orders, scopes) = match form {
        Form::Short => (0, 0),
        Form::Order => (orders, 0),
        Form::OrderAndScope => (orders, 1),
    };
    arguments.extend((0..orders + scopes).map(|_| BuiltinType::Scalar(Scalar::Int)));
    let explicit = format!("{name}_explicit");
    let name = if form == Form::Short { name } else { &explicit };
    let environment = Environment { version, extensions, address_bits: AddressBits::Bits64 };
    resolve(name, &arguments, &environment).is_ok()
}

/// Without `extension` by each of its names.
fn without(all: &ExtensionSet, extension: Extension) -> ExtensionSet {
    let mut set = all.clone();
    set.remove(extension);
    if extension == f::FP64 {
        set.remove(f::FEATURE_FP64);
    }
    set
}

fn each_function(
    mut check: impl FnMut((&'static str, usize, usize, Operands), Scalar, Form, AddressSpace),
) {
    use Scalar::*;
    for operation in OPERATIONS {
        for scalar in [Int, UInt, Long, ULong, Half, Float, Double] {
            if operation.3 == Operands::Flag && scalar != Int {
                continue;
            }
            for form in [Form::Short, Form::Order, Form::OrderAndScope] {
                for space in [
                    AddressSpace::Global,
                    AddressSpace::Local,
                    AddressSpace::Private,
                    AddressSpace::Generic,
                ] {
                    check(operation, scalar, form, space);
                }
            }
        }
    }
}

#[test]
fn each_function_needs_what_its_declaration_says() {
    let all = f::default_set(Version::V3_0, Target::OpenCl);
    let mut wrong = Vec::new();
    each_function(|operation, scalar, form, space| {
        let needed = needed(operation.3, scalar, form, space);
        let what = format!("{} {scalar:?} {form:?} {space:?}", operation.0);
        let found = exists(operation, scalar, form, space, (Version::V3_0, &all));
        if found != needed.is_some() {
            wrong.push(format!("{what}: exists is {found}"));
        }
        let Some(needed) = needed else { return };
        for extension in all.iter() {
            if extension == f::FEATURE_FP64 {
                continue;
            }
            let set = without(&all, extension);
            let found = exists(operation, scalar, form, space, (Version::V3_0, &set));
            if found == needed.contains(&extension) {
                let name = extension.name();
                wrong.push(format!("{what} without {name}: exists is {found}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// OpenCL C 2.0 requires what is optional in 3.0.
#[test]
fn version_2_0_needs_the_extensions_of_the_type_only() {
    let all = f::default_set(Version::V2_0, Target::OpenCl);
    let optional = [
        f::FEATURE_ATOMIC_ORDER_SEQ_CST,
        f::FEATURE_ATOMIC_SCOPE_DEVICE,
        f::FEATURE_GENERIC_ADDRESS_SPACE,
    ];
    let mut wrong = Vec::new();
    each_function(|operation, scalar, form, space| {
        let Some(mut needed) = needed(operation.3, scalar, form, space) else { return };
        needed.retain(|extension| !optional.contains(extension));
        for extension in all.iter() {
            let set = without(&all, extension);
            let found = exists(operation, scalar, form, space, (Version::V2_0, &set));
            if found == needed.contains(&extension) {
                let (name, extension) = (operation.0, extension.name());
                wrong.push(format!("{name} {scalar:?} {form:?} {space:?} without {extension}"));
            }
        }
        if exists(operation, scalar, form, space, (Version::V1_2, &all)) {
            wrong.push(format!("{} {scalar:?} exists in 1.2", operation.0));
        }
    });
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
