//! Which values stand for which others: collected while a pass walks, applied once.

use clc_ir::{Function, Value};

/// Maps values of one function to what replaces them. Chains are followed.
#[derive(Default)]
pub struct Replacements {
    /// By local value, up to the last that is replaced: what stands for it, perhaps itself.
    map: Vec<Value>,
}

impl Replacements {
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// From now on `old`, a local value, is `new`.
    pub fn set(&mut self, old: Value, new: Value) {
        let index = old.as_local().expect("constants are not replaced");
        let new = self.resolve(new);
        // A value that is replaced by itself is one in a cycle of unreachable definitions.
        if new != old {
            self.map.extend((self.map.len()..=index).map(Value::from_local));
            self.map[index] = new;
        }
    }

    /// What stands for `value` in the end.
    pub fn resolve(&mut self, value: Value) -> Value {
        let mut value = value;
        while let Some(index) = value.as_local() {
            let Some(&next) = self.map.get(index) else { return value };
            if next == value {
                return value;
            }
            // Halve the path on the way.
            if let Some(&after) = next.as_local().and_then(|index| self.map.get(index)) {
                self.map[index] = after;
            }
            value = next;
        }
        value
    }

    /// Rewrites every operand in the function.
    pub fn apply(&mut self, function: &mut Function) {
        if !self.is_empty() {
            function.map_all_operands(|value| self.resolve(value));
        }
    }
}

/// How often each value of a function is an operand.
pub fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0u32; function.values.len()];
    let mut count = |value: Value| {
        if let Some(index) = value.as_local() {
            counts[index] += 1;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut count);
        }
        function.each_terminator_operand(block, &mut count);
    }
    counts
}
