//! The variables that kernels read what is pushed from, or what is in a uniform buffer.

use clc_base::Span;
use clc_ir::{Global, GlobalId, Linkage, Module, StorageClass, StructData, Type};
use rustc_hash::FxHashMap;

/// A part of the block, as the entry reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Member {
    /// In bytes.
    pub offset: u32,
    pub ty: Type,
}

/// By class and contents: the variable, and its type. Kernels whose blocks are alike share them.
pub(super) type Blocks = FxHashMap<(StorageClass, Vec<Member>), (GlobalId, Type)>;

/// The variable of a class that the members are read from; `None` if there are none.
pub(super) fn variable(
    module: &mut Module,
    class: StorageClass,
    members: Vec<Member>,
    blocks: &mut Blocks,
) -> Option<(GlobalId, Type)> {
    if members.is_empty() {
        return None;
    }
    if let Some(&known) = blocks.get(&(class, members.clone())) {
        return Some(known);
    }
    let (id, ty) = module.types.declare_struct();
    let size = members.last().map_or(0, |last| u64::from(last.offset) + module.types.size(last.ty));
    module.types.set_struct(
        id,
        StructData {
            name: "arguments".to_owned(),
            fields: members.iter().map(|member| member.ty).collect(),
            field_names: vec![String::new(); members.len()],
            offsets: members.iter().map(|member| u64::from(member.offset)).collect(),
            size,
            align: 4,
            packed: true,
        },
    );
    let global = module.globals.push(Global {
        name: "arguments".to_owned(),
        ty,
        class,
        initializer: None,
        align: 16,
        is_const: true,
        linkage: Linkage::Internal,
        span: Span::NONE,
    });
    blocks.insert((class, members), (global, ty));
    Some((global, ty))
}
