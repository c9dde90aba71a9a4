//! Immediate dominators of any graph, by Lengauer and Tarjan's algorithm with path compression:
//! O(m log n).

/// No node.
pub const NONE: u32 = u32::MAX;

/// Immediate dominators of the nodes `0..count` reachable from node 0; `NONE` for node 0 and for
/// nodes that it does not reach. `successors` may report `NONE`, which is ignored.
pub fn immediate_dominators(
    count: usize,
    successors: impl Fn(usize, &mut dyn FnMut(u32)),
    predecessors: impl Fn(usize, &mut dyn FnMut(u32)),
) -> Vec<u32> {
    // Depth-first numbering. All arrays below are indexed by these numbers, except `number`.
    let mut number = vec![NONE; count];
    let mut vertex: Vec<u32> = Vec::with_capacity(count);
    let mut parent: Vec<u32> = Vec::with_capacity(count);
    let mut stack: Vec<(u32, u32)> = Vec::new();
    if count > 0 {
        stack.push((0, NONE));
    }
    while let Some((node, from)) = stack.pop() {
        if number[node as usize] != NONE {
            continue;
        }
        let this = vertex.len() as u32;
        number[node as usize] = this;
        vertex.push(node);
        parent.push(from);
        successors(node as usize, &mut |next| {
            if next != NONE && number[next as usize] == NONE {
                stack.push((next, this));
            }
        });
    }

    let reached = vertex.len();
    let mut semi: Vec<u32> = (0..reached as u32).collect();
    let mut label = semi.clone();
    let mut ancestor = vec![NONE; reached];
    let mut idom = vec![NONE; reached];
    // Buckets as linked lists: the vertices whose semidominator is the index.
    let mut bucket = vec![NONE; reached];
    let mut bucket_next = vec![NONE; reached];
    let mut path = Vec::new();

    for w in (1..reached as u32).rev() {
        predecessors(vertex[w as usize] as usize, &mut |previous| {
            let v = number[previous as usize];
            if v != NONE {
                let u = evaluate(v, &mut ancestor, &mut label, &semi, &mut path);
                semi[w as usize] = semi[w as usize].min(semi[u as usize]);
            }
        });
        let s = semi[w as usize] as usize;
        bucket_next[w as usize] = bucket[s];
        bucket[s] = w;
        let p = parent[w as usize];
        ancestor[w as usize] = p;
        let mut v = std::mem::replace(&mut bucket[p as usize], NONE);
        while v != NONE {
            let u = evaluate(v, &mut ancestor, &mut label, &semi, &mut path);
            idom[v as usize] = if semi[u as usize] < semi[v as usize] { u } else { p };
            v = bucket_next[v as usize];
        }
    }
    let mut result = vec![NONE; count];
    for w in 1..reached {
        if idom[w] != semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
        result[vertex[w] as usize] = vertex[idom[w] as usize];
    }
    result
}

/// The vertex with the least semidominator on the path from `v` up to the root of its tree in the
/// forest of processed vertices, compressing the path.
fn evaluate(
    v: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) -> u32 {
    if ancestor[v as usize] == NONE {
        return v;
    }
    path.clear();
    let mut node = v;
    while ancestor[ancestor[node as usize] as usize] != NONE {
        path.push(node);
        node = ancestor[node as usize];
    }
    while let Some(node) = path.pop() {
        let above = ancestor[node as usize] as usize;
        if semi[label[above] as usize] < semi[label[node as usize] as usize] {
            label[node as usize] = label[above];
        }
        ancestor[node as usize] = ancestor[above];
    }
    label[v as usize]
}
