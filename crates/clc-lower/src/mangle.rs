//! Names of overloaded functions in other modules.
//!
//! Overloads share their name in the source, so a name of its own is made of each one's name and
//! parameter types, in the scheme of the Itanium C++ ABI with the vendor extensions that other
//! compilers to SPIR-V use: `float4 f(global const float *)` is `_Z1fPU3AS1Kf`. Modules of theirs
//! and ours can so be linked.

use std::fmt::Write as _;

use clc_base::{AddressSpace, Interner};
use clc_builtins::Access;
use clc_sema::hir::{self, LocalId};
use clc_sema::types::{MatrixType, QualType, Scalar, Type, TypeId, TypeTable};

pub(crate) fn function(types: &TypeTable, names: &Interner, function: &hir::Function) -> String {
    let name = names.resolve(function.name);
    let mut mangler =
        Mangler { types, names, out: format!("_Z{}{name}", name.len()), known: Vec::new() };
    if function.param_count == 0 {
        mangler.out.push('v');
    }
    for index in 0..function.param_count {
        mangler.ty(function.locals[LocalId(index)].ty.ty);
    }
    mangler.out
}

struct Mangler<'a> {
    types: &'a TypeTable,
    names: &'a Interner,
    out: String,
    /// The substitution candidates (5.1.9): what was mangled before and is not a builtin type.
    known: Vec<(QualType, Option<AddressSpace>)>,
}

impl Mangler<'_> {
    fn ty(&mut self, ty: TypeId) {
        // A chain of pointers may be long.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.unqualified(ty));
    }

    fn unqualified(&mut self, ty: TypeId) {
        let key = (QualType::unqualified(ty), None);
        let types = self.types;
        match types.get(ty) {
            Type::Void => self.out.push('v'),
            Type::Scalar(scalar) => self.out.push_str(self.scalar(*scalar)),
            Type::Vector(scalar, count) => {
                if self.substituted(key) {
                    return;
                }
                let _ = write!(self.out, "Dv{count}_{}", self.scalar(*scalar));
                self.known.push(key);
            }
            Type::Pointer { pointee, space } => {
                if self.substituted(key) {
                    return;
                }
                self.out.push('P');
                self.qualified(*pointee, *space);
                self.known.push(key);
            }
            Type::Array { element, len } => {
                if self.substituted(key) {
                    return;
                }
                let _ = match len {
                    Some(len) => write!(self.out, "A{len}_"),
                    None => write!(self.out, "A_"),
                };
                self.qualified(*element, AddressSpace::Private);
                self.known.push(key);
            }
            Type::Record(id) => {
                let record = &types.records[*id];
                let name = record.tag.or(record.typedef_name).map(|name| self.names.resolve(name));
                self.named(key, name.unwrap_or("anonymous"));
            }
            Type::Enum(id) => {
                let name = types.enums[*id].tag.map(|name| self.names.resolve(name));
                self.named(key, name.unwrap_or("anonymous"));
            }
            Type::Atomic(scalar) => {
                if self.substituted(key) {
                    return;
                }
                let _ = write!(self.out, "U7_Atomic{}", self.scalar(*scalar));
                self.known.push(key);
            }
            Type::AtomicFlag => {
                if self.substituted(key) {
                    return;
                }
                self.out.push_str("U7_Atomici");
                self.known.push(key);
            }
            Type::Function(function) | Type::Block(function) => {
                if self.substituted(key) {
                    return;
                }
                if let Type::Block(_) = types.get(ty) {
                    self.out.push_str("U13block_pointer");
                }
                self.out.push('F');
                self.ty(function.result);
                for &param in &function.params {
                    self.ty(param);
                }
                if function.params.is_empty() {
                    self.out.push('v');
                }
                self.out.push('E');
                self.known.push(key);
            }
            Type::Image(kind, access) => {
                let name = kind.name();
                let suffix = match access {
                    Access::ReadOnly => "ro",
                    Access::WriteOnly => "wo",
                    Access::ReadWrite => "rw",
                };
                let name = format!("ocl_{}_{suffix}", name.trim_end_matches("_t"));
                self.builtin(&name);
            }
            Type::Sampler => self.builtin("ocl_sampler"),
            Type::Event => self.builtin("ocl_event"),
            Type::Queue => self.builtin("ocl_queue"),
            Type::ClkEvent => self.builtin("ocl_clkevent"),
            Type::ReserveId => self.builtin("ocl_reserveid"),
            Type::MatrixOfContext => {}
            // The ABI has no name for them.
            Type::Matrix(matrix) => {
                let MatrixType { element, rows, columns, role } = matrix;
                self.builtin(&format!("coop_mat_{}_{rows}_{columns}_{role:?}", element.name()));
            }
            Type::NdRange => self.named(key, "ndrange_t"),
            Type::Pipe { .. } => self.builtin("ocl_pipe"),
            // Nothing with errors is lowered.
            Type::Error => {}
        }
    }

    /// What a pointer points to.
    fn qualified(&mut self, ty: QualType, space: AddressSpace) {
        let number = match space {
            AddressSpace::Private => None,
            AddressSpace::Global => Some(1),
            AddressSpace::Constant => Some(2),
            AddressSpace::Local => Some(3),
            AddressSpace::Generic => Some(4),
        };
        let quals = ty.quals;
        // `private` is a qualifier that is not written, but counts as a candidate.
        let key = (ty, Some(space));
        if self.substituted(key) {
            return;
        }
        if let Some(number) = number {
            let _ = write!(self.out, "U3AS{number}");
        }
        for (set, letter) in
            [(quals.is_restrict, 'r'), (quals.is_volatile, 'V'), (quals.is_const, 'K')]
        {
            if set {
                self.out.push(letter);
            }
        }
        self.ty(ty.ty);
        self.known.push(key);
    }

    /// Writes `S_`, `S0_`, … if `key` was mangled before.
    fn substituted(&mut self, key: (QualType, Option<AddressSpace>)) -> bool {
        let Some(index) = self.known.iter().position(|&known| known == key) else { return false };
        self.out.push('S');
        if let Some(number) = index.checked_sub(1) {
            // Base 36 in capitals.
            let digit = |n: usize| char::from_digit(n as u32 % 36, 36).unwrap_or('0');
            let mut digits = vec![digit(number).to_ascii_uppercase()];
            let mut rest = number / 36;
            while rest > 0 {
                digits.push(digit(rest).to_ascii_uppercase());
                rest /= 36;
            }
            self.out.extend(digits.iter().rev());
        }
        self.out.push('_');
        true
    }

    fn named(&mut self, key: (QualType, Option<AddressSpace>), name: &str) {
        if !self.substituted(key) {
            self.builtin(name);
            self.known.push(key);
        }
    }

    fn builtin(&mut self, name: &str) {
        let _ = write!(self.out, "{}{name}", name.len());
    }

    fn scalar(&self, scalar: Scalar) -> &'static str {
        match scalar {
            Scalar::Bool => "b",
            Scalar::Char => "c",
            Scalar::UChar => "h",
            Scalar::Short => "s",
            Scalar::UShort => "t",
            Scalar::Int => "i",
            Scalar::UInt => "j",
            Scalar::Long => "l",
            Scalar::ULong => "m",
            Scalar::Half => "Dh",
            Scalar::Float => "f",
            Scalar::Double => "d",
        }
    }
}
