//! The control-flow graph of a function, as a petgraph graph.

use clc_base::Id;
use petgraph::algo::{is_cyclic_directed, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{DfsPostOrder, GraphBase, GraphRef, IntoNeighbors, Visitable};
use petgraph::{Direction, Graph};

use crate::operands::Targets;
use crate::{Block, BlockCall, Function};

/// Marks a block that control cannot reach.
const UNREACHABLE: u32 = u32::MAX;

/// Predecessors, successors and reverse post-order of a function's blocks.
///
/// Nodes are block ids. Edges are added last successor first, because petgraph yields the latest
/// edge first: neighbours come in the order of the terminator. Parallel edges are kept, so that a
/// block that a switch names twice is its successor twice.
#[derive(Debug)]
pub struct Cfg {
    graph: DiGraph<(), (), u32>,
    order: Vec<Block>,
    /// Position in `order`, by block.
    positions: Vec<u32>,
}

impl Cfg {
    /// The graph of the blocks that are reached.
    pub fn new(function: &Function) -> Cfg {
        Cfg::with_successors(function, |block, visit| {
            function.blocks[block].terminator.targets().for_each(|target| visit(target.block));
        })
    }

    /// A graph over the blocks of `function` whose edges are those that `successors` reports, in
    /// their order. In the reverse post-order, the last of them comes last.
    pub fn with_successors(
        function: &Function,
        successors: impl Fn(Block, &mut dyn FnMut(Block)),
    ) -> Cfg {
        let mut graph: DiGraph<(), (), u32> =
            Graph::with_capacity(function.blocks.len(), function.layout.len() * 2);
        for _ in function.blocks.ids() {
            graph.add_node(());
        }
        let mut targets = Vec::with_capacity(4);
        for &block in function.layout.iter().rev() {
            targets.clear();
            successors(block, &mut |target| targets.push(target));
            for &target in targets.iter().rev() {
                graph.add_edge(node(block), node(target), ());
            }
        }

        let mut order = Vec::with_capacity(function.layout.len());
        if let Some(&entry) = function.layout.first() {
            let mut walk = DfsPostOrder::empty(&graph);
            // A block is on the stack once for each block before it that waits, and few have more than two.
            walk.stack.reserve(2 * function.layout.len());
            walk.move_to(node(entry));
            while let Some(next) = walk.next(&graph) {
                order.push(block_of(next));
            }
            order.reverse();
        }
        let mut positions = vec![UNREACHABLE; function.blocks.len()];
        for (position, &block) in order.iter().enumerate() {
            positions[block.index()] = position as u32;
        }
        Cfg { graph, order, positions }
    }

    /// The graph itself, for petgraph's algorithms.
    pub fn graph(&self) -> &DiGraph<(), (), u32> {
        &self.graph
    }

    /// The destinations of a block's terminator, in its order.
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.graph.neighbors(node(block)).map(block_of)
    }

    /// The blocks that end in a jump to `block`, once for each edge; unreachable ones too.
    pub fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.graph.neighbors_directed(node(block), Direction::Incoming).map(block_of)
    }

    /// Reachable blocks; each comes before those it dominates.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.order
    }

    /// Position in the reverse post-order; `None` if control cannot reach the block.
    pub fn position(&self, block: Block) -> Option<usize> {
        match self.positions[block.index()] {
            UNREACHABLE => None,
            position => Some(position as usize),
        }
    }

    /// Whether control can come back to any block; unreachable ones count.
    pub fn has_loops(&self) -> bool {
        is_cyclic_directed(&self.graph)
    }

    /// By block: whether control can come back to it.
    pub fn blocks_in_loops(&self) -> Vec<bool> {
        let mut found = vec![false; self.positions.len()];
        for cycle in kosaraju_scc(&self.graph) {
            if cycle.len() > 1 || self.graph.contains_edge(cycle[0], cycle[0]) {
                cycle.into_iter().for_each(|node| found[node.index()] = true);
            }
        }
        found
    }

    /// Whether control can come to a block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.positions[block.index()] != UNREACHABLE
    }
}

/// Reachable blocks of `function`; each comes before those it dominates, and the destinations of
/// a terminator come in its order where control flow leaves the choice.
pub fn reverse_post_order(function: &Function) -> Vec<Block> {
    let Some(&entry) = function.layout.first() else { return Vec::new() };
    if function.blocks[entry].terminator.targets().next().is_none() {
        return vec![entry];
    }
    let flow = Flow(function);
    let mut order = Vec::with_capacity(function.layout.len());
    let mut walk = DfsPostOrder::empty(flow);
    walk.stack.reserve(2 * function.layout.len());
    walk.move_to(node(entry));
    while let Some(next) = walk.next(flow) {
        order.push(block_of(next));
    }
    order.reverse();
    order
}

/// Whether control may go back to where it has been: whether an edge leads to a block that does not come later in the
/// layout, which none does without a loop in a reverse post-order.
pub fn turns_back(function: &Function) -> bool {
    let mut is_behind = vec![false; function.blocks.len()];
    function.layout.iter().any(|&block| {
        is_behind[block.index()] = true;
        function.blocks[block].terminator.targets().any(|target| is_behind[target.block.index()])
    })
}

/// A function as petgraph sees it when it only walks forwards: no graph is built for that.
#[derive(Clone, Copy)]
struct Flow<'a>(&'a Function);

impl GraphBase for Flow<'_> {
    type NodeId = NodeIndex<u32>;
    type EdgeId = ();
}

impl GraphRef for Flow<'_> {}

impl<'a> IntoNeighbors for Flow<'a> {
    type Neighbors = std::iter::Map<Targets<'a>, fn(BlockCall) -> NodeIndex<u32>>;

    fn neighbors(self, from: NodeIndex<u32>) -> Self::Neighbors {
        self.0.blocks[block_of(from)].terminator.targets().map(|target| node(target.block))
    }
}

impl Visitable for Flow<'_> {
    type Map = <DiGraph<(), (), u32> as Visitable>::Map;

    fn visit_map(&self) -> Self::Map {
        Self::Map::with_capacity(self.0.blocks.len())
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
        map.grow(self.0.blocks.len());
    }
}

pub(crate) fn node(block: Block) -> NodeIndex<u32> {
    NodeIndex::new(block.index())
}

pub(crate) fn block_of(node: NodeIndex<u32>) -> Block {
    Block::from_index(node.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockCall, Terminator, TypePool, Value, ValueList};

    fn call(block: Block) -> BlockCall {
        BlockCall { block, arguments: ValueList::EMPTY }
    }

    #[test]
    fn order_follows_the_terminator_and_skips_the_unreachable() {
        let mut function = Function::new("f", TypePool::VOID);
        let blocks: Vec<Block> = (0..5).map(|_| function.add_block()).collect();
        let condition = Value::from_local(0);
        function.blocks[blocks[0]].terminator =
            Terminator::Branch { condition, then: call(blocks[3]), otherwise: call(blocks[1]) };
        function.blocks[blocks[3]].terminator = Terminator::Jump(call(blocks[2]));
        function.blocks[blocks[1]].terminator = Terminator::Jump(call(blocks[2]));
        function.blocks[blocks[2]].terminator = Terminator::Return(None);
        function.blocks[blocks[4]].terminator = Terminator::Jump(call(blocks[2]));

        let cfg = Cfg::new(&function);
        assert_eq!(cfg.reverse_post_order(), &[blocks[0], blocks[3], blocks[1], blocks[2]]);
        assert_eq!(cfg.successors(blocks[0]).collect::<Vec<_>>(), [blocks[3], blocks[1]]);
        assert_eq!(cfg.predecessors(blocks[2]).count(), 3);
        assert!(!cfg.is_reachable(blocks[4]));
        assert_eq!(cfg.position(blocks[1]), Some(2));
    }
}
