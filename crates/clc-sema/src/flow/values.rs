//! Which value of a variable each read sees: static single assignment over the events of a
//! [`Graph`].
//!
//! A value is defined by an event, by the beginning of the body, or by a phi where paths join.
//! Phis are inserted on the dominance frontiers of the blocks that define values (Cytron and
//! others), and only for variables that a block reads before it writes them (semi-pruned form).

use clc_base::dominators::NONE;
use rustc_hash::FxHashMap;

use super::graph::{Block, Event, Graph, Variable};

/// A value, by its number.
pub(crate) type Value = u32;

/// What defines a value.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    /// What a variable holds when it comes into being, or when the body begins.
    Initial,
    /// The event of this number wrote it; `before` is the value that part of may remain, or `NONE`.
    Event { event: u32, before: Value },
    /// Paths join: one value for each predecessor of the block, in their order.
    Phi { block: Block, values: Vec<Value> },
}

/// The values of the variables that were asked for.
#[derive(Debug)]
pub(crate) struct Values {
    pub definitions: Vec<Definition>,
    /// Variable of each value, as an index of the list in [`Values::new`].
    pub variable_of: Vec<u32>,
    /// For each event that reads: the value it sees; `NONE` for others.
    pub read: Vec<Value>,
    /// For each event that defines a value: which; `NONE` for others.
    pub defined: Vec<Value>,
    /// The value of each variable where the body begins.
    pub initial: Vec<Value>,
}

/// What an event does to one of the variables.
enum DefUse {
    Use,
    Define {
        keeps: bool,
    },
    /// The variable comes into being and has no value.
    Begin,
}

/// The variable that an event concerns, and what it does to it.
fn def_or_use(event: &Event) -> Option<(Variable, DefUse)> {
    match *event {
        Event::Declare(local) => Some((Variable::Local(local), DefUse::Begin)),
        Event::Read { variable, .. } => Some((variable, DefUse::Use)),
        Event::Write { variable, keeps, .. } => Some((variable, DefUse::Define { keeps })),
        Event::Expose { variable } => Some((variable, DefUse::Define { keeps: false })),
        Event::Call(_) => None,
    }
}

impl Values {
    /// Follows `variables` through the graph; `idom` are its immediate dominators.
    pub fn new(graph: &Graph, idom: &[u32], variables: &[Variable]) -> Values {
        let mut numbers: FxHashMap<Variable, u32> = FxHashMap::default();
        for (index, &variable) in variables.iter().enumerate() {
            numbers.insert(variable, index as u32);
        }
        let mut values = Values {
            definitions: vec![Definition::Initial; variables.len()],
            variable_of: (0..variables.len() as u32).collect(),
            read: vec![NONE; graph.events.len()],
            defined: vec![NONE; graph.events.len()],
            initial: (0..variables.len() as u32).collect(),
        };
        let mut phis = place_phis(graph, idom, &numbers, variables.len());
        values.rename(graph, idom, &numbers, &mut phis);
        values
    }

    fn new_value(&mut self, definition: Definition, variable: u32) -> Value {
        self.definitions.push(definition);
        self.variable_of.push(variable);
        self.definitions.len() as u32 - 1
    }

    /// Walks the dominator tree with the current value of each variable.
    fn rename(
        &mut self,
        graph: &Graph,
        idom: &[u32],
        numbers: &FxHashMap<Variable, u32>,
        phis: &mut [Vec<(u32, Value)>],
    ) {
        for &block in &graph.order {
            let arrivals = graph.predecessors(block).len();
            for (variable, value) in &mut phis[block as usize] {
                let values = vec![NONE; arrivals];
                *value = self.new_value(Definition::Phi { block, values }, *variable);
            }
        }
        let mut children: Vec<Vec<Block>> = vec![Vec::new(); graph.blocks.len()];
        for &block in graph.order.iter().rev() {
            if idom[block as usize] != NONE {
                children[idom[block as usize] as usize].push(block);
            }
        }
        let mut current = self.initial.clone();
        // What to restore when the walk leaves a block.
        let mut changes: Vec<(u32, Value)> = Vec::new();
        enum Step {
            Enter(Block),
            Leave(usize),
        }
        let mut steps = vec![Step::Enter(0)];
        while let Some(step) = steps.pop() {
            let block = match step {
                Step::Enter(block) => block,
                Step::Leave(mark) => {
                    while changes.len() > mark {
                        if let Some((variable, value)) = changes.pop() {
                            current[variable as usize] = value;
                        }
                    }
                    continue;
                }
            };
            steps.push(Step::Leave(changes.len()));
            for &(variable, value) in &phis[block as usize] {
                changes.push((variable, current[variable as usize]));
                current[variable as usize] = value;
            }
            for index in graph.blocks[block as usize].events.clone() {
                let Some((variable, role)) = def_or_use(&graph.events[index as usize]) else {
                    continue;
                };
                let Some(&variable) = numbers.get(&variable) else { continue };
                let before = current[variable as usize];
                let defined = match role {
                    DefUse::Use => {
                        self.read[index as usize] = before;
                        continue;
                    }
                    DefUse::Define { keeps } => {
                        let before = if keeps { before } else { NONE };
                        self.new_value(Definition::Event { event: index, before }, variable)
                    }
                    DefUse::Begin => self.new_value(Definition::Initial, variable),
                };
                self.defined[index as usize] = defined;
                changes.push((variable, before));
                current[variable as usize] = defined;
            }
            for (next, arrival) in graph.edges(block) {
                for &(variable, value) in &phis[next as usize] {
                    if let Definition::Phi { values, .. } = &mut self.definitions[value as usize] {
                        values[arrival as usize] = current[variable as usize];
                    }
                }
            }
            steps.extend(children[block as usize].iter().map(|&child| Step::Enter(child)));
        }
    }
}

/// For each block the variables that need a phi there.
fn place_phis(
    graph: &Graph,
    idom: &[u32],
    numbers: &FxHashMap<Variable, u32>,
    count: usize,
) -> Vec<Vec<(u32, Value)>> {
    // Blocks that define values, and whether a block uses what another one defined.
    let mut defining_blocks: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut is_global = vec![false; count];
    let mut defined_in = vec![NONE; count];
    for &block in &graph.order {
        for event in graph.events_of(block) {
            let Some((variable, role)) = def_or_use(event) else { continue };
            let Some(&variable) = numbers.get(&variable) else { continue };
            let variable = variable as usize;
            match role {
                DefUse::Use => is_global[variable] |= defined_in[variable] != block,
                DefUse::Define { keeps: true } if defined_in[variable] != block => {
                    is_global[variable] = true;
                }
                DefUse::Define { .. } | DefUse::Begin => {}
            }
            if !matches!(role, DefUse::Use) && defined_in[variable] != block {
                defined_in[variable] = block;
                defining_blocks[variable].push(block);
            }
        }
    }
    let frontiers = frontiers(graph, idom);
    let mut phis: Vec<Vec<(u32, Value)>> = vec![Vec::new(); graph.blocks.len()];
    let mut has = vec![NONE; graph.blocks.len()];
    for variable in 0..count {
        if !is_global[variable] {
            continue;
        }
        let mut pending = std::mem::take(&mut defining_blocks[variable]);
        while let Some(block) = pending.pop() {
            for &join in &frontiers[block as usize] {
                if has[join as usize] != variable as u32 {
                    has[join as usize] = variable as u32;
                    phis[join as usize].push((variable as u32, NONE));
                    pending.push(join);
                }
            }
        }
    }
    phis
}

/// For each block the joins where its dominance ends.
fn frontiers(graph: &Graph, idom: &[u32]) -> Vec<Vec<Block>> {
    let mut frontiers: Vec<Vec<Block>> = vec![Vec::new(); graph.blocks.len()];
    for &join in &graph.order {
        let sources = graph.predecessors(join);
        if sources.len() < 2 && idom[join as usize] != NONE {
            continue;
        }
        for &source in sources {
            let mut runner = source;
            // A block that has the join already passed it on to those that dominate it.
            while runner != idom[join as usize] {
                let frontier = &mut frontiers[runner as usize];
                if frontier.last() == Some(&join) {
                    break;
                }
                frontier.push(join);
                runner = idom[runner as usize];
                if runner == NONE {
                    break;
                }
            }
        }
    }
    frontiers
}
