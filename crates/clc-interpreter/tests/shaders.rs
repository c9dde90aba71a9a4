//! Entries of shaders in the text form, which read an argument block, and what their launches come to.

use std::collections::HashMap;

use clc_interpreter::{
    Argument, Bytes, Interface, Launch, Outcome, Place, ProgramData, Regions, Stop, Told, Variable,
    run,
};

/// A module of one entry `k` with these globals and this body, which has no parameters.
fn launch(globals: &str, body: &str, launch: &Launch) -> Result<Outcome, Stop> {
    let text = format!(
        "module ptr64\nstruct0 \"arguments\" size 20 align 4 packed {{ i64 @0 \"\", i64 @8 \"\", i32 @16 \"\" }}\n\
         {globals}\nfunction f0 \"k\"() void kernel \"k\" {{\n{body}}}\n"
    );
    let module = clc_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    run(&module, "k", launch)
}

const BLOCK: &str = "g0 \"arguments\" pushconstant struct0 align 16 const\n";

/// Seven work-items in groups of four, with a buffer of as many words, whose address is the block's first member,
/// and a number, its third.
fn seven(interface: Interface) -> Launch {
    Launch {
        global: vec![7],
        local: vec![4],
        offset: vec![10],
        arguments: vec![
            Argument::Buffer(vec![0; 28]),
            Argument::Value(vec![5, 0, 0, 0]),
            Argument::Local(16),
        ],
        interface: Some(Interface {
            is_read: true,
            block_size: 20,
            places: vec![
                Place::Address { offset: 0 },
                Place::Value { offset: 16, size: 4 },
                Place::Local { constant: 3, element_size: 4 },
            ],
            regions: Some(Regions::AnySize),
            ..interface
        }),
        ..Launch::default()
    }
}

fn words(bytes: &Bytes) -> Vec<u32> {
    assert!(bytes.unknown.iter().all(|&unknown| unknown == 0), "{bytes:?}");
    let words = bytes.bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Each work-item writes the sum of what the block and the constants hold.
const SUM: &str = "b0:
  v0: ptr(pushconstant, i64) = access g0 [i32 0]
  v1: i64 = load v0 align 8
  v2: ptr(pushconstant, i64) = access g0 [i32 1]
  v3: i64 = load v2 align 8
  v4: ptr(pushconstant, i32) = access g0 [i32 2]
  v5: i32 = load v4 align 4
  v6: i64 = intrinsic GetGlobalId(i32 0)
  v7: i64 = iadd v6, v3
  v8: i64 = isub v7, i64 10
  v9: i64 = shl v8, i64 2
  v10: i64 = iadd v1, v9
  v11: ptr(physicalstoragebuffer, i32) = int_to_ptr v10
  v12: i32 = imul spec i32 0 1, i32 100
  v13: i32 = iadd v12, spec i32 3 1
  v14: i32 = iadd v13, v5
  store v11, v14 align 4
  return
";

#[test]
fn entries_find_what_the_host_has_put_there() {
    let interface = Interface { told: vec![(Told::RegionOffset, 8)], ..Interface::default() };
    // Three numbers of 64 bits do not fit into the block.
    let stop = launch(BLOCK, SUM, &seven(interface)).unwrap_err();
    assert!(stop.to_string().contains("outside of the block"), "{stop}");
    let globals = "struct1 \"told\" size 44 align 4 packed { i64 @0 \"\", i64 @8 \"\", i32 @40 \"\" }\n\
                   g0 \"arguments\" pushconstant struct1 align 16 const\n";
    let mut longer =
        seven(Interface { told: vec![(Told::RegionOffset, 8)], ..Interface::default() });
    if let Some(interface) = &mut longer.interface {
        interface.block_size = 44;
        interface.places[1] = Place::Value { offset: 40, size: 4 };
    }
    let outcome = launch(globals, SUM, &longer).unwrap();
    // The last three work-items have a dispatch of their own; local memory has four elements.
    let [whole, rest] = [409, 309];
    assert_eq!(
        words(outcome.buffers[0].as_ref().unwrap()),
        [whole, whole, whole, whole, rest, rest, rest]
    );
}

#[test]
fn what_nobody_puts_into_the_block_is_unknown() {
    let even = Launch { global: vec![4], offset: Vec::new(), ..seven(Interface::default()) };
    let stop = launch(BLOCK, SUM, &even).unwrap_err();
    assert!(stop.to_string().contains("an address or a size that is not defined"), "{stop}");
}

#[test]
fn variables_of_the_program_stay_from_launch_to_launch() {
    let globals = format!("{BLOCK}g1 \"count\" crossworkgroup i32 align 4 = i32 7\n");
    let data = ProgramData {
        is_constant: false,
        align: 16,
        contents: vec![7, 0, 0, 0],
        relocations: Vec::new(),
        variables: vec![Variable { name: "count".to_owned(), offset: 0, size: 4 }],
    };
    let interface = Interface {
        told: vec![(Told::ProgramData(0), 8)],
        data: vec![data],
        ..Interface::default()
    };
    // By its address, and by that of the buffer it is in.
    let body = "b0:
  v0: i32 = load g1 align 4
  v1: i32 = iadd v0, i32 1
  v2: ptr(pushconstant, i64) = access g0 [i32 1]
  v3: i64 = load v2 align 8
  v4: ptr(physicalstoragebuffer, i32) = int_to_ptr v3
  store v4, v1 align 4
  return
";
    let one = Launch { global: vec![1], local: vec![1], ..seven(interface) };
    let first = launch(&globals, body, &one).unwrap();
    assert_eq!(words(&first.variables["count"]), [8]);
    let again = Launch {
        variables: HashMap::from([("count".to_owned(), first.variables["count"].clone())]),
        ..one
    };
    let second = launch(&globals, body, &again).unwrap();
    assert_eq!(words(&second.variables["count"]), [9]);
}
