//! Several compilations side by side, in one process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::guard;

/// What is said of a batch while it runs.
pub(super) enum Event<T> {
    /// So many have ended.
    Ended(usize),
    /// The result of a compilation; they come in the order of the turn.
    Next(usize, T),
}

/// How many of so many compilations run side by side: what `-j` says, or as many as there are cores.
pub(super) fn workers(asked: Option<usize>, compilations: usize) -> Result<usize, String> {
    match asked {
        Some(0) => Err("`-j 0`: at least one source is compiled at a time".to_owned()),
        Some(count) => Ok(count),
        // To ask takes the system as long as to open ten files.
        None if compilations == 1 => Ok(1),
        None => Ok(std::thread::available_parallelism().map_or(1, |count| count.get())),
    }
}

/// Does `one` for the compilations of these numbers, as many at a time as there are workers, and tells
/// `say` on the thread of the caller.
///
/// The memory of a batch is that of its workers: a compilation's ends with it, and what is left is the result.
pub(super) fn run<T: Send>(
    workers: usize,
    turn: &[usize],
    one: impl Fn(usize) -> T + Sync,
    mut say: impl FnMut(Event<T>),
) {
    let workers = workers.min(turn.len());
    let mut results: Vec<Option<T>> = turn.iter().map(|_| None).collect();
    let (mut ended, mut said) = (0, 0);
    let mut end = |index: usize, result: T| {
        results[index] = Some(result);
        ended += 1;
        while let Some(result) = results.get_mut(said).and_then(Option::take) {
            said += 1;
            say(Event::Next(turn[said - 1], result));
        }
        say(Event::Ended(ended));
    };
    let next = AtomicUsize::new(0);
    let following = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        Some((index, *turn.get(index)?))
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut started = 0;
        // One needs no thread; and where none can be had, this one does the work.
        while workers > 1 && started < workers {
            let sender = sender.clone();
            let work = || {
                let sender = sender;
                while let Some((index, item)) = following() {
                    let _ = sender.send((index, one(item)));
                }
            };
            let thread = std::thread::Builder::new().stack_size(guard::STACK);
            if thread.spawn_scoped(scope, work).is_err() {
                break;
            }
            started += 1;
        }
        drop(sender);
        if started == 0 {
            while let Some((index, item)) = following() {
                end(index, one(item));
            }
        }
        for (index, result) in receiver {
            end(index, result);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of [`Event::Next`] and of [`Event::Ended`].
    fn events(workers: usize, turn: &[usize]) -> (Vec<(usize, usize)>, Vec<usize>) {
        let (mut results, mut ended) = (Vec::new(), Vec::new());
        let one = |item: usize| {
            // The first ones take longest.
            std::thread::sleep(std::time::Duration::from_millis(
                20_u64.saturating_sub(item as u64),
            ));
            10 * item
        };
        run(workers, turn, one, |event| match event {
            Event::Ended(count) => ended.push(count),
            Event::Next(item, result) => results.push((item, result)),
        });
        (results, ended)
    }

    #[test]
    fn results_come_in_the_order_of_the_turn() {
        let turn: Vec<usize> = (0..40).filter(|item| item % 3 != 1).collect();
        let expected: Vec<_> = turn.iter().map(|&item| (item, 10 * item)).collect();
        let counts: Vec<usize> = (1..=turn.len()).collect();
        for workers in [1, 2, 7, 1000] {
            assert_eq!(events(workers, &turn), (expected.clone(), counts.clone()), "{workers}");
        }
        assert_eq!(events(4, &[]), (Vec::new(), Vec::new()));
    }

    #[test]
    fn at_least_one_works() {
        assert_eq!(workers(Some(3), 9), Ok(3));
        assert_eq!(workers(None, 1), Ok(1));
        assert!(workers(None, 9).unwrap() > 0);
        assert!(workers(Some(0), 9).unwrap_err().contains("-j 0"));
    }
}
