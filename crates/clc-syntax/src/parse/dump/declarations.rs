//! Declarations: specifiers, declarators, initializers and attributes.

use clc_base::{Span, Symbol};

use super::Dumper;
use crate::ast::*;

impl Dumper<'_> {
    pub(super) fn static_assert(&mut self, assert: &StaticAssert) {
        self.out.push_str("(static-assert ");
        self.expr(assert.condition);
        for &part in &assert.message {
            self.out.push(' ');
            self.name(part);
        }
        self.out.push(')');
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.out.push_str("(declare ");
        self.specifiers(&declaration.specifiers);
        for item in &declaration.declarators {
            self.out.push(' ');
            self.declarator(&item.declarator);
            self.attributes(&item.attributes);
            if let Some(initializer) = &item.initializer {
                self.out.push_str(" = ");
                self.initializer(initializer);
            }
        }
        self.out.push(')');
    }

    pub(super) fn specifiers(&mut self, specifiers: &[Specifier]) {
        self.out.push('(');
        self.specifier_list(specifiers);
        self.out.push(')');
    }

    fn specifier_list(&mut self, specifiers: &[Specifier]) {
        for (index, specifier) in specifiers.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.specifier(specifier);
        }
    }

    fn specifier(&mut self, specifier: &Specifier) {
        match &specifier.kind {
            SpecifierKind::Storage(storage) => self.out.push_str(match storage {
                StorageSpecifier::Typedef => "typedef",
                StorageSpecifier::Extern => "extern",
                StorageSpecifier::Static => "static",
                StorageSpecifier::Auto => "auto",
                StorageSpecifier::Register => "register",
            }),
            SpecifierKind::Qualifier(qualifier) => self.out.push_str(match qualifier {
                Qualifier::Const => "const",
                Qualifier::Volatile => "volatile",
                Qualifier::Restrict => "restrict",
                Qualifier::AddressSpace(space) => space.name(),
                Qualifier::Access(Access::ReadOnly) => "read_only",
                Qualifier::Access(Access::WriteOnly) => "write_only",
                Qualifier::Access(Access::ReadWrite) => "read_write",
            }),
            SpecifierKind::Function(function) => self.out.push_str(match function {
                FunctionSpecifier::Inline => "inline",
                FunctionSpecifier::Kernel => "kernel",
                FunctionSpecifier::Noreturn => "noreturn",
            }),
            SpecifierKind::Type(ty) => self.type_specifier(ty),
            SpecifierKind::Attribute(attribute) => self.attribute(attribute),
        }
    }

    fn type_specifier(&mut self, ty: &TypeSpecifier) {
        let word = match ty {
            TypeSpecifier::Void => "void",
            TypeSpecifier::Bool => "bool",
            TypeSpecifier::Char => "char",
            TypeSpecifier::Short => "short",
            TypeSpecifier::Int => "int",
            TypeSpecifier::Long => "long",
            TypeSpecifier::Half => "half",
            TypeSpecifier::Float => "float",
            TypeSpecifier::Double => "double",
            TypeSpecifier::Signed => "signed",
            TypeSpecifier::Unsigned => "unsigned",
            TypeSpecifier::Complex => "_Complex",
            TypeSpecifier::Imaginary => "_Imaginary",
            TypeSpecifier::Error => "(error)",
            TypeSpecifier::Name(name) => return self.name(*name),
            TypeSpecifier::Record(record) => return self.record(record),
            TypeSpecifier::Enum(specifier) => return self.enumeration(specifier),
            TypeSpecifier::TypeofExpr(expr) => {
                self.out.push_str("(typeof ");
                self.expr(*expr);
                self.out.push(')');
                return;
            }
            TypeSpecifier::TypeofType(ty) => {
                self.out.push_str("(typeof-type ");
                self.type_name(ty);
                self.out.push(')');
                return;
            }
            TypeSpecifier::Pipe(ty) => {
                self.out.push_str("(pipe ");
                self.type_name(ty);
                self.out.push(')');
                return;
            }
        };
        self.out.push_str(word);
    }

    fn tag(&mut self, tag: Option<(Symbol, Span)>) {
        match tag {
            Some((name, _)) => self.name(name),
            None => self.out.push('_'),
        }
    }

    fn record(&mut self, record: &RecordSpecifier) {
        self.out.push_str(match record.kind {
            RecordKind::Struct => "(struct ",
            RecordKind::Union => "(union ",
        });
        self.tag(record.tag);
        if let Some(members) = &record.members {
            self.out.push_str(" {");
            stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
                for (index, member) in members.iter().enumerate() {
                    self.out.push_str(if index > 0 { "; " } else { "" });
                    self.specifiers(&member.specifiers);
                    for declarator in &member.declarators {
                        self.out.push(' ');
                        self.declarator(&declarator.declarator);
                        if let Some(width) = declarator.bit_width {
                            self.out.push_str(" : ");
                            self.expr(width);
                        }
                        self.attributes(&declarator.attributes);
                    }
                }
            });
            self.out.push('}');
        }
        self.attributes(&record.attributes);
        self.out.push(')');
    }

    fn enumeration(&mut self, specifier: &EnumSpecifier) {
        self.out.push_str("(enum ");
        self.tag(specifier.tag);
        if let Some(enumerators) = &specifier.enumerators {
            self.out.push_str(" {");
            for (index, enumerator) in enumerators.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.name(enumerator.name);
                if let Some(value) = enumerator.value {
                    self.out.push_str(" = ");
                    self.expr(value);
                }
            }
            self.out.push('}');
        }
        self.attributes(&specifier.attributes);
        self.out.push(')');
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.out.push(' ');
            self.attribute(attribute);
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        self.out.push_str("[[");
        self.name(attribute.name);
        for argument in &attribute.arguments {
            self.out.push(' ');
            match argument {
                AttributeArgument::Expr(expr) => self.expr(*expr),
                AttributeArgument::Type(ty) => self.type_name(ty),
            }
        }
        self.out.push_str("]]");
    }

    pub(super) fn declarator(&mut self, declarator: &Declarator) {
        self.out.push('(');
        self.tag(declarator.name);
        self.derived(&declarator.derived);
        self.out.push(')');
    }

    fn derived(&mut self, derived: &[Derived]) {
        for derived in derived {
            self.out.push(' ');
            match derived {
                Derived::Pointer { qualifiers, .. } | Derived::Block { qualifiers, .. } => {
                    self.out.push(match derived {
                        Derived::Block { .. } => '^',
                        _ => '*',
                    });
                    for qualifier in qualifiers {
                        self.out.push(' ');
                        self.specifier(qualifier);
                    }
                }
                Derived::Array { length, qualifiers, is_static, .. } => {
                    self.out.push('[');
                    if *is_static {
                        self.out.push_str("static ");
                    }
                    for qualifier in qualifiers {
                        self.specifier(qualifier);
                        self.out.push(' ');
                    }
                    match length {
                        ArrayLength::Unknown => {}
                        ArrayLength::Star => self.out.push('*'),
                        ArrayLength::Expr(expr) => self.expr(*expr),
                    }
                    self.out.push(']');
                }
                Derived::Function { parameters, variadic, .. } => {
                    self.out.push_str("(fn");
                    self.parameters(parameters);
                    self.out.push_str(if *variadic { " ...)" } else { ")" });
                }
            }
        }
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.out.push_str(" (");
            self.specifier_list(&parameter.specifiers);
            self.out.push(' ');
            self.tag(parameter.declarator.name);
            self.derived(&parameter.declarator.derived);
            self.attributes(&parameter.attributes);
            self.out.push(')');
        }
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) {
        self.out.push('(');
        self.specifier_list(&ty.specifiers);
        self.derived(&ty.declarator.derived);
        self.out.push(')');
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(*expr),
            Initializer::List(list) => self.initializer_list(list),
        }
    }

    pub(super) fn initializer_list(&mut self, list: &InitializerList) {
        self.out.push('{');
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            for (index, item) in list.items.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.designators(&item.designators);
                if !item.designators.is_empty() {
                    self.out.push_str(" = ");
                }
                self.initializer(&item.value);
            }
        });
        self.out.push('}');
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Index(index, _) => {
                    self.out.push('[');
                    self.expr(*index);
                    self.out.push(']');
                }
                Designator::Range(first, last, _) => {
                    self.out.push('[');
                    self.expr(*first);
                    self.out.push_str(" ... ");
                    self.expr(*last);
                    self.out.push(']');
                }
                Designator::Member(name, _) => {
                    self.out.push('.');
                    self.name(*name);
                }
            }
        }
    }
}
