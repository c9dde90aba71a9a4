//! Loads and stores of cooperative matrices.
//!
//! Their pointers point to scalars or vectors of any type, of which the stride counts so many
//! (SPV_KHR_cooperative_matrix): a matrix of halves lies in an array of words as well.

use clc_builtins::{Intrinsic, MatrixOp};
use clc_ir::{BinaryOp, Type, TypePool, Value};

use super::arithmetic::resized;
use super::facts::pointee;
use super::matrices::alignment;
use super::places::{Place, Variable};
use super::rewrite::Rewriter;

impl Rewriter<'_, '_> {
    /// A load or store of a matrix; `stride` counts elements.
    pub fn matrix(
        &mut self,
        op: MatrixOp,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Option<Value> {
        let pointer = arguments[0];
        let element = self.pointee(pointer);
        let object = result.or_else(|| arguments.get(1).copied()).unwrap_or(pointer);
        let layout = arguments[arguments.len() - 2];
        let matrix = self.b.types.matrix(self.b.ty(object))?;
        let align = alignment(self.b.types, matrix, self.b.constant_int(layout)?);
        let place = self.place(pointer);
        let Some(address) = self.matrix_pointer(place, element) else {
            self.error(
                "this access of a matrix",
                "it is neither in `global` nor in `local` memory",
            );
            return None;
        };
        let unit = self.b.types.size(pointee(self.b.types, self.b.ty(address)));
        if align < unit {
            let why =
                format!("its rows have no whole number of the {unit} bytes that are accessed");
            self.error("this access of a matrix", &why);
            return None;
        }
        let stride = self.operand(arguments[arguments.len() - 1]);
        let stride = resized(&mut self.b, stride, TypePool::I32);
        let stride = self.in_units(stride, self.b.types.size(element), unit);
        let mut operands = vec![address];
        if op == MatrixOp::Store {
            operands.push(self.operand(arguments[1]));
        }
        operands.extend([layout, stride]);
        let ty = result.map_or(TypePool::VOID, |result| self.b.ty(result));
        self.b.intrinsic(Intrinsic::Matrix(op), &operands, ty)
    }

    /// A number of elements as one of units.
    fn in_units(&mut self, count: Value, element: u64, unit: u64) -> Value {
        if unit > element {
            let shift = u64::from((unit / element).trailing_zeros());
            return self.with(BinaryOp::LShr, count, shift);
        }
        match element / unit {
            1 => count,
            factor => self.with(BinaryOp::IMul, count, factor),
        }
    }

    /// The pointer to where a matrix begins.
    fn matrix_pointer(&mut self, place: Place, element: Type) -> Option<Value> {
        Some(match place {
            Place::Global(address) => self.buffer_pointer(address, element),
            Place::Element(root, index) => self.element_pointer(root, index),
            Place::Part(variable @ Variable::Root(_), path) if !path.is_empty() => {
                self.variable_pointer(variable, path)
            }
            Place::Pool(pool, offset) => self.word_pointer(pool, offset)?,
            Place::Generic(_) | Place::Part(..) => return None,
        })
    }
}
