//! Which value of a variable each read sees: static single assignment over the events of a
//! [`Graph`].
//!
//! A value is made by an event, by the beginning of the body, or by the meeting of ways in a block.
//! Meetings are placed on the dominance frontiers of the blocks that make values (Cytron and
//! others), and only for variables that a block reads before it writes them.

use clc_base::dominators::NONE;
use rustc_hash::FxHashMap;

use super::graph::{Block, Event, Graph, Variable};

/// A value, by its number.
pub(crate) type Value = u32;

#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// What a variable holds when it comes into being, or when the body begins.
    Initial,
    /// The event of this number wrote it; `before` is the value that part of may remain, or `NONE`.
    Event { event: u32, before: Value },
    /// Ways meet: one value for each predecessor of the block, in their order.
    Meeting { block: Block, values: Vec<Value> },
}

/// The values of the variables that were asked for.
#[derive(Debug)]
pub(crate) struct Values {
    pub origins: Vec<Origin>,
    /// Variable of each value, as an index of the list that was given.
    pub variable_of: Vec<u32>,
    /// For each event that reads: the value it sees; `NONE` for others.
    pub read: Vec<Value>,
    /// For each event that makes a value: which.
    pub made: Vec<Value>,
    /// The value of each variable where the body begins.
    pub initial: Vec<Value>,
}

/// What an event does to one of the variables.
enum Effect {
    Read,
    Make { keeps: bool },
    Forget,
}

/// The variable that an event concerns, and what it does to it.
fn effect(event: &Event) -> Option<(Variable, Effect)> {
    match *event {
        Event::Declare(local) => Some((Variable::Local(local), Effect::Forget)),
        Event::Read { variable, .. } => Some((variable, Effect::Read)),
        Event::Write { variable, keeps, .. } => Some((variable, Effect::Make { keeps })),
        Event::Expose { variable } => Some((variable, Effect::Make { keeps: false })),
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
            origins: vec![Origin::Initial; variables.len()],
            variable_of: (0..variables.len() as u32).collect(),
            read: vec![NONE; graph.events.len()],
            made: vec![NONE; graph.events.len()],
            initial: (0..variables.len() as u32).collect(),
        };
        let mut meetings = place_meetings(graph, idom, &numbers, variables.len());
        values.rename(graph, idom, &numbers, &mut meetings);
        values
    }

    fn new_value(&mut self, origin: Origin, variable: u32) -> Value {
        self.origins.push(origin);
        self.variable_of.push(variable);
        self.origins.len() as u32 - 1
    }

    /// Walks the dominator tree with the current value of each variable.
    fn rename(
        &mut self,
        graph: &Graph,
        idom: &[u32],
        numbers: &FxHashMap<Variable, u32>,
        meetings: &mut [Vec<(u32, Value)>],
    ) {
        for &block in &graph.order {
            let arrivals = graph.predecessors(block).len();
            for (variable, value) in &mut meetings[block as usize] {
                let values = vec![NONE; arrivals];
                *value = self.new_value(Origin::Meeting { block, values }, *variable);
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
            for &(variable, value) in &meetings[block as usize] {
                changes.push((variable, current[variable as usize]));
                current[variable as usize] = value;
            }
            for index in graph.blocks[block as usize].events.clone() {
                let Some((variable, effect)) = effect(&graph.events[index as usize]) else {
                    continue;
                };
                let Some(&variable) = numbers.get(&variable) else { continue };
                let before = current[variable as usize];
                let made = match effect {
                    Effect::Read => {
                        self.read[index as usize] = before;
                        continue;
                    }
                    Effect::Make { keeps } => {
                        let before = if keeps { before } else { NONE };
                        self.new_value(Origin::Event { event: index, before }, variable)
                    }
                    Effect::Forget => self.new_value(Origin::Initial, variable),
                };
                self.made[index as usize] = made;
                changes.push((variable, before));
                current[variable as usize] = made;
            }
            for (next, arrival) in graph.edges(block) {
                for &(variable, value) in &meetings[next as usize] {
                    if let Origin::Meeting { values, .. } = &mut self.origins[value as usize] {
                        values[arrival as usize] = current[variable as usize];
                    }
                }
            }
            steps.extend(children[block as usize].iter().map(|&child| Step::Enter(child)));
        }
    }
}

/// For each block the variables whose values meet there.
fn place_meetings(
    graph: &Graph,
    idom: &[u32],
    numbers: &FxHashMap<Variable, u32>,
    count: usize,
) -> Vec<Vec<(u32, Value)>> {
    // Blocks that make values, and whether a block reads what another one made.
    let mut makers: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut is_global = vec![false; count];
    let mut made_in = vec![NONE; count];
    for &block in &graph.order {
        for event in graph.events_of(block) {
            let Some((variable, effect)) = effect(event) else { continue };
            let Some(&variable) = numbers.get(&variable) else { continue };
            let variable = variable as usize;
            match effect {
                Effect::Read => is_global[variable] |= made_in[variable] != block,
                Effect::Make { keeps: true } if made_in[variable] != block => {
                    is_global[variable] = true;
                }
                Effect::Make { .. } | Effect::Forget => {}
            }
            if !matches!(effect, Effect::Read) && made_in[variable] != block {
                made_in[variable] = block;
                makers[variable].push(block);
            }
        }
    }
    let frontiers = frontiers(graph, idom);
    let mut meetings: Vec<Vec<(u32, Value)>> = vec![Vec::new(); graph.blocks.len()];
    let mut has = vec![NONE; graph.blocks.len()];
    for variable in 0..count {
        if !is_global[variable] {
            continue;
        }
        let mut pending = std::mem::take(&mut makers[variable]);
        while let Some(block) = pending.pop() {
            for &join in &frontiers[block as usize] {
                if has[join as usize] != variable as u32 {
                    has[join as usize] = variable as u32;
                    meetings[join as usize].push((variable as u32, NONE));
                    pending.push(join);
                }
            }
        }
    }
    meetings
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
            // Whoever has the join already has given it to everyone above, too.
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
