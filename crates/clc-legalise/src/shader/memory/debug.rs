//! What variables of the source are once pointers are numbers.

use super::places::{Place, Variable};
use super::rewrite::{New, Rewriter};

impl Rewriter<'_, '_> {
    /// Says where variables of the source are now. No code is made for it: what has no value and no
    /// variable of its own any more is not known.
    pub fn debug(&mut self) {
        let Some(mut debug) = self.b.function.debug.take() else { return };
        for entry in &mut debug.values {
            entry.value = entry.value.filter(|&value| !value.is_const() || !self.is_pointer(value));
            entry.value = entry.value.and_then(|value| match value.as_local() {
                None => Some(value),
                Some(index) => match self.new[index] {
                    New::Same => Some(value),
                    New::Value(value) => Some(value),
                    New::Place(Place::Global(address) | Place::Generic(address)) => Some(address),
                    New::Place(Place::Pool(..) | Place::Element(..) | Place::Part(..)) => None,
                },
            });
        }
        debug.memory.retain_mut(|entry| match self.known_place(entry.address) {
            Some(Place::Part(Variable::Root(root), path)) if path.is_empty() => {
                match self.variables.get(&root) {
                    Some(&variable) => {
                        entry.address = variable;
                        true
                    }
                    None => false,
                }
            }
            _ => false,
        });
        self.b.function.debug = Some(debug);
    }
}
