//! Dominators of a graph of blocks, by the algorithm of Cooper, Harvey and Kennedy.

const NONE: usize = usize::MAX;

pub(super) struct Dominators {
    /// By block: when a walk over the dominator tree enters and leaves it; both 0 if it is not
    /// reachable.
    spans: Vec<(u32, u32)>,
}

impl Dominators {
    /// For the successors of each block; the first is the entry.
    pub fn new(successors: &[&[usize]]) -> Dominators {
        let order = reverse_postorder(successors);
        let mut position = vec![NONE; successors.len()];
        for (number, &block) in order.iter().enumerate() {
            position[block] = number;
        }
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for &block in &order {
            for &target in successors[block] {
                predecessors[position[target]].push(position[block]);
            }
        }
        // In numbers of the order, so that a dominator is less than what it dominates.
        let mut dominator = vec![NONE; order.len()];
        if let Some(first) = dominator.first_mut() {
            *first = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..order.len() {
                let mut new = NONE;
                for &from in &predecessors[block] {
                    if dominator[from] == NONE {
                        continue;
                    }
                    let mut other = from;
                    if new == NONE {
                        new = other;
                    }
                    while new != other {
                        if new > other {
                            new = dominator[new];
                        } else {
                            other = dominator[other];
                        }
                    }
                }
                if dominator[block] != new {
                    dominator[block] = new;
                    changed = true;
                }
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for block in 1..order.len() {
            children[dominator[block]].push(block);
        }
        let mut spans = vec![(0, 0); successors.len()];
        let mut time = 0;
        let mut stack = if order.is_empty() { Vec::new() } else { vec![(0, 0)] };
        while let Some((block, next)) = stack.pop() {
            if next == 0 {
                time += 1;
                spans[order[block]].0 = time;
            }
            match children[block].get(next) {
                Some(&child) => stack.extend([(block, next + 1), (child, 0)]),
                None => spans[order[block]].1 = time,
            }
        }
        Dominators { spans }
    }

    pub fn is_reachable(&self, block: usize) -> bool {
        self.spans[block].0 != 0
    }

    /// Whether all ways to `other` go through `block`, for reachable blocks.
    pub fn dominates(&self, block: usize, other: usize) -> bool {
        let ((from, to), (time, _)) = (self.spans[block], self.spans[other]);
        from != 0 && from <= time && time <= to
    }
}

fn reverse_postorder(successors: &[&[usize]]) -> Vec<usize> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let mut stack = Vec::new();
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((0, 0));
    }
    while let Some((block, next)) = stack.pop() {
        match successors[block].get(next) {
            Some(&target) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push((target, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominators_are_what_all_ways_go_through() {
        // Random graphs, against the definition: without `block` there is no way to `other`.
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..300 {
            let count = 1 + random(12);
            let edges: Vec<Vec<usize>> =
                (0..count).map(|_| (0..random(4)).map(|_| random(count)).collect()).collect();
            let successors: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let reached = |without: usize| {
                let mut seen = vec![false; count];
                let mut stack = if without == 0 { vec![] } else { vec![0] };
                while let Some(block) = stack.pop() {
                    if block != without && !std::mem::replace(&mut seen[block], true) {
                        stack.extend_from_slice(&edges[block]);
                    }
                }
                seen
            };
            let dominators = Dominators::new(&successors);
            let all = reached(NONE);
            for block in 0..count {
                assert_eq!(dominators.is_reachable(block), all[block]);
                let without = reached(block);
                for other in (0..count).filter(|&other| all[other] && all[block]) {
                    let wanted = block == other || !without[other];
                    assert_eq!(dominators.dominates(block, other), wanted, "{edges:?}");
                }
            }
        }
    }
}
