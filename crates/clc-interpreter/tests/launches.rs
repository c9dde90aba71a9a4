//! Kernels in the text form, and what their launches come to.

use clc_interpreter::{Argument, Launch, Outcome, Stop, run};

/// A module of one kernel `k` with these globals and this body; its parameters are a global pointer to `i32` and
/// what `parameters` adds.
fn launch(globals: &str, parameters: &str, body: &str, launch: &Launch) -> Result<Outcome, Stop> {
    let text = format!(
        "module ptr64\n{globals}\nfunction f0 \"k\"(ptr(crossworkgroup, i32) \"out\"{parameters}) void \
         kernel \"k\" {{\n{body}}}\n"
    );
    let module = clc_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    run(&module, "k", launch)
}

/// Four work-items in one group, with a buffer of as many words.
fn four() -> Launch {
    Launch {
        global: vec![4],
        local: vec![4],
        arguments: vec![Argument::Buffer(vec![0; 16])],
        races: true,
        ..Launch::default()
    }
}

fn words(outcome: &Outcome) -> Vec<u32> {
    let bytes = &outcome.buffers[0].as_ref().expect("a buffer").bytes;
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn fault(result: Result<Outcome, Stop>, part: &str) {
    match result {
        Err(Stop::Fault(text)) => assert!(text.contains(part), "{text}"),
        other => panic!("{other:?}, not a fault about `{part}`"),
    }
}

const TILE: &str = "g0 \"tile\" workgroup [4]i32 align 4\n";

/// Each work-item writes its id to local memory, and reads that of another.
fn exchange(barrier: &str) -> String {
    format!(
        "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetLocalId(i32 0)
  v2: i32 = trunc v1
  v3: ptr(workgroup, i32) = access g0 [v1]
  store v3, v2 align 4
{barrier}  v4: i64 = isub i64 3, v1
  v5: ptr(workgroup, i32) = access g0 [v4]
  v6: i32 = load v5 align 4
  v7: ptr(crossworkgroup, i32) = ptr_add v0, v1
  store v7, v6 align 4
  return
"
    )
}

#[test]
fn barriers_let_work_items_exchange_values() {
    let barrier = "  barrier work_group local seq_cst work_group\n";
    let outcome = launch(TILE, "", &exchange(barrier), &four()).unwrap();
    assert_eq!(words(&outcome), [3, 2, 1, 0]);
    // Without one it is a race, or what others have not yet written.
    fault(launch(TILE, "", &exchange(""), &four()), "data race in local memory");
    let careless = Launch { races: false, ..four() };
    let outcome = launch(TILE, "", &exchange(""), &careless).unwrap();
    assert_eq!(outcome.buffers[0].as_ref().unwrap().unknown[0], 0xff);
}

#[test]
fn a_barrier_that_some_do_not_come_to_is_a_fault() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetLocalId(i32 0)
  v2: bool = eq v1, i64 2
  branch v2, b1, b2
b1:
  barrier work_group local seq_cst work_group
  jump b2
b2:
  return
";
    fault(launch("", "", body, &four()), "do not come to the same barrier");
}

#[test]
fn groups_at_the_ends_are_smaller() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetGlobalId(i32 0)
  v2: i64 = intrinsic GetLocalSize(i32 0)
  v3: i32 = trunc v2
  v4: i32 = intrinsic WorkGroup(Reduce, IAdd)(v3)
  v5: ptr(crossworkgroup, i32) = ptr_add v0, v1
  store v5, v4 align 4
  return
";
    let uneven = Launch { local: vec![3], ..four() };
    assert_eq!(words(&launch("", "", body, &uneven).unwrap()), [9, 9, 9, 1]);
}

#[test]
fn two_dimensions_have_ids_of_their_own() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetGlobalLinearId()
  v2: i64 = intrinsic GetGlobalId(i32 0)
  v3: i64 = intrinsic GetGlobalId(i32 1)
  v4: i64 = imul v3, i64 10
  v5: i64 = iadd v2, v4
  v6: i32 = trunc v5
  v7: ptr(crossworkgroup, i32) = ptr_add v0, v1
  store v7, v6 align 4
  return
";
    let square = Launch { global: vec![2, 2], local: vec![1, 2], offset: vec![0, 5], ..four() };
    assert_eq!(words(&launch("", "", body, &square).unwrap()), [50, 51, 60, 61]);
}

#[test]
fn undefined_values_are_followed() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(function, i32) = variable i32 align 4
  v2: i32 = load v1 align 4
  v3: i32 = and v2, i32 255
  store v0, v3 align 4
  return
";
    let one = Launch { global: vec![1], local: vec![1], ..four() };
    let outcome = launch("", "", body, &one).unwrap();
    assert_eq!(outcome.buffers[0].as_ref().unwrap().unknown[..5], [0xff, 0, 0, 0, 0]);
    let branch = "b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(function, i32) = variable i32 align 4
  v2: i32 = load v1 align 4
  v3: bool = eq v2, i32 0
  branch v3, b1, b2
b1:
  jump b2
b2:
  return
";
    fault(launch("", "", branch, &one), "a branch on an undefined value");
    let address = "b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(crossworkgroup, i32) = ptr_add v0, undef i32
  store v1, i32 1 align 4
  return
";
    fault(launch("", "", address, &one), "not defined");
}

#[test]
fn variables_end_with_their_function() {
    let module = "module ptr64
function f0 \"k\"(ptr(crossworkgroup, i32) \"out\") void kernel \"k\" {
b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(function, i32) = call f1()
  v2: i32 = load v1 align 4
  store v0, v2 align 4
  return
}
function f1 \"f\"() ptr(function, i32) {
b0:
  v0: ptr(function, i32) = variable i32 align 4
  store v0, i32 1 align 4
  return v0
}
";
    let module = clc_ir::parse::module(module).unwrap();
    fault(run(&module, "k", &four()), "of an object that is gone");
}

#[test]
fn accesses_out_of_bounds_and_unaligned_ones_are_faults() {
    let at = |index: &str, align: u32| {
        format!(
            "b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(crossworkgroup, i32) = ptr_add v0, i64 {index}
  v2: i32 = load v1 align {align}
  return
"
        )
    };
    let one = Launch { global: vec![1], local: vec![1], ..four() };
    assert!(launch("", "", &at("3", 4), &one).is_ok());
    fault(launch("", "", &at("4", 4), &one), "out of bounds");
    fault(launch("", "", &at("-1", 4), &one), "out of bounds");
    fault(launch("", "", &at("1", 8), &one), "aligned to 8 bytes");
}

#[test]
fn atomics_add_up_over_all_groups() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i32 = atomic_iadd v0, i32 3 relaxed device
  return
";
    let many = Launch { global: vec![64], local: vec![16], ..four() };
    assert_eq!(words(&launch("", "", body, &many).unwrap())[0], 192);
    let plain = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i32 = load v0 align 4
  v2: i32 = iadd v1, i32 3
  store v0, v2 align 4
  return
";
    fault(launch("", "", plain, &many), "data race in global memory");
}

#[test]
fn work_items_that_spin_let_others_run() {
    // The first waits for what the last writes.
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetLocalId(i32 0)
  v2: bool = eq v1, i64 0
  branch v2, b1, b2
b1:
  v3: i32 = atomic_load v0 acquire device
  v4: bool = eq v3, i32 0
  branch v4, b1, b3
b2:
  atomic_store v0, i32 1 release device
  jump b3
b3:
  return
";
    assert_eq!(words(&launch("", "", body, &four()).unwrap())[0], 1);
}

#[test]
fn limits_are_reported() {
    let endless = "b0(v0: ptr(crossworkgroup, i32)):\n  jump b1\nb1:\n  jump b1\n";
    let short = Launch { steps: 1000, ..four() };
    assert_eq!(launch("", "", endless, &short), Err(Stop::Limit("instructions")));
    let many = Launch { global: vec![1 << 40], ..four() };
    assert_eq!(launch("", "", endless, &many), Err(Stop::Limit("work-items")));
    let module = "module ptr64
function f0 \"k\"(ptr(crossworkgroup, i32) \"out\") void kernel \"k\" {
b0(v0: ptr(crossworkgroup, i32)):
  call f1()
  return
}
function f1 \"f\"() void {
b0:
  call f1()
  return
}
";
    let module = clc_ir::parse::module(module).unwrap();
    assert_eq!(run(&module, "k", &four()), Err(Stop::Limit("calls in calls")));
}

#[test]
fn what_is_not_known_is_said() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic ClockReadDevice()
  return
";
    match launch("", "", body, &four()) {
        Err(Stop::NotInterpreted(what)) => assert_eq!(what, "`clock_read_device`"),
        other => panic!("{other:?}"),
    }
    let nothing = run(&clc_ir::parse::module("module ptr64\n").unwrap(), "k", &four());
    assert!(matches!(nothing, Err(Stop::NotInterpreted(_))));
}

#[test]
fn sub_groups_have_the_size_of_the_launch() {
    let body = "b0(v0: ptr(crossworkgroup, i32)):
  v1: i64 = intrinsic GetLocalId(i32 0)
  v2: i32 = trunc v1
  v3: i32 = intrinsic SubGroup(InclusiveScan, IAdd)(v2)
  v4: ptr(crossworkgroup, i32) = ptr_add v0, v1
  store v4, v3 align 4
  return
";
    let pairs = Launch { sub_group_size: 2, ..four() };
    assert_eq!(words(&launch("", "", body, &pairs).unwrap()), [0, 1, 2, 5]);
    assert_eq!(words(&launch("", "", body, &four()).unwrap()), [0, 1, 3, 6]);
}
