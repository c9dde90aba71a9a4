//! Where work-items of a group meet: barriers, and functions that they compute together.

use clc_base::memory_model::{BarrierScope, FenceMemory};
use clc_builtins::{GroupOp, GroupOperation, Intrinsic as I};
use clc_ir::{InstKind, Type};

use crate::access::whole;
use crate::arithmetic::{combined, identity};
use crate::machine::{Item, Machine, State, Wait};
use crate::memory::Region;
use crate::stop::Stop;
use crate::value::{Datum, Scalar};

/// Which items have to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    WorkGroup,
    SubGroup,
    /// Those of the sub-group that come.
    Active,
}

/// Whether items compute it together.
pub(crate) fn is_collective(intrinsic: I) -> bool {
    needs(intrinsic).is_some()
}

fn needs(intrinsic: I) -> Option<Needs> {
    Some(match intrinsic {
        I::WorkGroup(..)
        | I::WorkGroupAll
        | I::WorkGroupAny
        | I::WorkGroupBroadcast
        | I::AsyncWorkGroupCopy
        | I::AsyncWorkGroupStridedCopy
        | I::WaitGroupEvents => Needs::WorkGroup,
        I::SubGroup(..) | I::SubGroupAll | I::SubGroupAny | I::SubGroupBroadcast => Needs::SubGroup,
        I::SubGroupNonUniform(..)
        | I::SubGroupElect
        | I::SubGroupNonUniformAll
        | I::SubGroupNonUniformAny
        | I::SubGroupNonUniformAllEqual
        | I::SubGroupNonUniformBroadcast
        | I::SubGroupBroadcastFirst
        | I::SubGroupBallot
        | I::SubGroupShuffle
        | I::SubGroupShuffleXor
        | I::SubGroupShuffleUp
        | I::SubGroupShuffleDown
        | I::SubGroupRotate
        | I::SubGroupClusteredRotate => Needs::Active,
        _ => return None,
    })
}

/// What an item brings to where it meets others.
struct Guest {
    lane: u64,
    operands: Vec<Datum>,
}

impl Machine<'_> {
    /// All items of a group wait or are done: those that have all come to where they wait go on.
    pub(crate) fn meet(&mut self, items: &mut [Item]) -> Result<(), Stop> {
        let waits = |item: &Item| match &item.state {
            State::Waits(wait) => Some((wait.function, wait.inst)),
            State::Runs | State::Done => None,
        };
        let mut some_go_on = false;
        let numbers: Vec<u64> = items.iter().map(|item| item.position.sub_group()).collect();
        let mut first = 0;
        while first < items.len() {
            let last =
                numbers[first..].iter().take_while(|&&it| it == numbers[first]).count() + first;
            let sub_group = &mut items[first..last];
            first = last;
            let Some(wait) = sub_group.iter().find_map(|item| match &item.state {
                State::Waits(wait) => Some(wait.clone()),
                State::Runs | State::Done => None,
            }) else {
                continue;
            };
            let needs = self.needs(&wait);
            let here = Some((wait.function, wait.inst));
            let is_done = |item: &&mut Item| matches!(item.state, State::Done);
            let (mut here, mut elsewhere): (Vec<_>, Vec<_>) =
                sub_group.iter_mut().partition(|item| waits(item) == here);
            match needs {
                Needs::WorkGroup => continue,
                Needs::SubGroup if !elsewhere.is_empty() => continue,
                Needs::Active if !elsewhere.iter_mut().all(|item| is_done(item)) => continue,
                Needs::SubGroup | Needs::Active => {}
            }
            self.together(&mut here, &wait)?;
            some_go_on = true;
        }
        if some_go_on {
            return Ok(());
        }
        let all: Vec<_> = items.iter().map(waits).collect();
        let wait = items.iter().find_map(|item| match &item.state {
            State::Waits(wait) => Some(wait.clone()),
            State::Runs | State::Done => None,
        });
        let Some(wait) = wait else { return Ok(()) };
        let mut waiting = items.iter().filter_map(|item| match &item.state {
            State::Waits(wait) => Some(wait),
            State::Runs | State::Done => None,
        });
        if waiting.any(|wait| self.needs(wait) == Needs::Active) {
            // Which of them come together, the intermediate representation does not say.
            return Err(Stop::unknown(
                "a function of the active work-items where control diverges",
            ));
        }
        if all.iter().any(|other| *other != Some((wait.function, wait.inst))) {
            let function = &self.module.functions[wait.function];
            let index = all.iter().position(|other| *other != all[0]).unwrap_or(0);
            return Err(Stop::fault(format!(
                "work-items do not come to the same barrier, or function of the group: in `{}`, {}, \
                 of group {:?}, work-items {:?} and {:?}",
                function.name,
                wait.inst,
                items[0].position.group,
                items[0].position.local,
                items[index].position.local,
            )));
        }
        let mut items: Vec<&mut Item> = items.iter_mut().collect();
        self.together(&mut items, &wait)
    }

    fn needs(&self, wait: &Wait) -> Needs {
        match self.barrier(wait) {
            Some((BarrierScope::WorkGroup, _)) => Needs::WorkGroup,
            Some((BarrierScope::SubGroup, _)) => Needs::SubGroup,
            None => match self.module.functions[wait.function].insts[wait.inst].kind {
                InstKind::Intrinsic { intrinsic, .. } => {
                    needs(intrinsic).unwrap_or(Needs::WorkGroup)
                }
                _ => Needs::WorkGroup,
            },
        }
    }

    /// Items that have come to one instruction go on, with its results.
    fn together(&mut self, items: &mut [&mut Item], wait: &Wait) -> Result<(), Stop> {
        let module = self.module;
        let function = &module.functions[wait.function];
        if let Some((scope, memory)) = self.barrier(wait) {
            match scope {
                BarrierScope::WorkGroup => Machine::order(items, memory),
                // Orders accesses of some items, which is not followed.
                BarrierScope::SubGroup => self.memory.races = false,
            }
            for item in items {
                item.go_on(module, None);
            }
            return Ok(());
        }
        let InstKind::Intrinsic { intrinsic, arguments } = function.insts[wait.inst].kind else {
            return Err(Stop::unknown("an instruction to wait at"));
        };
        let ty = function.insts[wait.inst].result.map(|value| module.value_type(function, value));
        let guests: Vec<Guest> = items
            .iter()
            .map(|item| Guest {
                lane: match needs(intrinsic) {
                    Some(Needs::WorkGroup) | None => item.position.linear_local(),
                    Some(Needs::SubGroup | Needs::Active) => item.position.lane(),
                },
                operands: match &item.state {
                    State::Waits(wait) => wait.operands.clone(),
                    State::Runs | State::Done => Vec::new(),
                },
            })
            .collect();
        let results = match intrinsic {
            I::AsyncWorkGroupCopy | I::AsyncWorkGroupStridedCopy => {
                let pointers =
                    function.values_of(arguments).map(|it| module.value_type(function, it));
                self.copy(items, intrinsic, &guests, &pointers.collect::<Vec<_>>())?;
                vec![Some(Datum::known(0)); items.len()]
            }
            I::WaitGroupEvents => {
                Machine::order(items, FenceMemory::ALL);
                vec![None; items.len()]
            }
            I::WorkGroupBroadcast => {
                let [x, y, z] = [1, 2, 3].map(|index| {
                    let datum = guests[0].operands.get(index);
                    datum.map_or(Some(0), |datum| datum.lane(0).get())
                });
                let place = x.zip(y).zip(z).map(|((x, y), z)| [x, y, z]);
                let place = place.ok_or_else(|| Stop::fault("an id that is not defined"))?;
                let from = items.iter().position(|item| item.position.local == place);
                let from = from.ok_or_else(|| Stop::fault("an id outside of the group"))?;
                vec![Some(guests[from].operands[0].clone()); items.len()]
            }
            _ => {
                let ty = ty.ok_or_else(|| Stop::unknown("a function without a result"))?;
                self.results(intrinsic, &guests, ty)?.into_iter().map(Some).collect()
            }
        };
        // Whether they order accesses is nowhere said; races across them are not looked for.
        Machine::order(items, FenceMemory::ALL);
        for (item, result) in items.iter_mut().zip(results) {
            item.go_on(module, result);
        }
        Ok(())
    }

    /// What each gets.
    fn results(&self, intrinsic: I, guests: &[Guest], ty: Type) -> Result<Vec<Datum>, Stop> {
        let width = self.width(ty);
        let lanes = usize::from(self.types().lanes(ty));
        let each = |of: &dyn Fn(&Guest) -> Result<Datum, Stop>| guests.iter().map(of).collect();
        let operand = |guest: &Guest, index: usize| -> Result<u64, Stop> {
            let scalar = guest.operands.get(index).map(|datum| datum.lane(0));
            let bits = scalar.and_then(Scalar::get);
            bits.ok_or_else(|| Stop::fault("an operand that decides for others is not defined"))
        };
        // The value of the item at a lane; of one that is not there it is undefined.
        let from = |lane: u64| {
            let found = guests.iter().find(|guest| guest.lane == lane);
            match found {
                Some(guest) => guest.operands[0].clone(),
                None => whole(vec![Datum::Scalar(Scalar::unknown(width)); lanes]),
            }
        };
        let truth = |value: bool| Ok(Datum::known(u64::from(value)));
        match intrinsic {
            I::WorkGroup(operation, op)
            | I::SubGroup(operation, op)
            | I::SubGroupNonUniform(operation, op) => self.combine(operation, op, guests, ty),
            I::WorkGroupAll | I::SubGroupAll | I::SubGroupNonUniformAll => {
                let values = guests.iter().map(|guest| operand(guest, 0));
                let all = values.collect::<Result<Vec<_>, _>>()?.iter().all(|&it| it != 0);
                each(&|_| truth(all))
            }
            I::WorkGroupAny | I::SubGroupAny | I::SubGroupNonUniformAny => {
                let values = guests.iter().map(|guest| operand(guest, 0));
                let any = values.collect::<Result<Vec<_>, _>>()?.iter().any(|&it| it != 0);
                each(&|_| truth(any))
            }
            I::SubGroupNonUniformAllEqual => {
                let equal = guests.iter().all(|guest| guest.operands[0] == guests[0].operands[0]);
                each(&|_| truth(equal))
            }
            I::SubGroupBroadcast | I::SubGroupNonUniformBroadcast => {
                let lane = operand(&guests[0], 1)?;
                each(&|_| Ok(from(lane)))
            }
            I::SubGroupBroadcastFirst => each(&|_| Ok(guests[0].operands[0].clone())),
            I::SubGroupElect => each(&|guest| truth(guest.lane == guests[0].lane)),
            I::SubGroupBallot => {
                let mut words = [0u64; 4];
                for guest in guests {
                    if operand(guest, 0)? != 0 && guest.lane < 128 {
                        words[guest.lane as usize / 32] |= 1 << (guest.lane % 32);
                    }
                }
                each(&|_| Ok(Datum::Parts(words.map(Datum::known).to_vec())))
            }
            I::SubGroupShuffle => each(&|guest| Ok(from(operand(guest, 1)?))),
            I::SubGroupShuffleXor => each(&|guest| Ok(from(guest.lane ^ operand(guest, 1)?))),
            I::SubGroupShuffleUp => {
                each(&|guest| Ok(from(guest.lane.wrapping_sub(operand(guest, 1)?))))
            }
            I::SubGroupShuffleDown => {
                each(&|guest| Ok(from(guest.lane.wrapping_add(operand(guest, 1)?))))
            }
            I::SubGroupRotate => {
                let size = guests.iter().map(|guest| guest.lane + 1).max().unwrap_or(1);
                each(&|guest| {
                    let by = operand(guest, 1)? as u32 as i32;
                    Ok(from((guest.lane as i64 + i64::from(by)).rem_euclid(size as i64) as u64))
                })
            }
            I::SubGroupClusteredRotate => each(&|guest| {
                let by = i64::from(operand(guest, 1)? as u32 as i32);
                let size = operand(guest, 2)?.max(1) as i64;
                let start = guest.lane as i64 / size * size;
                Ok(from((start + (guest.lane as i64 - start + by).rem_euclid(size)) as u64))
            }),
            _ => Err(Stop::unknown(format!("`{}`", intrinsic.source_name()))),
        }
    }

    /// Reductions and scans, in the order of the items.
    fn combine(
        &self,
        operation: GroupOperation,
        op: GroupOp,
        guests: &[Guest],
        ty: Type,
    ) -> Result<Vec<Datum>, Stop> {
        let width = self.width(ty);
        let lanes = usize::from(self.types().lanes(ty));
        let start = whole(vec![Datum::Scalar(identity(op, width)); lanes]);
        let join = |left: &Datum, right: &Datum| {
            Datum::each(&[left.clone(), right.clone()], |it| {
                Ok::<_, Stop>(combined(op, it[0], it[1], width))
            })
        };
        let mut before = Vec::new();
        let mut sum: Option<Datum> = None;
        let mut after = Vec::new();
        for guest in guests {
            before.push(sum.clone().unwrap_or_else(|| start.clone()));
            let next = match &sum {
                None => guest.operands[0].clone(),
                Some(sum) => join(sum, &guest.operands[0])?,
            };
            after.push(next.clone());
            sum = Some(next);
        }
        Ok(match operation {
            GroupOperation::Reduce => {
                let total = sum.unwrap_or(start);
                vec![total; guests.len()]
            }
            GroupOperation::InclusiveScan => after,
            GroupOperation::ExclusiveScan => before,
            GroupOperation::ClusteredReduce => {
                let size = guests[0].operands.get(1).and_then(|datum| datum.lane(0).get());
                let size = size.filter(|&size| size != 0);
                let size = size.ok_or_else(|| Stop::fault("a cluster of no size"))?;
                let cluster = |guest: &Guest| guest.lane / size;
                let mut out = Vec::new();
                for guest in guests {
                    let mut values = guests.iter().filter(|other| cluster(other) == cluster(guest));
                    let first = values.next().map_or(start.clone(), |it| it.operands[0].clone());
                    let total = values.try_fold(first, |sum, it| join(&sum, &it.operands[0]))?;
                    out.push(total);
                }
                out
            }
        })
    }

    /// `async_work_group_copy` and its strided form: elements between global and local memory.
    fn copy(
        &mut self,
        items: &[&mut Item],
        intrinsic: I,
        guests: &[Guest],
        tys: &[Type],
    ) -> Result<(), Stop> {
        let known = |index: usize| {
            let first = guests[0].operands.get(index).and_then(|datum| datum.lane(0).get());
            let is_same = guests.iter().all(|guest| {
                guest.operands.get(index).and_then(|datum| datum.lane(0).get()) == first
            });
            match first {
                Some(bits) if is_same => Ok(bits),
                _ => Err(Stop::fault("work-items copy different memory together")),
            }
        };
        let (to, from, count) = (known(0)?, known(1)?, known(2)?);
        let stride = match intrinsic {
            I::AsyncWorkGroupStridedCopy => known(3)?,
            _ => 1,
        };
        let (element, _) = self
            .types()
            .pointer_parts(tys[0])
            .ok_or_else(|| Stop::unknown("a copy through no pointer"))?;
        let size = self.types().size(element);
        let to_local = self.memory.region(to) == Some(Region::Local);
        let step = |is_strided: bool| if is_strided { stride.wrapping_mul(size) } else { size };
        for index in 0..count {
            let from = from.wrapping_add(index.wrapping_mul(step(to_local)));
            let to = to.wrapping_add(index.wrapping_mul(step(!to_local)));
            // By an item of the group, in its name.
            let contents = self.memory.read(from, size, items[0].accessor)?;
            self.memory.write(to, &contents, items[0].accessor)?;
        }
        Ok(())
    }
}

/// The functions of masks of sub-groups, which need no other item; `None` if it is none of these.
pub(crate) fn of_mask(intrinsic: I, operands: &[Datum], lane: u64, size: u64) -> Option<Datum> {
    let bits = |datum: &Datum| -> Option<u128> {
        let words =
            (0..4).map(|word| datum.lane(word).get().map(|bits| u128::from(bits) << (32 * word)));
        words.into_iter().try_fold(0, |all, word| Some(all | word?))
    };
    let parts = |mask: u128| {
        let word = |word: u32| Datum::known((mask >> (32 * word)) as u64 & 0xffff_ffff);
        Some(Datum::Parts((0..4).map(word).collect()))
    };
    let inside = if size >= 128 { u128::MAX } else { (1 << size) - 1 };
    let below = (1u128 << lane.min(127)) - 1;
    let at = 1u128 << lane.min(127);
    let number = |value: u32| Some(Datum::known(u64::from(value)));
    match intrinsic {
        I::GetSubGroupEqMask => return parts(at),
        I::GetSubGroupGeMask => return parts(inside & !below),
        I::GetSubGroupGtMask => return parts(inside & !below & !at),
        I::GetSubGroupLeMask => return parts(below | at),
        I::GetSubGroupLtMask => return parts(below),
        _ => {}
    }
    let is_of_ballot = matches!(
        intrinsic,
        I::SubGroupInverseBallot
            | I::SubGroupBallotBitExtract
            | I::SubGroupBallotBitCount
            | I::SubGroupBallotInclusiveScan
            | I::SubGroupBallotExclusiveScan
            | I::SubGroupBallotFindLsb
            | I::SubGroupBallotFindMsb
    );
    if !is_of_ballot {
        return None;
    }
    let mask = operands.first().and_then(bits);
    match intrinsic {
        I::SubGroupInverseBallot => number(u32::from(mask? & at != 0)),
        I::SubGroupBallotBitExtract => {
            let index = operands.get(1)?.lane(0).get()?;
            number(u32::from(mask? >> index.min(127) & 1 != 0))
        }
        I::SubGroupBallotBitCount => number((mask? & inside).count_ones()),
        I::SubGroupBallotInclusiveScan => number((mask? & (below | at)).count_ones()),
        I::SubGroupBallotExclusiveScan => number((mask? & below).count_ones()),
        I::SubGroupBallotFindLsb => number((mask? & inside).trailing_zeros()),
        I::SubGroupBallotFindMsb => number(127 - (mask? & inside).leading_zeros().min(127)),
        _ => None,
    }
}
