//! Atomics of all work-items on the same objects, whose order does not show in what they leave.

use super::{Generator, Version};
use crate::tree::{Node, Role};
use crate::types::{Scalar, Type};

/// Objects in a cell of shared memory.
const CELLS: usize = 6;

/// Where the cells are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In a buffer that comes back: groups do not wait for each other.
    Global,
    /// In local memory, which is looked into behind a barrier.
    Local,
}

/// The objects of a statement.
struct Shared {
    cells: String,
    space: &'static str,
    element: String,
    ty: Type,
    /// Whether they are of an atomic type.
    typed: bool,
    place: Where,
    extremum: &'static str,
}

impl Generator {
    /// A statement of the kernel, where all work-items of a group come by.
    pub(super) fn contention(&mut self) -> Node {
        self.full();
        let place = match self.barriers && self.random.chance(50) {
            true => Where::Local,
            false => Where::Global,
        };
        let scalars: &[Scalar] = match self.version {
            Version::V12 => &[Scalar::Int, Scalar::UInt],
            Version::V20 => &[Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong],
        };
        let scalar = *self.random.pick(scalars);
        let ty = Type::scalar(scalar);
        // Functions of C11 want atomic types; a long has no others.
        let typed = scalar.bits() == 64 || self.version == Version::V20 && self.random.chance(70);
        let element = if typed { format!("atomic_{}", ty.name()) } else { ty.name() };
        let space = if place == Where::Global { "global" } else { "local" };
        let cells = match place {
            Where::Global => {
                let bytes: Vec<u8> = (0..CELLS * 8).map(|_| self.random.next() as u8).collect();
                let line = format!("buffer {}", clc_tests::hex::encode(&bytes));
                self.parameter("shared", &format!("global {element} *@"), line)
            }
            Where::Local => self.name("shared"),
        };
        let mut nodes = Vec::new();
        let mut body = String::new();
        let extremum = *self.random.pick(&["min", "max"]);
        let shared = Shared {
            cells: cells.clone(),
            space,
            element: element.clone(),
            ty,
            typed,
            place,
            extremum,
        };
        for _ in 0..1 + self.random.below(2) {
            let text = self.contended(&shared, &mut nodes);
            body.push_str(&text);
        }
        if place == Where::Global {
            return Node::template(Role::Statement, &format!("{{ {body}}}"), nodes);
        }
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        let counter = self.name("i");
        let (set, read) = match typed {
            true => (format!("atomic_init(&{cells}[{counter}], {counter} * 77 + 5)"), {
                let order = *self.random.pick(&["relaxed", "acquire", "seq_cst"]);
                format!(
                    "atomic_load_explicit(&{cells}[{counter}], memory_order_{order}, \
                     memory_scope_work_group)"
                )
            }),
            false => {
                (format!("{cells}[{counter}] = {counter} * 77 + 5"), format!("{cells}[{counter}]"))
            }
        };
        let each = format!("for (int {counter} = 0; {counter} < {CELLS}; {counter}++)");
        let format = format!(
            "local {element} {cells}[{CELLS}]; if (lid == 0) {{ {each} {set}; }} {barrier} {{ {body}}} \
             {barrier} {each} MIX({read}); {barrier}"
        );
        Node::template(Role::Statement, &format, nodes)
    }

    /// The order and the scope of an operation: all have to be of the scope that others can see.
    fn order(&mut self, place: Where) -> (&'static str, &'static str) {
        let scopes: &[&str] = match place {
            Where::Global => &["memory_scope_device", "memory_scope_all_svm_devices"],
            Where::Local => &["memory_scope_work_group", "memory_scope_device"],
        };
        let orders = ["relaxed", "relaxed", "acquire", "release", "acq_rel", "seq_cst"];
        (*self.random.pick(&orders), *self.random.pick(scopes))
    }

    fn contended(&mut self, shared: &Shared, nodes: &mut Vec<Node>) -> String {
        let Shared { cells, space, element, ty, typed, place, extremum } = shared;
        let (ty, typed, place) = (*ty, *typed, *place);
        let cell = self.random.below(CELLS - 1);
        let (order, scope) = self.order(place);
        let name = ty.name();
        let address = format!("&{cells}[{cell}]");
        nodes.push(self.value(ty, 3));
        // One object takes operations of one kind, or their order would show.
        let op = ["add", "xor", extremum, "or", "and"][cell];
        let call = |op: &str, address: &str, value: &str| match typed {
            true => format!(
                "atomic_fetch_{op}_explicit({address}, {value}, memory_order_{order}, {scope})"
            ),
            false => format!("atomic_{op}({address}, {value})"),
        };
        match self.random.below(3) {
            0 => {
                // A product, or a sum, by comparing and exchanging until nothing came between.
                let last = CELLS - 1;
                let (old, new) = (self.name("o"), self.name("n"));
                let (factor, unsigned) = (self.name("f"), ty.scalar.unsigned().name());
                let next = format!("({name})(({unsigned}){factor} * ({unsigned}){old})");
                let head = format!("const {name} {factor} = @ | 1; {name} {old}, {new}; ");
                if typed {
                    let (weak, failure) = (
                        *self.random.pick(&["weak", "strong"]),
                        *self.random.pick(&["relaxed", "acquire"]),
                    );
                    // The order of a failure is none that a success has not.
                    let (order, failure) = match order {
                        "relaxed" | "release" => (order, "relaxed"),
                        _ => (order, failure),
                    };
                    return format!(
                        "{head}{old} = atomic_load_explicit(&{cells}[{last}], \
                         memory_order_relaxed, {scope}); do {{ {new} = {next}; }} while \
                         (!atomic_compare_exchange_{weak}_explicit(&{cells}[{last}], &{old}, {new}, \
                         memory_order_{order}, memory_order_{failure}, {scope})); "
                    );
                }
                format!(
                    "{head}do {{ {old} = atomic_or(&{cells}[{last}], 0); {new} = {next}; }} while \
                     (atomic_cmpxchg(&{cells}[{last}], {old}, {new}) != {old}); "
                )
            }
            1 if op == "add" => {
                // Through a pointer, and as many times as the work-item's id says.
                let (pointer, counter) = (self.name("q"), self.name("i"));
                let add = call("add", &pointer, "@");
                format!(
                    "{space} {element} *{pointer} = {address}; for (int {counter} = 0; \
                     {counter} <= (int)(gid & 3); {counter}++) {add}; "
                )
            }
            _ => format!("{}; ", call(op, &address, "@")),
        }
    }

    /// Tickets: which work-item gets which one differs, but all are given out, each once.
    pub(super) fn tickets(&mut self) -> Node {
        self.full();
        let line = format!("buffer {}", "00".repeat(64));
        let cells = self.parameter("tickets", "global uint *@", line);
        let ticket = self.name("t");
        let take = match self.random.below(3) {
            0 => format!("atomic_inc(&{cells}[0])"),
            1 => format!("atomic_add(&{cells}[0], 1u)"),
            _ => format!("atomic_sub(&{cells}[0], -1)"),
        };
        // A function of the ticket alone comes to its own element.
        let factor = self.random.next() as u32 | 1;
        let text = format!(
            "{{ const uint {ticket} = {take}; {cells}[1 + ({ticket} & 7)] += {ticket} * {factor}u + 1; }}"
        );
        Node::text(Role::Statement, text)
    }
}
