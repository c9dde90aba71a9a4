//! Variables of each work-item, which the entry of a kernel fills and functions read.

use clc_base::Span;
use clc_ir::{Global, Linkage, StorageClass, Type};

pub(super) fn variable(name: String, ty: Type, align: u32) -> Global {
    Global {
        name,
        ty,
        class: StorageClass::Private,
        initializer: None,
        align,
        is_const: false,
        linkage: Linkage::Internal,
        span: Span::NONE,
    }
}
