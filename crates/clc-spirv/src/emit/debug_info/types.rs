//! The types of the source.

use clc_ir::debug::{DebugType, Encoding, Part, Qualifier, TypeInfo};
use clc_ir::{StorageClass, TypePool};

use super::{FLAG_FORWARD, number};
use crate::emit::{Id, ModuleEmitter};

impl ModuleEmitter<'_> {
    pub(super) fn debug_type(&mut self, ty: DebugType) -> Id {
        if let Some(&id) = self.info().types.get(&ty) {
            return id;
        }
        let tables = self.debug_tables.expect("types are of a table");
        let id = match &tables.types[ty] {
            TypeInfo::Basic { name, size, encoding } => {
                let encoding = match encoding {
                    Encoding::Unspecified => 0,
                    Encoding::Boolean => 2,
                    Encoding::Float => 3,
                    Encoding::Signed => 4,
                    Encoding::SignedChar => 5,
                    Encoding::Unsigned => 6,
                    Encoding::UnsignedChar => 7,
                };
                let mut operands =
                    vec![self.debug_string(name), self.bits(*size), self.number(encoding)];
                if self.shader.is_some() {
                    operands.push(self.number(0));
                }
                self.declare_debug(number::TYPE_BASIC, &operands)
            }
            TypeInfo::Pointer { pointee, class } => {
                let pointee = self.debug_pointee(*pointee);
                let class = self.debug_class(*class);
                let operands = [pointee, self.number(class), self.number(0)];
                self.declare_debug(number::TYPE_POINTER, &operands)
            }
            TypeInfo::Qualified { ty, qualifier } => {
                let ty = self.debug_type(*ty);
                let qualifier = match qualifier {
                    Qualifier::Const => 0,
                    Qualifier::Volatile => 1,
                    Qualifier::Restrict => 2,
                    Qualifier::Atomic => 3,
                };
                let operands = [ty, self.number(qualifier)];
                self.declare_debug(number::TYPE_QUALIFIER, &operands)
            }
            // A DebugTypeVector has at most four components.
            &TypeInfo::Vector { element, count } if count <= 4 => {
                let operands = [self.debug_type(element), self.number(count)];
                self.declare_debug(number::TYPE_VECTOR, &operands)
            }
            &TypeInfo::Vector { element, count } => {
                let operands = [self.debug_type(element), self.u32_constant(count)];
                self.declare_debug(number::TYPE_ARRAY, &operands)
            }
            &TypeInfo::Array { element, len } => {
                let mut operands = vec![self.debug_type(element)];
                if let Some(len) = u32::try_from(len).ok().filter(|&len| len > 0) {
                    operands.push(self.u32_constant(len));
                }
                self.declare_debug(number::TYPE_ARRAY, &operands)
            }
            TypeInfo::Record { .. } => self.debug_record(ty),
            TypeInfo::Enum { name, underlying, values, span } => {
                let mut operands = vec![self.debug_string(name), self.debug_type(*underlying)];
                operands.extend(self.debug_place(*span));
                let size = match tables.types[*underlying] {
                    TypeInfo::Basic { size, .. } => size,
                    _ => 4,
                };
                let unit = self.info().unit;
                operands.extend([unit, self.bits(size), self.number(0)]);
                for (name, value) in values {
                    let constant = match size {
                        0..=4 => self.u32_constant(*value as u32),
                        _ if self.is_declared(TypePool::I64) => {
                            self.int_constant(TypePool::I64, *value as u64)
                        }
                        _ => continue,
                    };
                    operands.extend([constant, self.debug_string(name)]);
                }
                self.declare_debug(number::TYPE_ENUM, &operands)
            }
        };
        // What is made of a stand-in is declared again once the record is known.
        if self.info().open.iter().all(|(_, forward)| forward.is_none()) {
            self.info().types.insert(ty, id);
        }
        id
    }

    /// The type that a pointer points to: what stands for it where it is a record whose members are
    /// being declared, for no type may be named before it is there.
    fn debug_pointee(&mut self, ty: DebugType) -> Id {
        let Some(index) = self.info().open.iter().position(|&(open, _)| open == ty) else {
            return self.debug_type(ty);
        };
        if let Some(forward) = self.info().open[index].1 {
            return forward;
        }
        let none = self.info().none;
        let operands = self.debug_composite(ty, none, FLAG_FORWARD);
        let id = self.declare_debug(number::TYPE_COMPOSITE, &operands);
        self.info().open[index].1 = Some(id);
        id
    }

    /// The operands of DebugTypeComposite but for the members.
    fn debug_composite(&mut self, ty: DebugType, size: Id, flags: u32) -> Vec<u32> {
        let tables = self.debug_tables.expect("types are of a table");
        let TypeInfo::Record { name, is_union, span, .. } = &tables.types[ty] else {
            unreachable!("the type is a record")
        };
        let name = self.debug_string(name);
        let tag = self.number(if *is_union { 2 } else { 1 });
        let [source, line, column] = self.debug_place(*span);
        let unit = self.info().unit;
        vec![name, tag, source, line, column, unit, name, size, self.number(flags)]
    }

    fn debug_record(&mut self, ty: DebugType) -> Id {
        let tables = self.debug_tables.expect("types are of a table");
        let TypeInfo::Record { size, members, .. } = &tables.types[ty] else {
            unreachable!("the type is a record")
        };
        self.info().open.push((ty, None));
        let types: Vec<Id> = members.iter().map(|member| self.debug_type(member.ty)).collect();
        self.info().open.pop();
        let size = self.bits(*size);
        let mut operands = self.debug_composite(ty, size, 0);
        let is_shader = self.shader.is_some();
        let mut id = 0;
        if !is_shader {
            // Members name the record, and the record those that follow.
            id = self.fresh_id();
            let first = self.next_id;
            self.next_id += members.len() as u32;
            operands.extend((0..members.len() as u32).map(|index| first + index));
            self.declare_debug_as(id, number::TYPE_COMPOSITE, &operands);
        }
        for (index, (member, ty)) in members.iter().zip(types).enumerate() {
            let mut member_operands = vec![self.debug_string(&member.name), ty];
            member_operands.extend(self.debug_place(member.span));
            if !is_shader {
                member_operands.push(id);
            }
            let (offset, size) = (self.bits(member.offset), self.bits(member.size));
            member_operands.extend([offset, size, self.number(0)]);
            if is_shader {
                operands.push(self.declare_debug(number::TYPE_MEMBER, &member_operands));
            } else {
                let id = id + 1 + index as u32;
                self.declare_debug_as(id, number::TYPE_MEMBER, &member_operands);
            }
        }
        match is_shader {
            true => self.declare_debug(number::TYPE_COMPOSITE, &operands),
            false => id,
        }
    }

    /// The storage class that a pointer of the source has; on Vulkan, buffers have addresses. A generic
    /// pointer of the source needs the capability where no instruction has one left, too.
    fn debug_class(&mut self, class: StorageClass) -> u32 {
        let class = match class {
            StorageClass::CrossWorkgroup | StorageClass::UniformConstant
                if self.shader.is_some() =>
            {
                spirv::StorageClass::PhysicalStorageBuffer
            }
            StorageClass::Workgroup => spirv::StorageClass::Workgroup,
            StorageClass::CrossWorkgroup => spirv::StorageClass::CrossWorkgroup,
            StorageClass::UniformConstant => spirv::StorageClass::UniformConstant,
            StorageClass::Generic if self.shader.is_none() => return self.storage_class(class),
            StorageClass::Generic => spirv::StorageClass::Generic,
            _ => spirv::StorageClass::Function,
        };
        class as u32
    }

    /// The indices of members and elements that lead to bytes of a type.
    pub(super) fn debug_indexes(&self, ty: DebugType, part: Part) -> Option<Vec<u32>> {
        let tables = self.debug_tables?;
        let (mut ty, mut offset, size) = (ty, u64::from(part.offset), u64::from(part.size));
        let mut path = Vec::new();
        loop {
            if offset == 0 && !path.is_empty() && tables.size(ty)? == size {
                return Some(path);
            }
            let (index, next, start) = match &tables.types[ty] {
                TypeInfo::Qualified { ty: inner, .. } => {
                    ty = *inner;
                    continue;
                }
                TypeInfo::Record { is_union: false, members, .. } => {
                    let holds = |member: &clc_ir::debug::Member| {
                        (member.offset..member.offset + member.size).contains(&offset)
                    };
                    let index = members.iter().position(holds)?;
                    (index as u32, members[index].ty, members[index].offset)
                }
                &TypeInfo::Array { element, .. } | &TypeInfo::Vector { element, .. } => {
                    let index = offset.checked_div(tables.size(element)?)?;
                    (u32::try_from(index).ok()?, element, index * tables.size(element)?)
                }
                TypeInfo::Record { .. }
                | TypeInfo::Basic { .. }
                | TypeInfo::Pointer { .. }
                | TypeInfo::Enum { .. } => return None,
            };
            path.push(index);
            (ty, offset) = (next, offset - start);
        }
    }
}
