//! Functions that the work-items of a group call together.

use super::{Generator, Kind};
use crate::tree::{Node, Role};
use crate::types::{Scalar, Type};

/// Integers that collective functions take.
const TYPES: [Scalar; 4] = [Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong];

impl Generator {
    /// A collective function of the work-group (2.0), where all its work-items come by.
    pub(super) fn work_group_function(&mut self) -> Node {
        self.full();
        let name = self.name("v");
        let root = self.object();
        let declared = |this: &mut Generator, ty: Type, value: Node, format: &str| {
            let format = format!("{} {name} = {format};", ty.name());
            this.declare(name.clone(), Kind::Value(ty), true, vec![root]);
            Node::template(Role::Statement, &format, vec![value])
        };
        let int = Type::scalar(Scalar::Int);
        match self.random.below(8) {
            0 => {
                let which = *self.random.pick(&["work_group_all", "work_group_any"]);
                let value = self.condition(2);
                // Of a predicate the OpenCL driver's own compiler takes the lowest bit only.
                declared(self, int, value, &format!("!!{which}((@) != 0)"))
            }
            1..=2 => {
                // Of floating-point numbers too; a group has its first work-item at least.
                let scalar = self.any_collective();
                let of = Type::scalar(scalar);
                let value = self.value(of, 3);
                let index = *self.random.pick(&[
                    "0",
                    "get_local_size(0) - 1",
                    "cin[7] % (uint)get_local_size(0)",
                ]);
                declared(
                    self,
                    of,
                    value,
                    &format!("work_group_broadcast(@, {index}{})", self.grid.more_ids()),
                )
            }
            _ => {
                let scalar = self.any_collective();
                let of = Type::scalar(scalar);
                let kind = *self.random.pick(&["reduce", "scan_inclusive", "scan_exclusive"]);
                let op = *self.random.pick(&["add", "add", "min", "max"]);
                let (value, format) = self.summand(of);
                // What comes before the first is the largest number, or the smallest.
                declared(self, of, value, &format!("work_group_{kind}_{op}({format})"))
            }
        }
    }

    fn any_collective(&mut self) -> Scalar {
        match self.random.chance(25) {
            true => *self.random.pick(&[Scalar::Float, Scalar::Double]),
            false => *self.random.pick(&TYPES),
        }
    }

    /// A value that sums of all work-items hold exactly, in any order, and how it is written.
    fn summand(&mut self, ty: Type) -> (Node, String) {
        if ty.scalar.is_float() {
            let value = self.value(Type::scalar(Scalar::Int), 3);
            return (value, format!("({})(@ & 1023) * 0.5f", ty.name()));
        }
        let value = self.value(ty, 3);
        match ty.scalar.signed() {
            true => (value, "(@ >> 3)".to_owned()),
            false => (value, "@".to_owned()),
        }
    }

    /// Functions of sub-groups (2.0), put together so that nothing of how large these are shows.
    pub(super) fn sub_group_function(&mut self) -> Node {
        self.full();
        let name = self.name("v");
        let root = self.object();
        let of = Type::scalar(*self.random.pick(&[Scalar::UInt, Scalar::Int]));
        let ty = of.name();
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        let cell = self.name("c");
        let (value, summand) = self.summand(of);
        // One work-item of each sub-group adds what the sub-group has.
        let (first, last) = ("0", "get_sub_group_size() - 1");
        let total = |before: &str, with: &str, op: &str, which: &str| {
            format!(
                "local {ty} {cell}[1]; if (lid == 0) {cell}[0] = {before}; {barrier} \
                 {{ {ty} {name}s = {with}; \
                 if (get_sub_group_local_id() == {which}) atomic_{op}(&{cell}[0], {name}s); }} {barrier} \
                 {ty} {name} = {cell}[0]; {barrier}"
            )
        };
        // On OpenCL no broadcast: the driver gives another value in modules that it does not optimise.
        let forms = if self.vulkan { 6 } else { 5 };
        let format = match self.random.below(forms) {
            0 => total("0", &format!("sub_group_reduce_add({summand})"), "add", first),
            1 => total(&format!("({ty})sa"), "sub_group_reduce_max(@)", "max", last),
            2 => total("1", "(sub_group_all((@ & 1) == 0) != 0)", "and", first),
            3 => total("0", "(sub_group_any((@ & 7) == 0) != 0)", "or", last),
            // Not the exclusive one, which the OpenCL driver takes for the inclusive one.
            4 => total("0", &format!("sub_group_scan_inclusive_add({summand})"), "add", last),
            _ => format!(
                "{ty} {name} = @; {name} ^= sub_group_broadcast(({ty})cin[5], \
                 get_sub_group_size() - 1) + ({ty})(get_sub_group_local_id() < \
                 get_sub_group_size());"
            ),
        };
        self.declare(name, Kind::Value(of), true, vec![root]);
        Node::template(Role::Statement, &format, vec![value])
    }
}
