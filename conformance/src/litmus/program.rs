//! The tests, as data: what each thread does, in which orders, in which memory.

/// An order of an operation or a fence (OpenCL C 6.15.12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl Order {
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcquireRelease | Order::SequentiallyConsistent)
    }

    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcquireRelease | Order::SequentiallyConsistent)
    }

    /// The enumerator of OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "memory_order_relaxed",
            Order::Acquire => "memory_order_acquire",
            Order::Release => "memory_order_release",
            Order::AcquireRelease => "memory_order_acq_rel",
            Order::SequentiallyConsistent => "memory_order_seq_cst",
        }
    }
}

/// What an operation does to its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Store(u8),
    Load,
    Exchange(u8),
    /// Adds one.
    Add,
    PlainStore(u8),
    PlainLoad,
    /// Stores one more than what the thread read last.
    PlainStoreNext,
    Fence,
}

impl Kind {
    pub fn reads(self) -> bool {
        matches!(self, Kind::Load | Kind::Exchange(_) | Kind::Add | Kind::PlainLoad)
    }

    pub fn writes(self) -> bool {
        !matches!(self, Kind::Load | Kind::PlainLoad | Kind::Fence)
    }

    pub fn is_plain(self) -> bool {
        matches!(self, Kind::PlainStore(_) | Kind::PlainLoad | Kind::PlainStoreNext)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub kind: Kind,
    /// Index of the location; of a fence it has no meaning.
    pub location: usize,
    pub order: Order,
    /// Happens only if what the thread read first is non-zero, or zero.
    pub only_if: Option<bool>,
    /// Where what is read goes.
    pub register: usize,
}

/// A test in some orders.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Operation>>,
    /// Names of the locations.
    pub locations: Vec<char>,
    pub registers: usize,
}

impl Program {
    /// Whether no operation on the location is atomic.
    pub fn is_plain(&self, location: usize) -> bool {
        let mut operations = self.threads.iter().flatten();
        operations.any(|operation| operation.kind.is_plain() && operation.location == location)
    }
}

pub struct Test {
    pub name: &'static str,
    /// Threads between `|`. `Wx1` stores 1 to x, `Rx` loads, `Xx1` exchanges, `Ax` adds one; `wx1` and `rx` are no
    /// atomics, `wx+` stores one more than what was read last. `?` in front: only if the thread's first read gave
    /// something else than zero; `!`: only if it gave zero.
    pub threads: &'static str,
}

const fn test(name: &'static str, threads: &'static str) -> Test {
    Test { name, threads }
}

pub const TESTS: &[Test] = &[
    test("MP", "Wx1 Wy1 | Ry Rx"),
    test("MP-plain", "wx1 Wy1 | Ry ?rx"),
    // Who reads 3 reads from the release sequence of the first thread's store.
    test("MP-chain", "Wx1 Wy2 | Ay | Ry Rx"),
    test("ISA2", "Wx1 Wy1 | Ry Wz1 | Rz Rx"),
    test("WRC", "Wx1 | Rx Wy1 | Ry Rx"),
    test("SB", "Wx1 Ry | Wy1 Rx"),
    test("SB-exchange", "Xx1 Ry | Xy1 Rx"),
    test("LB", "Rx Wy1 | Ry Wx1"),
    test("S", "Wx2 Wy1 | Ry Wx1"),
    test("R", "Wx1 Wy1 | Wy2 Rx"),
    test("2+2W", "Wx1 Wy2 | Wy1 Wx2"),
    test("CoRR", "Wx1 | Rx Rx"),
    test("CoWW", "Wx1 Wx2 | Rx Rx"),
    test("CoRW", "Rx Wx1 | Wx2"),
    test("CoWR", "Wx1 Rx | Wx2"),
    test("IRIW", "Wx1 | Wy1 | Rx Ry | Ry Rx"),
    test("try-lock", "Xl1 !rc !wc+ !Wl0 | Xl1 !rc !wc+ !Wl0"),
    test("tickets", "Ax | Ax | Ax | Ax"),
];

/// The orders of a test's operations.
pub struct Flavour {
    pub name: &'static str,
    store: Order,
    load: Order,
    modify: Order,
    /// Of a fence between any two operations of a thread.
    fence: Option<Order>,
}

pub const FLAVOURS: &[Flavour] = {
    use Order::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent as Total};
    const fn flavour(name: &'static str, orders: [Order; 3], fence: Option<Order>) -> Flavour {
        let [store, load, modify] = orders;
        Flavour { name, store, load, modify, fence }
    }
    &[
        flavour("relaxed", [Relaxed; 3], None),
        flavour("release only", [Release, Relaxed, Release], None),
        flavour("acquire only", [Relaxed, Acquire, Acquire], None),
        flavour("release/acquire", [Release, Acquire, AcquireRelease], None),
        flavour("seq_cst", [Total; 3], None),
        flavour("release, acquire fence", [Release, Relaxed, Release], Some(Acquire)),
        flavour("release fence, acquire", [Relaxed, Acquire, Acquire], Some(Release)),
        flavour("acq_rel fence", [Relaxed; 3], Some(AcquireRelease)),
        flavour("seq_cst fence", [Relaxed; 3], Some(Total)),
    ]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Global,
    Local,
    /// The first location is in global memory, the others are in local memory.
    Both,
}

impl Memory {
    pub fn is_local(self, location: usize) -> bool {
        match self {
            Memory::Global => false,
            Memory::Local => true,
            Memory::Both => location > 0,
        }
    }
}

/// Where the threads and the locations are.
pub struct Placement {
    pub name: &'static str,
    pub memory: Memory,
    /// The enumerator of OpenCL C.
    pub scope: &'static str,
    /// The threads of an instance are in different work-groups; otherwise in one.
    pub across: bool,
}

/// A scope that does not hold all threads is a data race (OpenCL API, "Memory Ordering Rules": inclusive scopes), so
/// that those of different groups have that of the device.
pub const PLACEMENTS: &[Placement] = {
    const fn placement(
        name: &'static str,
        memory: Memory,
        scope: &'static str,
        across: bool,
    ) -> Placement {
        Placement { name, memory, scope, across }
    }
    &[
        placement("global, device, groups", Memory::Global, "memory_scope_device", true),
        placement("global, device, one group", Memory::Global, "memory_scope_device", false),
        placement("global, work_group", Memory::Global, "memory_scope_work_group", false),
        placement("local, work_group", Memory::Local, "memory_scope_work_group", false),
        placement("local, device", Memory::Local, "memory_scope_device", false),
        placement("both, work_group", Memory::Both, "memory_scope_work_group", false),
    ]
};

impl Test {
    /// The operations with their orders; `None` if a fence would stand nowhere.
    pub fn program(&self, flavour: &Flavour) -> Option<Program> {
        let mut locations = Vec::new();
        let mut registers = 0;
        let mut has_fence = false;
        let mut threads = Vec::new();
        for text in self.threads.split('|') {
            let mut thread = Vec::new();
            for word in text.split_whitespace() {
                if let (Some(order), false) = (flavour.fence, thread.is_empty()) {
                    let kind = Kind::Fence;
                    thread.push(Operation { kind, location: 0, order, only_if: None, register: 0 });
                    has_fence = true;
                }
                let mut operation = operation(word, flavour, &mut locations);
                if operation.kind.reads() {
                    operation.register = registers;
                    registers += 1;
                }
                thread.push(operation);
            }
            threads.push(thread);
        }
        (has_fence || flavour.fence.is_none()).then_some(Program { threads, locations, registers })
    }
}

fn operation(word: &str, flavour: &Flavour, locations: &mut Vec<char>) -> Operation {
    let (only_if, word) = match word.split_at(1) {
        ("?", rest) => (Some(true), rest),
        ("!", rest) => (Some(false), rest),
        _ => (None, word),
    };
    let mut letters = word.chars();
    let (what, name) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    let value = letters.next().and_then(|digit| digit.to_digit(10)).map(|digit| digit as u8);
    let location = locations.iter().position(|&other| other == name).unwrap_or_else(|| {
        locations.push(name);
        locations.len() - 1
    });
    let (kind, order) = match (what, value) {
        ('W', Some(value)) => (Kind::Store(value), flavour.store),
        ('R', None) => (Kind::Load, flavour.load),
        ('X', Some(value)) => (Kind::Exchange(value), flavour.modify),
        ('A', None) => (Kind::Add, flavour.modify),
        ('w', Some(value)) => (Kind::PlainStore(value), Order::Relaxed),
        ('w', None) => (Kind::PlainStoreNext, Order::Relaxed),
        ('r', None) => (Kind::PlainLoad, Order::Relaxed),
        _ => panic!("no operation is written {word}"),
    };
    Operation { kind, location, order, only_if, register: 0 }
}
