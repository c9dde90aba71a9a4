//! Launches whose last work-groups are smaller (OpenCL API 5.8): what `unequal_groups.cl` computes.

use crate::case::Case;
use crate::data::{Data, Element};

/// A work-item of a launch.
struct Item {
    /// From 0 on, by dimension.
    at: [usize; 3],
    group: [usize; 3],
    local: [usize; 3],
    /// The size of its work-group.
    size: [usize; 3],
}

/// A launch in three dimensions.
struct Grid {
    global: [usize; 3],
    local: [usize; 3],
    offset: [usize; 3],
}

impl Grid {
    fn of(case: &Case) -> Grid {
        let three = |sizes: &[usize], other| [0, 1, 2].map(|d| *sizes.get(d).unwrap_or(&other));
        Grid {
            global: three(&case.global, 1),
            local: three(&case.local, 1),
            offset: three(&case.offset, 0),
        }
    }

    /// All work-items, the first dimension fastest.
    fn items(&self) -> Vec<Item> {
        let [width, height, depth] = self.global;
        let mut items = Vec::new();
        for number in 0..width * height * depth {
            let at = [number % width, number / width % height, number / width / height];
            let group = [0, 1, 2].map(|d| at[d] / self.local[d]);
            items.push(Item {
                at,
                group,
                local: [0, 1, 2].map(|d| at[d] % self.local[d]),
                size: [0, 1, 2]
                    .map(|d| self.local[d].min(self.global[d] - group[d] * self.local[d])),
            });
        }
        items
    }
}

/// Numbers of three dimensions as one, the first dimension fastest.
fn linear(at: [usize; 3], sizes: [usize; 3]) -> usize {
    (at[2] * sizes[1] + at[1]) * sizes[0] + at[0]
}

/// The kernels `ids`, `apart` and `required`: 35 numbers for each work-item.
pub fn work_items(case: &Case) -> Data {
    let grid = Grid::of(case);
    let mut out: Vec<i128> = Vec::new();
    for item in grid.items() {
        for d in 0..3 {
            let numbers = [
                grid.offset[d] + item.at[d],
                item.group[d],
                item.local[d],
                item.size[d],
                grid.local[d],
                grid.global[d].div_ceil(grid.local[d]),
                grid.global[d],
                grid.offset[d],
            ];
            out.extend(numbers.map(|number| number as i128));
        }
        // Of a dimension that there is not, ids are 0 and sizes 1.
        out.extend([0, 0, 0, 1, 1, 1, 1, 0]);
        let last = [linear(item.at, grid.global), linear(item.local, item.size), case.global.len()];
        out.extend(last.map(|number| number as i128));
    }
    Data::from_int(Element::ULong, out)
}

/// The kernel `exchange`: for each work-item five numbers, from the values of its work-group in the order
/// of their local linear ids.
pub fn exchanged(case: &Case) -> Data {
    let grid = Grid::of(case);
    let values = case.arguments[0].data().ints();
    let items = grid.items();
    let mut out = Vec::new();
    for item in &items {
        let mut group: Vec<(usize, i128)> = items
            .iter()
            .zip(&values)
            .filter(|(other, _)| other.group == item.group)
            .map(|(other, &value)| (linear(other.local, other.size), value))
            .collect();
        group.sort_unstable();
        let group: Vec<i128> = group.into_iter().map(|(_, value)| value).collect();
        let here = linear(item.local, item.size);
        let before = group[..here].iter().sum::<i128>();
        out.push(group[group.len() - 1 - here]);
        out.push(group.iter().sum());
        out.push(before);
        out.push(group[..=here].iter().copied().max().unwrap_or_default());
        out.push(*group.last().unwrap_or(&0));
    }
    Data::from_int(Element::Int, out)
}
