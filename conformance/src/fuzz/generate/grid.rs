//! Launches of one, two and three dimensions.

use super::LOCAL;
use crate::random::Random;

/// How the work-items of a launch lie; there are always [`GLOBAL`] of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grid {
    Line,
    Plane,
    Block,
}

impl Grid {
    /// That of a program: no number of the sequence that its text comes of, so that the text depends on it as little
    /// as possible.
    pub(super) fn of(seed: u64) -> Grid {
        let mut random = Random::new(!seed);
        *random.pick(&[Grid::Line, Grid::Line, Grid::Line, Grid::Plane, Grid::Block])
    }

    /// The sizes of the launch.
    pub fn global(self) -> &'static str {
        match self {
            Grid::Line => "8",
            Grid::Plane => "4 2",
            Grid::Block => "2 2 2",
        }
    }

    /// The sizes of groups of at most [`LOCAL`] work-items, one of which is the last to be cut off.
    pub fn local(self, items: usize) -> String {
        match (self, items) {
            (Grid::Line, _) => format!("{items}"),
            (Grid::Plane, LOCAL) => "2 2".to_owned(),
            (Grid::Plane, _) => format!("{items} 1"),
            (Grid::Block, LOCAL) => "2 1 2".to_owned(),
            (Grid::Block, _) => format!("{} 1 1", items.min(2)),
        }
    }

    /// The number of a work-item among all.
    pub(super) fn global_id(self) -> &'static str {
        match self {
            Grid::Line => "get_global_id(0)",
            Grid::Plane => "(get_global_id(1) * get_global_size(0) + get_global_id(0))",
            Grid::Block => {
                "((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + \
                 get_global_id(0))"
            }
        }
    }

    /// The number of a work-item in its group.
    pub(super) fn local_id(self) -> &'static str {
        match self {
            Grid::Line => "get_local_id(0)",
            Grid::Plane => "get_local_id(1) * get_local_size(0) + get_local_id(0)",
            Grid::Block => {
                "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + \
                 get_local_id(0)"
            }
        }
    }

    /// What `work_group_broadcast` takes behind the id of the first dimension.
    pub(super) fn more_ids(self) -> &'static str {
        match self {
            Grid::Line => "",
            Grid::Plane => ", get_local_size(1) - 1",
            Grid::Block => ", 0, get_local_size(2) - 1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::GLOBAL;

    #[test]
    fn all_grids_have_as_many_work_items() {
        let product = |sizes: &str| -> usize {
            sizes.split(' ').map(|size| size.parse::<usize>().unwrap()).product()
        };
        for grid in [Grid::Line, Grid::Plane, Grid::Block] {
            assert_eq!(product(grid.global()), GLOBAL);
            assert_eq!(product(&grid.local(LOCAL)), LOCAL);
            for items in 1..=LOCAL {
                assert!(product(&grid.local(items)) <= items);
            }
        }
    }
}
