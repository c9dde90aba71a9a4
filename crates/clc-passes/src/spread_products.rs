//! Multiplies the parts of a sum, so that addresses of neighbours differ in a constant alone.
//!
//! ```text
//! (x + 1) * 64    ->    x * 64 + 64
//! ```
//!
//! Where neither the sum nor the product wraps ([`MathFlags::NO_SIGNED_WRAP`]) and no part is negative, the new ones do not
//! wrap either: `x * 64` is no more than the whole. That is worth knowing, since an index is made longer before it is added
//! to an address. [`simplify`](crate::simplify) does the same to what may wrap, and leaves the rest to this pass: it does not
//! know what is negative.

use clc_ir::{BinaryOp, Block, Function, Inst, InstKind, MathFlags, Value};

use crate::context::ModuleContext;
use crate::fold::Folder;
use crate::signs::Signs;

/// Spreads the products of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut products = Vec::new();
    for &block in &function.layout {
        let insts = &function.blocks[block].insts;
        products.extend(insts.iter().filter_map(|&inst| product(context, function, block, inst)));
    }
    if products.is_empty() {
        return;
    }
    let signs = Signs::new(function);
    let mut products = products.into_iter().peekable();
    while let Some(block) = products.peek().map(|next| next.block) {
        let mut out = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            if let Some(product) = products.next_if(|next| next.inst == inst) {
                out.push(product.spread(context, function, &signs));
            }
            out.push(inst);
        }
        function.blocks[block].insts = out;
    }
}

/// `(first + constant) * factor`.
struct Product {
    block: Block,
    inst: Inst,
    first: Value,
    factor: Value,
    /// The product of the constant and the factor.
    constant: Value,
    /// Whether neither of both is negative.
    is_positive: bool,
}

fn product(
    context: &mut ModuleContext<'_>,
    function: &Function,
    block: Block,
    inst: Inst,
) -> Option<Product> {
    let does_not_wrap = |inst: Inst| function.insts[inst].math.has(MathFlags::NO_SIGNED_WRAP);
    let InstKind::Binary { op: BinaryOp::IMul, left, right: factor } = function.insts[inst].kind
    else {
        return None;
    };
    let (sum, data) = function.def_inst(left)?;
    let InstKind::Binary { op: BinaryOp::IAdd, left: first, right } = data.kind else {
        return None;
    };
    if !factor.is_const() || !right.is_const() || !does_not_wrap(inst) || !does_not_wrap(sum) {
        return None;
    }
    let is_positive = [right, factor].iter().all(|&value| context.signed(value) >= Some(0));
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let constant = folder.binary(BinaryOp::IMul, right, factor)?;
    Some(Product { block, inst, first, factor, constant, is_positive })
}

impl Product {
    /// Makes a sum of the product. Returns the product of its first part, which comes before it.
    fn spread(&self, context: &ModuleContext<'_>, function: &mut Function, signs: &Signs) -> Inst {
        let is_exact =
            self.is_positive && signs.is_not_negative(context, function, self.first, self.block);
        let data = &mut function.insts[self.inst];
        if !is_exact {
            data.math = data.math.without(MathFlags::NO_SIGNED_WRAP);
        }
        let (math, location) = (data.math, data.location);
        let kind = InstKind::Binary { op: BinaryOp::IMul, left: self.first, right: self.factor };
        let ty = context.type_of(function, self.first);
        let inst = function.create_inst(kind, Some(ty), math, location);
        let left = function.insts[inst].result.expect("a product is a value");
        function.insts[self.inst].kind =
            InstKind::Binary { op: BinaryOp::IAdd, left, right: self.constant };
        inst
    }
}
