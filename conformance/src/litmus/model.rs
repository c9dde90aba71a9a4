//! What the memory model of OpenCL allows a small program to end with: every candidate execution (what each read
//! reads from, and the modification order of each location) is tried against the rules of the OpenCL API
//! specification, 3.3.6 "Memory Ordering Rules" and those after it; the model of C11, but that there are two
//! happens-before relations, one for global and one for local memory.

use std::collections::BTreeSet;

use crate::program::{Kind, Memory, Operation, Order, Program};

/// The registers, and what is in each location at the end.
pub type Outcome = Vec<u8>;

pub struct Allowed {
    pub outcomes: BTreeSet<Outcome>,
    /// Whether the program has a data race, so that anything may come of it (3.3.6).
    pub is_racy: bool,
}

/// A set of pairs of events: a row of bits for each first one.
#[derive(Clone)]
struct Relation(Vec<u64>);

impl Relation {
    fn new(events: usize) -> Relation {
        assert!(events <= 64, "a test is small");
        Relation(vec![0; events])
    }

    fn add(&mut self, from: usize, to: usize) {
        self.0[from] |= 1 << to;
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.0[from] >> to & 1 != 0
    }

    fn close(&mut self) {
        for middle in 0..self.0.len() {
            let row = self.0[middle];
            for from in 0..self.0.len() {
                if self.has(from, middle) {
                    self.0[from] |= row;
                }
            }
        }
    }

    /// Of a transitive one.
    fn is_irreflexive(&self) -> bool {
        (0..self.0.len()).all(|event| !self.has(event, event))
    }
}

/// An event; the first of all are the zeros that the locations hold before.
struct Event {
    thread: Option<usize>,
    operation: Operation,
}

impl Event {
    fn is_total(&self) -> bool {
        self.operation.order == Order::SequentiallyConsistent
    }
}

struct Model<'p> {
    program: &'p Program,
    memory: Memory,
    /// Whether operations that are sequentially consistent have one total order.
    has_total_order: bool,
    events: Vec<Event>,
    allowed: Allowed,
}

/// `has_total_order`: as OpenCL has it. Without it, `seq_cst` is `acq_rel`.
pub fn allowed(program: &Program, memory: Memory, has_total_order: bool) -> Allowed {
    let mut events = Vec::new();
    for location in 0..program.locations.len() {
        let kind = Kind::Store(0);
        let order = Order::Relaxed;
        let operation = Operation { kind, location, order, only_if: None, register: 0 };
        events.push(Event { thread: None, operation });
    }
    for (thread, operations) in program.threads.iter().enumerate() {
        let thread = Some(thread);
        events.extend(operations.iter().map(|&operation| Event { thread, operation }));
    }
    let allowed = Allowed { outcomes: BTreeSet::new(), is_racy: false };
    let mut model = Model { program, memory, has_total_order, events, allowed };
    let reads: Vec<usize> =
        (0..model.events.len()).filter(|&e| model.events[e].operation.kind.reads()).collect();
    model.choose_sources(&reads, &mut vec![usize::MAX; model.events.len()]);
    model.allowed
}

/// What happens in a candidate execution.
struct Candidate {
    /// What each read reads from.
    sources: Vec<usize>,
    happens: Vec<bool>,
    read: Vec<u8>,
    written: Vec<u8>,
}

impl Model<'_> {
    fn writes_to(&self, location: usize) -> impl Iterator<Item = usize> {
        (0..self.events.len()).filter(move |&event| {
            let operation = self.events[event].operation;
            operation.kind.writes() && operation.location == location
        })
    }

    fn choose_sources(&mut self, reads: &[usize], sources: &mut Vec<usize>) {
        let Some((&read, rest)) = reads.split_first() else {
            if let Some(candidate) = self.evaluate(sources) {
                let orders = vec![Vec::new(); self.program.locations.len()];
                self.choose_orders(&candidate, orders, 0);
            }
            return;
        };
        let writes: Vec<usize> = self.writes_to(self.events[read].operation.location).collect();
        for write in writes.into_iter().filter(|&write| write != read) {
            sources[read] = write;
            self.choose_sources(rest, sources);
        }
    }

    /// The values; `None` if they depend on themselves, or something reads what is not written.
    fn evaluate(&self, sources: &[usize]) -> Option<Candidate> {
        let count = self.events.len();
        let (mut happens, mut read, mut written) =
            (vec![None; count], vec![None; count], vec![None; count]);
        for _ in 0..=count {
            for (index, event) in self.events.iter().enumerate() {
                let operation = event.operation;
                let before = |other: &usize| {
                    self.events[*other].thread == event.thread
                        && self.events[*other].operation.kind.reads()
                };
                let first = (0..index).find(before);
                let last = (0..index).rev().find(before);
                happens[index] = match operation.only_if {
                    None => Some(true),
                    Some(wanted) => {
                        first.and_then(|first| read[first]).map(|value: u8| (value != 0) == wanted)
                    }
                };
                match happens[index] {
                    Some(true) => {}
                    // What it would read is no choice.
                    Some(false)
                        if !operation.kind.reads() || sources[index] == operation.location =>
                    {
                        read[index] = Some(0);
                        written[index] = Some(0);
                        continue;
                    }
                    Some(false) => return None,
                    None => continue,
                }
                if operation.kind.reads() {
                    if happens[sources[index]] == Some(false) {
                        return None;
                    }
                    read[index] = written[sources[index]];
                }
                written[index] = match operation.kind {
                    Kind::Store(value) | Kind::Exchange(value) | Kind::PlainStore(value) => {
                        Some(value)
                    }
                    Kind::Add => read[index].map(|value| value + 1),
                    Kind::PlainStoreNext => last.and_then(|last| read[last]).map(|value| value + 1),
                    Kind::Load | Kind::PlainLoad | Kind::Fence => Some(0),
                };
                if !operation.kind.reads() {
                    read[index] = Some(0);
                }
            }
        }
        Some(Candidate {
            sources: sources.to_vec(),
            happens: happens.into_iter().collect::<Option<_>>()?,
            read: read.into_iter().collect::<Option<_>>()?,
            written: written.into_iter().collect::<Option<_>>()?,
        })
    }

    /// Tries every modification order of the locations from `location` on.
    fn choose_orders(&mut self, candidate: &Candidate, orders: Vec<Vec<usize>>, location: usize) {
        if location == orders.len() {
            self.judge(candidate, &orders);
            return;
        }
        let left: Vec<usize> = self
            .writes_to(location)
            .filter(|&write| candidate.happens[write] && !orders[location].contains(&write))
            .collect();
        if left.is_empty() {
            self.choose_orders(candidate, orders, location + 1);
            return;
        }
        for write in left {
            let last = orders[location].last().copied();
            // The zeros come first; and what reads and writes reads what is before it (3.3.7, "the last value").
            let fits = match last {
                None => self.events[write].thread.is_none(),
                Some(last) => {
                    !self.events[write].operation.kind.reads() || candidate.sources[write] == last
                }
            };
            if fits {
                let mut orders = orders.clone();
                orders[location].push(write);
                self.choose_orders(candidate, orders, location);
            }
        }
    }

    fn judge(&mut self, candidate: &Candidate, orders: &[Vec<usize>]) {
        let count = self.events.len();
        let (mut modified, mut overtaken) = (Relation::new(count), Relation::new(count));
        for order in orders {
            for (at, &write) in order.iter().enumerate() {
                for &later in &order[at + 1..] {
                    modified.add(write, later);
                }
            }
        }
        let mut coherence = modified.clone();
        for read in (0..count).filter(|&e| self.is_read(e, candidate)) {
            let source = candidate.sources[read];
            coherence.add(source, read);
            for write in (0..count).filter(|&write| write != read && modified.has(source, write)) {
                overtaken.add(read, write);
                coherence.add(read, write);
            }
        }
        coherence.close();
        let before = [false, true].map(|is_local| self.happens_before(candidate, is_local));
        if !before.iter().all(Relation::is_irreflexive) || !coherence.is_irreflexive() {
            return;
        }
        // The four coherences (3.3.6): what happens before an access is not behind it.
        for from in 0..count {
            for to in (0..count).filter(|&to| coherence.has(from, to)) {
                if before[self.space(from)].has(to, from) {
                    return;
                }
            }
        }
        if self.has_total_order && !self.has_order(&before, &modified, &overtaken) {
            return;
        }
        self.allowed.is_racy |= self.has_race(candidate, &before);
        let registers = (0..self.program.registers).map(|register| {
            let is_its = |&e: &usize| {
                self.events[e].operation.kind.reads()
                    && self.events[e].operation.register == register
            };
            (0..count).find(is_its).map_or(0, |event| candidate.read[event])
        });
        let last = |order: &Vec<usize>| order.last().map_or(0, |&write| candidate.written[write]);
        let outcome = registers.chain(orders.iter().map(last)).collect();
        self.allowed.outcomes.insert(outcome);
    }

    fn is_read(&self, event: usize, candidate: &Candidate) -> bool {
        candidate.happens[event] && self.events[event].operation.kind.reads()
    }

    /// Which of the two relations is for the location of an event.
    fn space(&self, event: usize) -> usize {
        usize::from(self.memory.is_local(self.events[event].operation.location))
    }

    /// Whether one is before the other in its thread.
    fn is_sequenced(&self, from: usize, to: usize) -> bool {
        from < to && self.events[from].thread == self.events[to].thread
    }

    /// Global- or local-happens-before (3.3.6): what is sequenced before, or synchronizes with.
    fn happens_before(&self, candidate: &Candidate, is_local: bool) -> Relation {
        let count = self.events.len();
        let mut out = Relation::new(count);
        for from in 0..count {
            for to in 0..count {
                let is_first =
                    self.events[from].thread.is_none() && self.events[to].thread.is_some();
                if is_first || self.is_sequenced(from, to) {
                    out.add(from, to);
                }
            }
        }
        let fences = |wanted: fn(Order) -> bool| {
            (0..count).filter(move |&event| {
                let operation = self.events[event].operation;
                operation.kind == Kind::Fence && wanted(operation.order)
            })
        };
        for read in (0..count).filter(|&e| self.is_read(e, candidate)) {
            if self.events[read].operation.kind.is_plain() {
                continue;
            }
            // Who acquires: the read, or a fence behind it.
            let mut to: Vec<usize> =
                fences(Order::acquires).filter(|&fence| self.is_sequenced(read, fence)).collect();
            if self.events[read].operation.order.acquires() {
                to.push(read);
            }
            // The heads of the release sequences that it reads from.
            let mut head = candidate.sources[read];
            loop {
                let operation = self.events[head].operation;
                if operation.kind.is_plain() || self.events[head].thread.is_none() {
                    break;
                }
                // Who releases: the write, or a fence before it.
                let mut from: Vec<usize> = fences(Order::releases)
                    .filter(|&fence| self.is_sequenced(fence, head))
                    .collect();
                if operation.order.releases() {
                    from.push(head);
                }
                for &from in &from {
                    for &to in &to {
                        if self.synchronizes(from, to, head, is_local) {
                            out.add(from, to);
                        }
                    }
                }
                if !operation.kind.reads() {
                    break;
                }
                head = candidate.sources[head];
            }
        }
        out.close();
        out
    }

    /// Whether `from`, which releases by the write `head`, synchronizes with `to` in this memory.
    fn synchronizes(&self, from: usize, to: usize, head: usize, is_local: bool) -> bool {
        let [a, b] = [from, to].map(|event| &self.events[event]);
        // An atomic orders the memory that its object is in (3.3.7).
        self.space(head) == usize::from(is_local)
            // Fences of both memories order both (3.3.8, at the end); those of the tests are of all memory that the
            // test uses.
            || a.operation.kind == Kind::Fence && b.operation.kind == Kind::Fence
            // What is sequentially consistent does, too (3.3.7).
            || self.has_total_order && a.is_total() && b.is_total()
    }

    /// Whether there is a total order of what is sequentially consistent (3.3.7): whether what it has to agree with has
    /// no cycle.
    fn has_order(&self, before: &[Relation; 2], modified: &Relation, overtaken: &Relation) -> bool {
        let count = self.events.len();
        let is_total = |event: usize| self.events[event].is_total();
        let is_fence =
            |event: usize| is_total(event) && self.events[event].operation.kind == Kind::Fence;
        let mut order = Relation::new(count);
        for from in 0..count {
            for to in 0..count {
                let is_modified = modified.has(from, to);
                let is_overtaken = overtaken.has(from, to);
                if is_total(from) && is_total(to) {
                    let is_before = before.iter().any(|before| before.has(from, to));
                    // A read that did not see a write came before it.
                    if is_before || is_modified || is_overtaken {
                        order.add(from, to);
                    }
                }
                if !is_modified && !is_overtaken {
                    continue;
                }
                // A fence before `from`, and one behind `to`, stand for them.
                let first = (0..count).filter(|&e| is_fence(e) && self.is_sequenced(e, from));
                for first in first {
                    if is_overtaken && is_total(to) {
                        order.add(first, to);
                    }
                    for last in (0..count).filter(|&e| is_fence(e) && self.is_sequenced(to, e)) {
                        order.add(first, last);
                    }
                }
                for last in (0..count).filter(|&e| is_fence(e) && self.is_sequenced(to, e)) {
                    if is_overtaken && is_total(from) {
                        order.add(from, last);
                    }
                }
            }
        }
        order.close();
        order.is_irreflexive()
    }

    /// Whether two accesses of one location, one of them a write and one of them no atomic, are in no order.
    fn has_race(&self, candidate: &Candidate, before: &[Relation; 2]) -> bool {
        let count = self.events.len();
        let is_access = |event: &usize| {
            let Event { thread, operation } = &self.events[*event];
            candidate.happens[*event] && thread.is_some() && operation.kind != Kind::Fence
        };
        (0..count).filter(is_access).any(|a| {
            (0..a).filter(is_access).any(|b| {
                let [x, y] = [a, b].map(|event| self.events[event].operation);
                x.location == y.location
                    && self.events[a].thread != self.events[b].thread
                    && (x.kind.writes() || y.kind.writes())
                    && (x.kind.is_plain() || y.kind.is_plain())
                    && !before[self.space(a)].has(a, b)
                    && !before[self.space(a)].has(b, a)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FLAVOURS, TESTS};

    fn of(test: &str, flavour: &str, memory: Memory) -> Allowed {
        let test = TESTS.iter().find(|other| other.name == test).unwrap();
        let flavour = FLAVOURS.iter().find(|other| other.name == flavour).unwrap();
        allowed(&test.program(flavour).unwrap(), memory, true)
    }

    /// Whether the registers may have these values.
    fn allows(test: &str, flavour: &str, memory: Memory, registers: &[u8]) -> bool {
        of(test, flavour, memory).outcomes.iter().any(|outcome| outcome.starts_with(registers))
    }

    #[test]
    fn the_classics_are_allowed_and_forbidden_as_in_the_literature() {
        // Test, registers of the weak outcome, and the flavours that forbid it.
        let total = ["seq_cst", "seq_cst fence"];
        let passing = ["release/acquire", "release, acquire fence", "release fence, acquire"];
        let passing = [&passing[..], &["acq_rel fence"], &total].concat();
        let all: Vec<&str> = FLAVOURS.iter().map(|flavour| flavour.name).collect();
        let rows: &[(&str, &[u8], &[&str])] = &[
            ("MP", &[1, 0], &passing),
            ("MP-chain", &[2, 3, 0], &passing),
            ("SB", &[0, 0], &total),
            ("LB", &[1, 1], &passing),
            ("CoRR", &[1, 0], &all),
            ("CoWR", &[0], &all),
            // The stores have no fences, so that those of the loads do not order them (3.3.7, the note on fences).
            ("IRIW", &[1, 0, 1, 0], &["seq_cst"]),
        ];
        for (test, registers, forbidding) in rows {
            for flavour in &all {
                let expected = !forbidding.contains(flavour);
                let found = allows(test, flavour, Memory::Global, registers);
                assert_eq!(found, expected, "{test}, {flavour}");
            }
        }
    }

    #[test]
    fn an_order_in_one_memory_is_none_in_the_other() {
        for (flavour, expected) in
            [("release/acquire", true), ("acq_rel fence", false), ("seq_cst", false)]
        {
            assert_eq!(allows("MP", flavour, Memory::Both, &[1, 0]), expected, "{flavour}");
            assert!(!allows("MP", flavour, Memory::Local, &[1, 0]), "{flavour}");
        }
    }

    #[test]
    fn races_are_seen() {
        for (flavour, expected) in
            [("relaxed", true), ("release only", true), ("release/acquire", false)]
        {
            for test in ["MP-plain", "try-lock"] {
                assert_eq!(of(test, flavour, Memory::Global).is_racy, expected, "{test} {flavour}");
            }
        }
        // The flag is in local memory, and orders nothing in global memory.
        assert!(of("MP-plain", "release/acquire", Memory::Both).is_racy);
        assert!(!of("MP-plain", "acq_rel fence", Memory::Both).is_racy);
    }

    #[test]
    fn locks_exclude_and_tickets_differ() {
        let locks = of("try-lock", "release/acquire", Memory::Global).outcomes;
        for outcome in &locks {
            // Who got the lock read a zero; registers are lock, counter, lock, counter.
            let winners = u8::from(outcome[0] == 0) + u8::from(outcome[2] == 0);
            assert_eq!(outcome[4..], [u8::from(winners == 0), winners], "{outcome:?}");
        }
        assert_eq!(locks.len(), 4, "{locks:?}");
        assert_eq!(of("tickets", "relaxed", Memory::Local).outcomes.len(), 24);
    }

    #[test]
    fn stores_of_two_threads_end_in_an_order() {
        let weak = [1, 1];
        for (flavour, expected) in
            [("release/acquire", true), ("seq_cst", false), ("seq_cst fence", false)]
        {
            let outcomes = of("2+2W", flavour, Memory::Global).outcomes;
            assert_eq!(outcomes.contains(&weak[..]), expected, "{flavour}: {outcomes:?}");
        }
    }
}
