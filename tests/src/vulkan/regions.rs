//! Regions of a launch: boxes of work-groups of one size, which are dispatched one after the other.

use super::Failure;

/// The sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub global: [u64; 3],
    /// The size of work-groups that was asked for.
    pub local: [u32; 3],
}

impl Sizes {
    /// The number of work-groups.
    pub fn groups(self) -> Result<[u32; 3], Failure> {
        let mut groups = [0; 3];
        for (axis, count) in groups.iter_mut().enumerate() {
            let all = self.global[axis].div_ceil(u64::from(self.local[axis]));
            *count = u32::try_from(all).map_err(|_| format!("{all} work-groups are too many"))?;
        }
        Ok(groups)
    }
}

/// A part of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub launch: Sizes,
    pub first_group: [u32; 3],
    pub groups: [u32; 3],
    /// The size of its work-groups.
    pub local: [u32; 3],
}

impl Region {
    /// A launch that is not cut, on a device that dispatches at most so many work-groups.
    pub fn whole(global: [u64; 3], local: [u32; 3], most: [u32; 3]) -> Result<Region, Failure> {
        let launch = Sizes { global, local };
        let groups = launch.groups()?;
        for (count, limit) in groups.into_iter().zip(most) {
            if count > limit {
                let message = format!("{count} work-groups are more than the device's {limit}");
                return Err(message.into());
            }
        }
        Ok(Region { launch, first_group: [0; 3], groups, local })
    }

    /// The global id of its first work-item.
    pub fn first_item(&self, offset: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|axis| {
            let before = u64::from(self.first_group[axis]) * u64::from(self.launch.local[axis]);
            offset[axis].wrapping_add(before)
        })
    }
}

/// Cuts a launch: in each dimension into whole work-groups, as many at a time as the device dispatches, and a
/// smaller one for what is left.
pub(super) fn cut(
    global: [u64; 3],
    local: [u32; 3],
    most: [u32; 3],
) -> Result<Vec<Region>, Failure> {
    let launch = Sizes { global, local };
    launch.groups()?;
    let [x, y, z] = [0, 1, 2].map(|axis| parts(global[axis], local[axis], most[axis]));
    let mut regions = Vec::new();
    for &z in &z {
        for &y in &y {
            for &x in &x {
                let parts = [x, y, z];
                regions.push(Region {
                    launch,
                    first_group: parts.map(|part| part.first),
                    groups: parts.map(|part| part.groups),
                    local: parts.map(|part| part.local),
                });
            }
        }
    }
    Ok(regions)
}

/// A part of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    first: u32,
    groups: u32,
    local: u32,
}

fn parts(global: u64, local: u32, most: u32) -> Vec<Part> {
    let whole = (global / u64::from(local)) as u32;
    let rest = (global % u64::from(local)) as u32;
    let mut parts = Vec::new();
    let mut first = 0;
    while first < whole {
        let groups = (whole - first).min(most);
        parts.push(Part { first, groups, local });
        first += groups;
    }
    if rest > 0 {
        parts.push(Part { first: whole, groups: 1, local: rest });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_groups_and_a_rest() {
        let part = |first, groups, local| Part { first, groups, local };
        assert_eq!(parts(12, 4, 100), [part(0, 3, 4)]);
        assert_eq!(parts(14, 4, 100), [part(0, 3, 4), part(3, 1, 2)]);
        assert_eq!(parts(3, 4, 100), [part(0, 1, 3)]);
        assert_eq!(
            parts(21, 4, 2),
            [part(0, 2, 4), part(2, 2, 4), part(4, 1, 4), part(5, 1, 1)][..]
        );
        assert_eq!(parts(0, 4, 2), []);
    }

    #[test]
    fn regions_have_each_work_item_once() {
        let (global, local) = ([7, 5, 3], [4, 2, 2]);
        let regions = cut(global, local, [1, 1, 100]).unwrap();
        assert!(regions.iter().all(|region| region.groups[0] == 1 && region.groups[1] == 1));
        let mut seen = [[[0u8; 3]; 5]; 7];
        for region in &regions {
            let [x, y, z] = region.first_item([0; 3]).map(|first| first as usize);
            let [width, height, depth] =
                [0, 1, 2].map(|axis| region.groups[axis] as usize * region.local[axis] as usize);
            for plane in &mut seen[x..x + width] {
                for row in &mut plane[y..y + height] {
                    row[z..z + depth].iter_mut().for_each(|count| *count += 1);
                }
            }
        }
        assert_eq!(seen, [[[1; 3]; 5]; 7]);
        assert_eq!(regions[0].launch.groups().unwrap(), [2, 3, 2]);
        assert_eq!(cut([8, 2, 2], local, [9; 3]).unwrap().len(), 1);
    }
}
