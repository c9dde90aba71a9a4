//! Modules built by hand, each valid in every environment and SPIR-V version.

mod common;

use clc_base::memory_model::*;
use clc_base::{AddressSpace, SourceMap, Version};
use clc_builtins::{Access, ImageKind, Intrinsic};
use clc_ir::*;
use clc_legalise::{Environment, TargetOptions};
use clc_spirv::{disassemble, validate};
use common::{compile, legalise};

/// Every pair of environment and SPIR-V version that is of interest.
fn targets() -> Vec<TargetOptions> {
    let mut targets = Vec::new();
    for environment in [
        Environment::OpenCl { major: 1, minor: 2 },
        Environment::OpenCl { major: 2, minor: 0 },
        Environment::OpenCl { major: 2, minor: 1 },
        Environment::OpenCl { major: 3, minor: 0 },
    ] {
        targets.push(TargetOptions::new(environment));
    }
    for minor in 0..=6 {
        targets.push(TargetOptions { spirv_version: (1, minor), ..TargetOptions::default() });
    }
    targets
}

/// Builds, compiles and validates for each target; gives the text for the newest version.
fn check(build: impl Fn(&mut Module)) -> String {
    check_for(&targets(), build)
}

fn check_for(targets: &[TargetOptions], build: impl Fn(&mut Module)) -> String {
    let mut last = String::new();
    for pointer_size in [4, 8] {
        for options in targets {
            let mut module = Module::new(pointer_size, Version::V1_2);
            build(&mut module);
            let words = compile(&mut module, &SourceMap::new(), options)
                .unwrap_or_else(|errors| panic!("{options:?}: {errors:#?}"));
            last = disassemble(&words);
            if let Err(error) = validate(&words, options) {
                panic!("{options:?}: {error}\n{last}");
            }
        }
    }
    last
}

fn access(align: u32) -> MemoryAccess {
    MemoryAccess { align, flags: MemFlags::default() }
}

/// A kernel whose body `build` writes; it gets the builder and the parameters.
fn kernel(
    module: &mut Module,
    name: &str,
    params: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Value]),
) -> FuncId {
    let mut function = Function::new(name, TypePool::VOID);
    function.entry_point = Some(Box::new(EntryPoint {
        name: name.into(),
        arguments: Vec::new(),
        ..EntryPoint::default()
    }));
    define(module, function, params, build)
}

fn define(
    module: &mut Module,
    mut function: Function,
    params: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Value]),
) -> FuncId {
    let entry = function.add_block();
    let mut values = Vec::new();
    for (index, &ty) in params.iter().enumerate() {
        function.params.push(ty);
        function.param_names.push(format!("p{index}"));
        function.param_attributes.push(ParamAttributes::default());
        values.push(function.add_block_param(entry, ty));
    }
    let mut builder = Builder::new(&mut module.types, &mut module.consts, &mut function, entry);
    build(&mut builder, &values);
    builder.ret(None);
    builder.finish();
    module.functions.push(function)
}

fn global_pointer(module: &mut Module, ty: Type) -> Type {
    module.types.pointer(ty, StorageClass::CrossWorkgroup)
}

#[test]
fn an_empty_module_is_a_library() {
    let text = check(|_| {});
    assert!(text.contains("OpCapability Linkage"), "{text}");
}

#[test]
fn vector_add() {
    let text = check(|module| {
        let pointer = global_pointer(module, TypePool::F32);
        kernel(module, "add", &[pointer, pointer, pointer], |b, params| {
            let size_t = b.types.size_type();
            let zero = b.i32(0);
            let id = b.intrinsic(Intrinsic::GetGlobalId, &[zero], size_t).unwrap();
            let left = b.ptr_add(params[0], id);
            let left = b.load(left, access(4));
            let right = b.ptr_add(params[1], id);
            let right = b.load(right, access(4));
            b.math = MathFlags(MathFlags::FAST);
            let sum = b.binary(BinaryOp::FAdd, left, right);
            let result = b.ptr_add(params[2], id);
            b.store(result, sum, access(4));
        });
    });
    assert!(!text.contains("Linkage"), "{text}");
    assert!(text.contains("FPFastMathMode Fast"), "{text}");
    assert!(text.contains("OpEntryPoint Kernel"), "{text}");
}

#[test]
fn unused_things_are_not_written() {
    let text = check(|module| {
        let double = global_pointer(module, TypePool::F64);
        define(module, Function::new("unused", TypePool::VOID), &[double], |_, _| {});
        module.globals.push(Global {
            name: "unused_variable".into(),
            ty: TypePool::I16,
            class: StorageClass::UniformConstant,
            initializer: None,
            align: 2,
            is_const: true,
            linkage: Linkage::Internal,
            span: clc_base::Span::NONE,
        });
        kernel(module, "k", &[], |_, _| {});
    });
    assert!(!text.contains("unused"), "{text}");
    assert!(!text.contains("Float64") && !text.contains("Int16"), "{text}");
}

#[test]
fn loops_have_phis_and_hints() {
    let text = check(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        kernel(module, "count", &[pointer, TypePool::I32], |b, params| {
            let (header, body, exit) = (b.new_block(), b.new_block(), b.new_block());
            let i = b.function.add_block_param(header, TypePool::I32);
            let sum = b.function.add_block_param(header, TypePool::I32);
            let zero = b.i32(0);
            b.jump(header, &[zero, zero]);
            b.switch_to(header);
            let more = b.compare(CompareOp::SLess, i, params[1]);
            b.branch(more, body, exit);
            b.switch_to(body);
            let sum_next = b.binary(BinaryOp::IAdd, sum, i);
            let one = b.i32(1);
            let next = b.binary(BinaryOp::IAdd, i, one);
            b.jump(header, &[next, sum_next]);
            b.switch_to(exit);
            b.store(params[0], sum, access(4));
            b.function.loop_hints.insert(
                header,
                LoopHint {
                    control: LoopControl::UnrollCount(4),
                    merge: exit,
                    continue_target: body,
                },
            );
        });
    });
    assert_eq!(text.matches("OpPhi").count(), 2, "{text}");
    assert!(text.contains("PartialCount 4"), "{text}");
}

#[test]
fn edges_with_different_values_are_split() {
    let text = check(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        kernel(module, "switch", &[pointer, TypePool::I32, TypePool::BOOL], |_, _| {});
        module.functions = Default::default();
        kernel(module, "switch", &[pointer, TypePool::I32], |b, params| {
            let exit = b.new_block();
            let result = b.function.add_block_param(exit, TypePool::I32);
            let values: Vec<Value> = (0..4).map(|value| b.i32(value % 3)).collect();
            let default = b.call_block(exit, &[params[1]]);
            let cases = values
                .iter()
                .enumerate()
                .map(|(value, &argument)| SwitchCase {
                    value: value as u64,
                    target: b.call_block(exit, &[argument]),
                })
                .collect();
            b.terminate(Terminator::Switch { selector: params[1], default, cases });
            b.switch_to(exit);
            let out = b.new_block();
            let zero = b.i32(0);
            let condition = b.compare(CompareOp::Equal, result, zero);
            let chosen = b.function.add_block_param(out, TypePool::I32);
            let then = b.call_block(out, &[zero]);
            let otherwise = b.call_block(out, &[result]);
            b.terminate(Terminator::Branch { condition, then, otherwise });
            b.switch_to(out);
            b.store(params[0], chosen, access(4));
        });
    });
    // The block itself and one edge for each of 0, 1 and 2; two edges of the branch.
    assert_eq!(text.matches("OpPhi").count(), 2, "{text}");
}

#[test]
fn structs_packed_recursive_and_by_value() {
    let text = check(|module| {
        let (node_id, node) = module.types.declare_struct();
        let to_node = module.types.pointer(node, StorageClass::CrossWorkgroup);
        let to_to_node = module.types.pointer(to_node, StorageClass::CrossWorkgroup);
        let four = module.types.array(to_node, 4);
        let size = module.types.pointer_size;
        module.types.set_struct(
            node_id,
            StructData {
                name: "node".into(),
                fields: vec![to_node, to_to_node, TypePool::I32, four],
                field_names: vec!["next".into(), "links".into(), "value".into(), "all".into()],
                offsets: vec![0, size, 2 * size, 3 * size],
                size: 7 * size,
                align: size,
                packed: false,
            },
        );
        let (packed_id, packed) = module.types.declare_struct();
        module.types.set_struct(
            packed_id,
            StructData {
                name: "packed".into(),
                fields: vec![TypePool::I8, TypePool::I32],
                field_names: vec!["a".into(), "b".into()],
                offsets: vec![0, 1],
                size: 5,
                align: 1,
                packed: true,
            },
        );
        let to_packed = global_pointer(module, packed);
        kernel(module, "walk", &[to_node, to_packed, packed], |b, params| {
            let zero = b.i32(0);
            let two = b.i32(2);
            let one = b.i32(1);
            let next = b.access(params[0], &[zero]);
            let next = b.load(next, access(size as u32));
            let value = b.access(next, &[two]);
            let value = b.load(value, access(4));
            let element = b.ptr_add(params[1], two);
            let field = b.access(element, &[one]);
            b.store(field, value, access(1));
            let whole = b.ptr_add(params[1], one);
            b.store(whole, params[2], access(1));
        });
    });
    assert!(text.contains("OpTypeForwardPointer"), "{text}");
    assert!(text.contains("CPacked"), "{text}");
    assert!(text.contains("FuncParamAttr ByVal"), "{text}");
    // `p[2].b` is one access chain.
    assert_eq!(text.matches("OpInBoundsPtrAccessChain").count(), 2, "{text}");
}

#[test]
fn constants_of_every_kind() {
    check(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        let array = module.types.array(TypePool::I8, 4);
        let text =
            b"abc\0".map(|byte| module.consts.intern(Const::Int(TypePool::I8, u64::from(byte))));
        let text = module.consts.intern(Const::Composite(array, text.into()));
        let variable = |name: &str, ty, class, initializer| Global {
            name: name.into(),
            ty,
            class,
            initializer,
            align: 16,
            is_const: class == StorageClass::UniformConstant,
            linkage: Linkage::Internal,
            span: clc_base::Span::NONE,
        };
        let string = module.globals.push(variable(
            "string",
            array,
            StorageClass::UniformConstant,
            Some(text),
        ));
        let to_array = module.types.pointer(array, StorageClass::UniformConstant);
        let to_char = module.types.pointer(TypePool::I8, StorageClass::UniformConstant);
        let address = module.consts.intern(Const::GlobalAddress(to_array, string));
        let zero = module.consts.intern(Const::Int(TypePool::I32, 0));
        let first = module.consts.intern(Const::Access {
            ty: to_char,
            base: address,
            step: 0,
            indices: [zero].into(),
        });
        let second = module.consts.intern(Const::Access {
            ty: to_char,
            base: first,
            step: -1,
            indices: [].into(),
        });
        let null = module.consts.intern(Const::Null(to_char));
        let table = module.types.array(to_char, 3);
        let table_value =
            module.consts.intern(Const::Composite(table, [first, second, null].into()));
        let table_id = module.globals.push(variable(
            "table",
            table,
            StorageClass::UniformConstant,
            Some(table_value),
        ));
        let addresses = module.types.array(to_array, 2);
        let addresses_value =
            module.consts.intern(Const::Composite(addresses, [address, address].into()));
        let addresses_id = module.globals.push(variable(
            "addresses",
            addresses,
            StorageClass::UniformConstant,
            Some(addresses_value),
        ));
        let local_array = module.types.array(TypePool::F32, 64);
        let local =
            module.globals.push(variable("tile", local_array, StorageClass::Workgroup, None));
        kernel(module, "k", &[pointer], |b, params| {
            let four = b.types.vector(TypePool::F32, 4);
            let bools = b.types.vector(TypePool::BOOL, 4);
            let null = b.zero(four);
            let undefined = b.undef(four);
            let truth = b.bool(true);
            let mask = b.construct(bools, &[truth; 4]);
            let chosen = b.select(mask, null, undefined);
            let one = b.consts.intern(Const::Float(TypePool::F64, 1f64.to_bits()));
            let one = b.convert(ConvertOp::FToF, one, TypePool::F32);
            let half = b.convert(ConvertOp::FToF, one, TypePool::F16);
            let whole = b.convert_with(ConvertOp::FToS, half, TypePool::I8, None, true);
            let whole = b.convert(ConvertOp::SignExtend, whole, TypePool::I64);
            let whole = b.convert(ConvertOp::Truncate, whole, TypePool::I32);
            b.store(params[0], whole, access(4));
            let _ = chosen;
            for (id, ty, index) in
                [(table_id, table, 1), (addresses_id, addresses, 0), (local, local_array, 5)]
            {
                let class = if id == local {
                    StorageClass::Workgroup
                } else {
                    StorageClass::UniformConstant
                };
                let pointer = b.types.pointer(ty, class);
                let base = b.consts.intern(Const::GlobalAddress(pointer, id));
                let index = b.i32(index);
                let part = b.access(base, &[index]);
                b.load(part, access(4));
            }
            let size_t = b.types.size_type();
            let number = b.consts.intern(Const::Cast { ty: size_t, operand: first });
            let number = match b.types.pointer_size {
                8 => b.convert(ConvertOp::Truncate, number, TypePool::I32),
                _ => number,
            };
            b.store(params[0], number, access(4));
        });
    });
}

#[test]
fn pointers_compare_convert_and_become_generic() {
    let text = check_for(&targets()[1..], |module| {
        let global = global_pointer(module, TypePool::I32);
        let bytes = global_pointer(module, TypePool::I8);
        let local = module.types.pointer(TypePool::I32, StorageClass::Workgroup);
        let generic = module.types.pointer(TypePool::I32, StorageClass::Generic);
        kernel(module, "k", &[global, global, local], |b, params| {
            let equal = b.compare(CompareOp::Equal, params[0], params[1]);
            let less = b.compare(CompareOp::ULess, params[0], params[1]);
            let both = b.binary(BinaryOp::And, equal, less);
            let (one, zero) = (b.i32(1), b.i32(0));
            let number = b.select(both, one, zero);
            let left = b.convert(ConvertOp::ToGeneric, params[0], generic);
            let right = b.convert(ConvertOp::ToGeneric, params[2], generic);
            let chosen = b.select(both, left, right);
            b.store(chosen, number, access(4));
            let back = b.generic_to(chosen, AddressSpace::Global, global);
            let back = b.bitcast(back, bytes);
            let size_t = b.types.size_type();
            let address = b.convert(ConvertOp::PtrToInt, back, size_t);
            let back = b.convert(ConvertOp::IntToPtr, address, global);
            b.store(back, number, access(4));
            let from = b.convert(ConvertOp::FromGeneric, chosen, global);
            let size = b.int(size_t, 16);
            b.copy_memory(from, back, size, access(4));
            let nothing = b.int(size_t, 0);
            b.copy_memory(from, back, nothing, access(4));
        });
    });
    assert_eq!(text.matches("OpCopyMemorySized").count(), 1, "{text}");
    assert!(text.contains("OpPtrEqual"), "{text}");
}

#[test]
fn a_kernel_that_is_called_becomes_a_body_and_an_entry() {
    let text = check(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        let inner = kernel(module, "inner", &[pointer], |b, params| {
            let one = b.i32(1);
            b.store(params[0], one, access(4));
        });
        kernel(module, "outer", &[pointer], |b, params| {
            b.call(inner, &[params[0]], TypePool::VOID);
        });
    });
    assert_eq!(text.matches("OpEntryPoint").count(), 2, "{text}");
    assert_eq!(text.matches("= OpFunction ").count(), 3, "{text}");
    // The entry alone has the kernel's name: drivers take names for symbols.
    assert_eq!(text.matches("\"inner\"").count(), 2, "{text}");
    assert!(text.contains("\"__clang_ocl_kern_imp_inner\""), "{text}");
}

#[test]
fn interfaces_follow_calls() {
    let text = check(|module| {
        let local = module.globals.push(Global {
            name: "shared_value".into(),
            ty: TypePool::I32,
            class: StorageClass::Workgroup,
            initializer: None,
            align: 4,
            is_const: false,
            linkage: Linkage::Internal,
            span: clc_base::Span::NONE,
        });
        let pointer = module.types.pointer(TypePool::I32, StorageClass::Workgroup);
        let address = module.consts.intern(Const::GlobalAddress(pointer, local));
        let helper = define(module, Function::new("helper", TypePool::VOID), &[], |b, _| {
            let value = b.load(address, access(4));
            b.store(address, value, access(4));
        });
        kernel(module, "k", &[], |b, _| {
            b.call(helper, &[], TypePool::VOID);
            let fence = Fence {
                memory: FenceMemory::LOCAL,
                order: MemoryOrder::SequentiallyConsistent,
                scope: MemoryScope::WorkGroup,
            };
            b.barrier(BarrierScope::WorkGroup, BarrierPart::Whole, fence);
        });
    });
    let entry = text.lines().find(|line| line.contains("OpEntryPoint")).unwrap();
    assert_eq!(entry.matches('%').count(), 2, "{entry}");
}

#[test]
fn vectors_of_three_keep_their_width() {
    check(|module| {
        let three = module.types.vector(TypePool::I32, 3);
        let floats = module.types.vector(TypePool::F32, 3);
        let to_three = global_pointer(module, three);
        kernel(module, "k", &[to_three], |b, params| {
            let value = b.load(params[0], access(16));
            let value = b.bitcast(value, floats);
            let back = b.bitcast(value, three);
            let index = b.i32(1);
            let element = b.extract_dynamic(back, index);
            let back = b.insert_dynamic(back, element, index);
            let back = b.insert(back, element, &[0]);
            let back = b.shuffle(back, back, &[2, 1, 0]);
            b.store(params[0], back, access(16));
        });
    });
}

#[test]
fn images_and_opaque_types_are_parameters() {
    let text = check(|module| {
        let image = |module: &mut Module, kind, access| {
            module.types.intern(TypeKind::Image(ImageType { kind, access, texel: None }))
        };
        let params = [
            image(module, ImageKind::Image2d, Access::ReadOnly),
            image(module, ImageKind::Image3d, Access::WriteOnly),
            image(module, ImageKind::Image1dBuffer, Access::ReadOnly),
            module.types.intern(TypeKind::Sampler),
        ];
        kernel(module, "k", &params, |_, _| {});
    });
    assert!(text.contains("OpCapability SampledBuffer"), "{text}");
}

#[test]
fn argument_information_is_written_as_translators_read_it() {
    let mut module = Module::new(8, Version::V2_0);
    let pointer = global_pointer(&mut module, TypePool::F32);
    let id = kernel(&mut module, "k", &[pointer, TypePool::I32], |_, _| {});
    let entry = module.functions[id].entry_point.as_mut().unwrap();
    entry.reqd_work_group_size = Some([8, 8, 1]);
    entry.sub_group_size = Some(16);
    entry.contraction_off = true;
    for (name, type_name, qualifiers) in [("x", "float*", "const restrict"), ("n", "int", "")] {
        entry.arguments.push(KernelArgument {
            name: name.into(),
            type_name: type_name.into(),
            type_qualifiers: qualifiers.into(),
            access: None,
            address_space: AddressSpace::Global,
        });
    }
    module.functions[id].param_attributes[0] =
        ParamAttributes { no_alias: true, no_write: true, align: 4, ..Default::default() };
    let options = TargetOptions { kernel_arg_info: true, names: false, ..TargetOptions::default() };
    let words = compile(&mut module, &SourceMap::new(), &options).unwrap();
    let text = disassemble(&words);
    validate(&words, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for expected in [
        "\"kernel_arg_type.k.float*,int,\"",
        "\"kernel_arg_type_qual.k.const restrict,,\"",
        "LocalSize 8 8 1",
        "SubgroupSize 16",
        "ContractionOff",
        "FuncParamAttr NoAlias",
        "FuncParamAttr NoWrite",
        "OpSource OpenCL_C 200000",
        "\"p0\"",
    ] {
        assert!(text.contains(expected), "{expected} is missing in\n{text}");
    }
}

#[test]
fn lines_come_from_spans() {
    let mut map = SourceMap::new();
    let file = map.add_file("a.cl", "one\ntwo\nthree\n", None).unwrap();
    let lo = map.file(file).lo;
    let mut module = Module::new(8, Version::V1_2);
    let pointer = global_pointer(&mut module, TypePool::I32);
    kernel(&mut module, "k", &[pointer], |b, params| {
        b.location.span = clc_base::Span::new(lo + 5, lo + 6);
        let value = b.load(params[0], access(4));
        b.store(params[0], value, access(4));
        b.location.span = clc_base::Span::new(lo + 8, lo + 9);
    });
    let options =
        TargetOptions { debug: clc_legalise::DebugLevel::Lines, ..TargetOptions::default() };
    let words = compile(&mut module, &map, &options).unwrap();
    let text = disassemble(&words);
    validate(&words, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(text.contains("OpString \"a.cl\""), "{text}");
    assert_eq!(text.matches("OpLine").count(), 2, "{text}");
    assert!(text.contains(" 2 2\n"), "{text}");
}

#[test]
fn large_switches_and_tables() {
    check(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        let array = module.types.array(TypePool::I32, 60_000);
        let elements: Box<[Value]> = (0..60_000)
            .map(|value| module.consts.intern(Const::Int(TypePool::I32, value % 1000)))
            .collect();
        let table = module.consts.intern(Const::Composite(array, elements));
        let table = module.globals.push(Global {
            name: "table".into(),
            ty: array,
            class: StorageClass::UniformConstant,
            initializer: Some(table),
            align: 4,
            is_const: true,
            linkage: Linkage::Internal,
            span: clc_base::Span::NONE,
        });
        kernel(module, "k", &[pointer, TypePool::I64, TypePool::I8], |b, params| {
            let (out, other) = (b.new_block(), b.new_block());
            let default = b.call_block(other, &[]);
            let target = b.call_block(out, &[]);
            let cases =
                (0..45_000).map(|value| SwitchCase { value: value << 20, target }).collect();
            b.terminate(Terminator::Switch { selector: params[1], default, cases });
            b.switch_to(other);
            let cases = vec![SwitchCase { value: 255, target }];
            b.terminate(Terminator::Switch { selector: params[2], default: target, cases });
            b.switch_to(out);
            let to_array = b.types.pointer(array, StorageClass::UniformConstant);
            let address = b.consts.intern(Const::GlobalAddress(to_array, table));
            let element = b.access(address, &[params[1]]);
            let element = b.load(element, access(4));
            b.store(params[0], element, access(4));
        });
    });
}

fn errors(build: impl Fn(&mut Module)) -> Vec<&'static str> {
    let mut module = Module::new(8, Version::V2_0);
    build(&mut module);
    let errors = compile(&mut module, &SourceMap::new(), &TargetOptions::default());
    errors.expect_err("this cannot be compiled").iter().map(|error| error.code.id).collect()
}

#[test]
fn what_spirv_cannot_say_is_an_error() {
    let recursion = errors(|module| {
        let next = module.functions.next_id();
        let helper = define(module, Function::new("f", TypePool::VOID), &[], |b, _| {
            b.call(next, &[], TypePool::VOID);
        });
        kernel(module, "k", &[], |b, _| {
            b.call(helper, &[], TypePool::VOID);
        });
    });
    assert_eq!(recursion, ["E0701"]);

    // The address is not the first constant of the instruction.
    let address = errors(|module| {
        let pointer = global_pointer(module, TypePool::I64);
        let null = module.consts.intern(Const::Null(pointer));
        let helper = define(module, Function::new("f", TypePool::VOID), &[], |_, _| {});
        let address = module.consts.intern(Const::FunctionAddress(TypePool::I64, helper));
        kernel(module, "k", &[], |b, _| b.store(null, address, access(8)));
    });
    assert_eq!(address, ["E0702"]);

    let table = errors(|module| {
        let pointer = global_pointer(module, TypePool::I32);
        let array = module.types.array(TypePool::I32, 70_000);
        let zero = module.consts.intern(Const::Int(TypePool::I32, 1));
        let table =
            module.consts.intern(Const::Composite(array, vec![zero; 70_000].into_boxed_slice()));
        kernel(module, "k", &[pointer], |b, params| {
            let first = b.extract(table, &[0]);
            b.store(params[0], first, access(4));
        });
    });
    assert_eq!(table, ["E0704"]);

    let cycle = errors(|module| {
        let bytes = global_pointer(module, TypePool::I8);
        let to_bytes = global_pointer(module, bytes);
        let id = module.globals.next_id();
        let address = module.consts.intern(Const::GlobalAddress(to_bytes, id));
        let initializer = module.consts.intern(Const::Cast { ty: bytes, operand: address });
        module.globals.push(Global {
            name: "self".into(),
            ty: bytes,
            class: StorageClass::CrossWorkgroup,
            initializer: Some(initializer),
            align: 8,
            is_const: false,
            linkage: Linkage::Export,
            span: clc_base::Span::NONE,
        });
    });
    assert_eq!(cycle, ["E0705"]);
}

/// Where kernels have no parameters any more.
const FIRST_HALF: &str = "shader-arguments";

#[test]
fn environments_lack_features() {
    let mut module = Module::new(8, Version::V2_0);
    let generic = module.types.pointer(TypePool::I32, StorageClass::Generic);
    let mut helper = Function::new("f", TypePool::VOID);
    helper.linkage = Linkage::Export;
    define(&mut module, helper, &[generic], |_, _| {});
    let options = TargetOptions::new(Environment::OpenCl { major: 1, minor: 2 });
    let errors = compile(&mut module, &SourceMap::new(), &options).unwrap_err();
    assert_eq!(errors[0].code.id, "E0708");
    let mut options = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let errors = legalise(&mut module, &options, Some(FIRST_HALF)).unwrap_err();
    assert_eq!(errors[0].message, "there is no kernel to compile");
    options.spirv_version = (1, 2);
    let errors = legalise(&mut module, &options, Some(FIRST_HALF)).unwrap_err();
    assert_eq!(errors[0].code.id, "E0700");
}

#[test]
fn junk_is_rejected_and_not_fatal() {
    let options = TargetOptions::default();
    assert!(validate(&[], &options).is_err());
    assert!(validate(&[1, 2, 3, 4, 5, 6, 7, 8], &options).is_err());
    assert!(validate(&[0x0723_0203, 0x10000, 0, 9, 0, 0xffff_0005], &options).is_err());
    assert!(disassemble(&[1, 2, 3]).starts_with(';'));
}
