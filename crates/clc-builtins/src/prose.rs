//! What built-in functions do, in a sentence each, and how they are called: for people.

use crate::catalogue;
pub use crate::catalogue::Form;
use crate::explain;
use crate::structural;
use crate::table::{self, CHAPTERS};
use crate::types::Environment;

/// What an editor shows of a built-in function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it does; `None` where its name and signature have to do.
    pub summary: Option<String>,
    /// The section of the OpenCL C specification.
    pub section: &'static str,
    /// Its families of overloads.
    pub forms: Vec<Form>,
}

/// The section of each chapter of the table (OpenCL C 3.0), or the extension.
pub(crate) const SECTIONS: [&str; CHAPTERS.len()] = [
    "OpenCL C 6.15.1",
    "OpenCL C 6.15.2",
    "OpenCL C 6.15.3",
    "OpenCL C 6.15.4",
    "OpenCL C 6.15.5",
    "OpenCL C 6.15.6",
    "OpenCL C 6.15.13 and 6.15.14",
    "OpenCL C 6.15.8 to 6.15.11",
    "OpenCL C 6.15.12.7",
    "OpenCL C 6.15.12",
    "OpenCL C 6.15.15",
    "OpenCL C 6.15.16",
    "OpenCL C 6.15.16, cl_khr_work_group_uniform_arithmetic",
    "OpenCL C 6.15.19",
    "OpenCL C 6.15.19",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_clustered_reduce",
    "cl_intel_subgroups",
    "cl_khr_cooperative_matrix",
    "OpenCL C 6.15.17",
    "OpenCL C 6.15.18",
    "cl_khr_expect_assume",
    "SPIR-V 2.12",
    "cl_amd_media_ops",
    "GNU C",
];

/// What is known of the function `name`; `None` if there is none of that name.
pub fn describe(name: &str) -> Option<Description> {
    for (rows, section) in CHAPTERS.iter().zip(SECTIONS) {
        let forms: Vec<Form> =
            rows.iter().filter(|row| row.name == name).map(catalogue::form).collect();
        if !forms.is_empty() {
            // The rest of the families may be in a later chapter (`min`, `max`, `clamp`).
            let others = CHAPTERS.iter().flat_map(|rows| rows.iter());
            let forms = others.filter(|row| row.name == name).map(catalogue::form).collect();
            let summary = summary(name).map(str::to_owned);
            return Some(Description { summary, section, forms });
        }
    }
    structural_description(name)
}

/// [`describe`] with the families alone that exist in an environment; with all of them if none does.
pub fn describe_in(name: &str, environment: &Environment<'_>) -> Option<Description> {
    let mut description = describe(name)?;
    let rows = || CHAPTERS.iter().flat_map(|rows| rows.iter()).filter(|row| row.name == name);
    let exists: Vec<bool> =
        rows().map(|row| explain::lacking(row, environment).is_none()).collect();
    if exists.contains(&true) {
        let mut exists = exists.iter();
        description.forms.retain(|_| exists.next() != Some(&false));
    }
    Some(description)
}

fn structural_description(name: &str) -> Option<Description> {
    let form = |result: &str, parameters: &[&str], types: &str| Form {
        result: result.to_owned(),
        parameters: parameters.iter().map(|&text| text.to_owned()).collect(),
        variadic: false,
        types: types.to_owned(),
        needs: String::new(),
    };
    match structural::parse(name)? {
        structural::Structural::Convert { rounding, saturate, .. } => {
            let to = name.strip_prefix("convert_").unwrap_or(name);
            let to = to.split('_').next().unwrap_or(to);
            let mut text = format!("Converts each component to the type `{to}`");
            if saturate {
                text.push_str("; values that do not fit become the nearest that does");
            }
            if rounding.is_some() {
                text.push_str(match name.rsplit('_').next() {
                    Some("rte") => "; rounds to the nearest, ties to even",
                    Some("rtz") => "; rounds towards zero",
                    Some("rtp") => "; rounds towards positive infinity",
                    Some("rtn") => "; rounds towards negative infinity",
                    _ => "",
                });
            }
            text.push('.');
            Some(Description {
                summary: Some(text),
                section: "OpenCL C 6.4.3",
                forms: vec![form(to, &["T"], "arithmetic types with as many components")],
            })
        }
        structural::Structural::Reinterpret { .. } => {
            let to = name.strip_prefix("as_").unwrap_or(name);
            Some(Description {
                summary: Some(format!("The same bits as a value of type `{to}`.")),
                section: "OpenCL C 6.4.4.2",
                forms: vec![form(to, &["T"], "types of the same size")],
            })
        }
        structural::Structural::Memory(row) => Some(Description {
            summary: Some(memory_summary(name)),
            section: "OpenCL C 6.15.7",
            forms: vec![catalogue::form(&table::Row { name: "", ..row })],
        }),
    }
}

fn memory_summary(name: &str) -> String {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let (values, distance) = match digits.as_str() {
        "" => ("a value".to_owned(), "1".to_owned()),
        count => (format!("{count} values"), count.to_owned()),
    };
    let half = if name.contains("half") { " of half precision" } else { "" };
    let aligned = name.starts_with("vloada") || name.starts_with("vstorea");
    let distance = if aligned && digits == "3" { "4".to_owned() } else { distance };
    let alignment = if aligned {
        "; the address is aligned to the size of all of them"
    } else {
        "; the address is aligned to one value only"
    };
    match name.starts_with("vload") {
        true => format!("Reads {values}{half} from `p + offset * {distance}`{alignment}."),
        false => format!("Writes {values}{half} to `p + offset * {distance}`{alignment}."),
    }
}

/// One sentence on what a function computes.
pub(crate) fn summary(name: &str) -> Option<&'static str> {
    // Variants of a function that differ in precision or in a mode do what it does.
    let plain = name
        .strip_prefix("native_")
        .or_else(|| name.strip_prefix("half_").filter(|rest| *rest != "tanpi"))
        .unwrap_or(name);
    let find = |name: &str| {
        SUMMARIES.iter().find(|(names, _)| names.split(' ').any(|other| other == name))
    };
    find(name).or_else(|| find(plain)).map(|&(_, text)| text).or_else(|| family(name))
}

/// Families whose names begin alike.
fn family(name: &str) -> Option<&'static str> {
    let starts = |prefix: &str| name.starts_with(prefix);
    let text = FAMILIES.iter().find(|(prefix, _)| starts(prefix))?.1;
    Some(text)
}

#[rustfmt::skip]
const FAMILIES: &[(&str, &str)] = &[
    ("atomic_fetch_", "Replaces the value by the result of the operation with the operand, atomically, and returns the old value."),
    ("atomic_load", "Reads the value atomically."),
    ("atomic_store", "Writes the value atomically."),
    ("atomic_exchange", "Writes a value atomically and returns the old one."),
    ("atomic_compare_exchange_strong", "Writes `desired` if the value equals `*expected`, otherwise writes the value to `*expected`, atomically; returns whether it was equal."),
    ("atomic_compare_exchange_weak", "As atomic_compare_exchange_strong, but may fail although the values are equal."),
    ("atomic_flag_test_and_set", "Sets the flag atomically and returns what it was."),
    ("atomic_flag_clear", "Clears the flag atomically."),
    ("read_image", "Reads a pixel of an image, through a sampler or at integer coordinates without one; the suffix is the type of its components."),
    ("write_image", "Writes a pixel of an image at integer coordinates; the suffix is the type of its components."),
    ("get_image_", "A property of an image: its size, number of levels or samples, or format."),
    ("work_group_reduce_", "The operation over the values of all work-items of the work-group, the same for each of them."),
    ("work_group_scan_exclusive_", "The operation over the values of the work-items before this one in the work-group."),
    ("work_group_scan_inclusive_", "The operation over the values of this work-item and those before it in the work-group."),
    ("sub_group_reduce_", "The operation over the values of all work-items of the sub-group, the same for each of them."),
    ("sub_group_scan_exclusive_", "The operation over the values of the work-items before this one in the sub-group."),
    ("sub_group_scan_inclusive_", "The operation over the values of this work-item and those before it in the sub-group."),
    ("sub_group_non_uniform_", "The operation over the values of the active work-items of the sub-group."),
    ("sub_group_clustered_", "The operation over the values of the work-items of a cluster of the sub-group."),
    ("intel_sub_group_block_read", "Reads consecutive elements for the work-items of the sub-group together."),
    ("intel_sub_group_block_write", "Writes consecutive elements for the work-items of the sub-group together."),
    ("intel_sub_group_shuffle", "The value of another work-item of the sub-group."),
    ("reserve_read_pipe", "Reserves packets of a pipe to be read one by one."),
    ("reserve_write_pipe", "Reserves packets of a pipe to be written one by one."),
    ("commit_", "Says that everything reserved was read or written."),
    ("dot_acc_sat", "The dot product of vectors of small integers, added to an accumulator with saturation."),
    ("dot_4x8packed", "The dot product of two vectors of four 8-bit integers, each packed into a `uint`."),
    ("arm_dot_acc_sat", "The dot product of vectors of small integers, added to an accumulator with saturation."),
    ("arm_dot_acc", "The dot product of vectors of small integers, added to an accumulator modulo 2³²."),
    ("arm_dot", "The dot product of vectors of four 8-bit integers."),
    ("__builtin_sadd", "Stores the sum, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_uadd", "Stores the sum, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_ssub", "Stores the difference, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_usub", "Stores the difference, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_smul", "Stores the product, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_umul", "Stores the product, and says whether it is not that of the numbers: it is modulo a power of two."),
    ("__builtin_bswap", "The bytes of the number in the opposite order."),
    ("amd_", "A media operation of AMD's devices on packed bytes."),
];

#[rustfmt::skip]
const SUMMARIES: &[(&str, &str)] = &[
    // Work-items
    ("get_work_dim", "The number of dimensions of the launch: 1 to 3."),
    ("get_global_size", "The number of work-items of the launch in a dimension."),
    ("get_global_id", "The index of the work-item in a dimension of the launch, the offset included."),
    ("get_local_size", "The number of work-items of this work-group in a dimension."),
    ("get_enqueued_local_size", "The size in a dimension that the launch asked work-groups to have; the last group of a dimension may be smaller."),
    ("get_local_id", "The index of the work-item in its work-group in a dimension."),
    ("get_num_groups", "The number of work-groups in a dimension."),
    ("get_group_id", "The index of the work-group in a dimension."),
    ("get_global_offset", "The offset of the launch in a dimension: the smallest global index."),
    ("get_global_linear_id", "The index of the work-item in the launch, counted over all dimensions, without the offset."),
    ("get_local_linear_id", "The index of the work-item in its work-group, counted over all dimensions."),
    ("get_sub_group_size", "The number of work-items of this sub-group."),
    ("get_max_sub_group_size", "The most work-items that a sub-group of the launch has."),
    ("get_num_sub_groups", "The number of sub-groups of this work-group."),
    ("get_enqueued_num_sub_groups", "The number of sub-groups of a work-group of the size that the launch asked for."),
    ("get_sub_group_id", "The index of the sub-group in its work-group."),
    ("get_sub_group_local_id", "The index of the work-item in its sub-group."),
    // Mathematics
    ("acos", "The arc cosine, in radians."),
    ("acosh", "The inverse hyperbolic cosine."),
    ("acospi", "The arc cosine divided by π."),
    ("asin", "The arc sine, in radians."),
    ("asinh", "The inverse hyperbolic sine."),
    ("asinpi", "The arc sine divided by π."),
    ("atan", "The arc tangent, in radians."),
    ("atan2", "The angle of the point (x, y), from `y` and `x`, in radians."),
    ("atanh", "The inverse hyperbolic tangent."),
    ("atanpi", "The arc tangent divided by π."),
    ("atan2pi", "The angle of the point (x, y), from `y` and `x`, divided by π."),
    ("cbrt", "The cube root."),
    ("ceil", "The next integral value towards positive infinity."),
    ("copysign", "The first argument with the sign of the second."),
    ("cos", "The cosine of an angle in radians."),
    ("cosh", "The hyperbolic cosine."),
    ("cospi", "The cosine of π times the argument."),
    ("divide", "The quotient, with less precision."),
    ("erfc", "One minus the error function."),
    ("erf", "The error function."),
    ("exp", "e to the power of the argument."),
    ("exp2", "2 to the power of the argument."),
    ("exp10", "10 to the power of the argument."),
    ("expm1", "e to the power of the argument, minus 1, exact near zero."),
    ("fabs", "The absolute value."),
    ("fdim", "The difference if it is positive, otherwise 0."),
    ("floor", "The next integral value towards negative infinity."),
    ("fma", "a * b + c, rounded once."),
    ("fmax", "The greater argument; if one is NaN, the other."),
    ("fmin", "The smaller argument; if one is NaN, the other."),
    ("fmod", "The remainder of the division towards zero; it has the sign of the first argument."),
    ("fract", "The fraction in [0, 1); the integral part below goes to the pointer."),
    ("frexp", "The mantissa in [0.5, 1); the exponent goes to the pointer."),
    ("hypot", "The length of the hypotenuse, without overflow on the way."),
    ("ilogb", "The exponent as an integer."),
    ("ldexp", "The first argument times 2 to the power of the second."),
    ("lgamma", "The logarithm of the absolute value of the gamma function."),
    ("lgamma_r", "As lgamma; the sign of the gamma function goes to the pointer."),
    ("log", "The natural logarithm."),
    ("log2", "The logarithm to base 2."),
    ("log10", "The logarithm to base 10."),
    ("log1p", "The natural logarithm of 1 plus the argument, exact near zero."),
    ("logb", "The exponent as a floating-point value."),
    ("mad", "a * b + c, as fast as the device can, with whatever precision that has."),
    ("maxmag", "The argument of greater magnitude."),
    ("minmag", "The argument of smaller magnitude."),
    ("modf", "The fraction with the sign of the argument; the integral part goes to the pointer."),
    ("nan", "A quiet NaN with these bits as its payload."),
    ("nextafter", "The next representable value from the first argument towards the second."),
    ("pow", "The first argument to the power of the second."),
    ("pown", "The first argument to the power of an integer."),
    ("powr", "The first argument, which is not negative, to the power of the second."),
    ("recip", "The reciprocal, with less precision."),
    ("remainder", "The remainder of the division that rounds to the nearest integer, as IEEE 754 has it."),
    ("remquo", "As remainder; the low bits of the quotient go to the pointer."),
    ("rint", "The nearest integral value, ties to even."),
    ("rootn", "The root of this integer degree."),
    ("round", "The nearest integral value, ties away from zero."),
    ("rsqrt", "One divided by the square root."),
    ("sin", "The sine of an angle in radians."),
    ("sincos", "The sine; the cosine goes to the pointer."),
    ("sinh", "The hyperbolic sine."),
    ("sinpi", "The sine of π times the argument."),
    ("sqrt", "The square root."),
    ("tan", "The tangent of an angle in radians."),
    ("tanh", "The hyperbolic tangent."),
    ("tanpi", "The tangent of π times the argument."),
    ("tgamma", "The gamma function."),
    ("trunc", "The next integral value towards zero."),
    // Integers
    ("abs", "The absolute value, as an unsigned integer: there is no overflow."),
    ("abs_diff", "The absolute value of the difference, as an unsigned integer."),
    ("add_sat", "The sum; where it does not fit, the nearest value that does."),
    ("sub_sat", "The difference; where it does not fit, the nearest value that does."),
    ("hadd", "Half the sum, rounded down, without overflow."),
    ("rhadd", "Half the sum, rounded up, without overflow."),
    ("clamp", "The value, or the nearest bound if it lies outside of them."),
    ("clz", "The number of zero bits above the highest set bit."),
    ("ctz", "The number of zero bits below the lowest set bit."),
    ("popcount", "The number of set bits."),
    ("mad_hi", "The high half of the product, plus the third argument."),
    ("mad_sat", "a * b + c; where it does not fit, the nearest value that does."),
    ("mad24", "The product of 24-bit integers, plus a 32-bit integer."),
    ("mul24", "The product of 24-bit integers."),
    ("max", "The greater argument."),
    ("min", "The smaller argument."),
    ("mul_hi", "The high half of the product."),
    ("rotate", "The bits rotated to the left by as many places as the second argument says."),
    ("upsample", "The integer of twice the size that has the first argument as its high half and the second as its low half."),
    ("bit_reverse", "The bits in reverse order."),
    ("bitfield_insert", "The base with a field of bits replaced."),
    ("bitfield_extract_signed", "A field of bits as a signed integer."),
    ("bitfield_extract_unsigned", "A field of bits as an unsigned integer."),
    // Common functions
    ("degrees", "Radians to degrees."),
    ("radians", "Degrees to radians."),
    ("mix", "The linear blend x + (y - x) * a."),
    ("step", "0 where the second argument is less than the edge, which comes first, else 1."),
    ("smoothstep", "A smooth step from 0 to 1 between two edges (cubic Hermite interpolation)."),
    ("sign", "1, -1, or a zero, by the sign of the argument; 0 for NaN."),
    // Geometry
    ("cross", "The cross product of the first three components; the fourth is 0."),
    ("dot", "The dot product."),
    ("distance", "The length of the difference."),
    ("length", "The length of the vector."),
    ("normalize", "The vector of the same direction with length 1."),
    ("fast_distance", "The length of the difference, with less precision."),
    ("fast_length", "The length of the vector, with less precision."),
    ("fast_normalize", "The vector of the same direction with length 1, with less precision."),
    // Relations
    ("isequal", "x == y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("isnotequal", "x != y, which holds for NaN: 1 for scalars, -1 for each component of vectors, or 0."),
    ("isgreater", "x > y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("isgreaterequal", "x >= y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("isless", "x < y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("islessequal", "x <= y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("islessgreater", "x < y or x > y: 1 for scalars, -1 for each component of vectors, or 0."),
    ("isfinite", "Whether the argument is neither infinite nor NaN."),
    ("isinf", "Whether the argument is infinite."),
    ("isnan", "Whether the argument is NaN."),
    ("isnormal", "Whether the argument is a normal number."),
    ("isordered", "Whether neither argument is NaN."),
    ("isunordered", "Whether one of the arguments is NaN."),
    ("signbit", "Whether the sign bit is set."),
    ("any", "Whether the most significant bit of any component is set."),
    ("all", "Whether the most significant bit of every component is set."),
    ("bitselect", "Each bit of the second argument where the third has a bit, else of the first."),
    ("select", "The second argument where the third holds, else the first; of vectors by each component's most significant bit."),
    // Vectors and printf
    ("shuffle", "The components of a vector that a mask of indices names."),
    ("shuffle2", "The components of two vectors that a mask of indices names."),
    ("printf", "Writes text to the implementation's stream; the format is a literal and has vector conversions (`%v4f`)."),
    // Synchronisation
    ("barrier work_group_barrier", "Waits until every work-item of the work-group is here; orders the memory that the flags name. All work-items must reach it, or none."),
    ("sub_group_barrier", "Waits until every work-item of the sub-group is here; orders the memory that the flags name."),
    ("mem_fence", "Orders reads and writes of this work-item before it with those behind it."),
    ("read_mem_fence", "Orders reads of this work-item before it with those behind it."),
    ("write_mem_fence", "Orders writes of this work-item before it with those behind it."),
    ("atomic_work_item_fence", "A fence with a memory order and a scope; orders the memory that the flags name."),
    ("to_global", "The pointer, if it points to global memory, otherwise null."),
    ("to_local", "The pointer, if it points to local memory, otherwise null."),
    ("to_private", "The pointer, if it points to private memory, otherwise null."),
    ("get_fence", "The flag of the memory that a generic pointer points to."),
    ("async_work_group_copy", "Begins a copy between global and local memory by the whole work-group; the event says when it is done."),
    ("async_work_group_strided_copy", "As async_work_group_copy, with a distance between the elements in global memory."),
    ("wait_group_events", "Waits for copies that were begun by the work-group."),
    ("prefetch", "Asks for elements of global memory to be brought into the cache."),
    // Atomics
    ("atomic_add atom_add", "Adds to an integer in memory atomically; returns the old value."),
    ("atomic_sub atom_sub", "Subtracts from an integer in memory atomically; returns the old value."),
    ("atomic_xchg atom_xchg", "Replaces a value in memory atomically; returns the old value."),
    ("atomic_inc atom_inc", "Adds 1 to an integer in memory atomically; returns the old value."),
    ("atomic_dec atom_dec", "Subtracts 1 from an integer in memory atomically; returns the old value."),
    ("atomic_cmpxchg atom_cmpxchg", "Writes the third argument if the value in memory equals the second, atomically; returns the old value."),
    ("atomic_min atom_min", "Replaces an integer in memory by the smaller of it and the operand, atomically; returns the old value."),
    ("atomic_max atom_max", "Replaces an integer in memory by the greater of it and the operand, atomically; returns the old value."),
    ("atomic_and atom_and", "Bitwise AND with an integer in memory, atomically; returns the old value."),
    ("atomic_or atom_or", "Bitwise OR with an integer in memory, atomically; returns the old value."),
    ("atomic_xor atom_xor", "Bitwise XOR with an integer in memory, atomically; returns the old value."),
    ("atomic_init", "Gives an atomic object its first value; the write itself is not atomic."),
    // Collectives
    ("work_group_all", "Whether the predicate is not zero for every work-item of the work-group."),
    ("work_group_any", "Whether the predicate is not zero for some work-item of the work-group."),
    ("work_group_broadcast", "The value of the work-item with this local index, for all of the work-group."),
    ("sub_group_all", "Whether the predicate is not zero for every work-item of the sub-group."),
    ("sub_group_any", "Whether the predicate is not zero for some work-item of the sub-group."),
    ("sub_group_broadcast", "The value of the work-item with this index in the sub-group, for all of it."),
    ("sub_group_ballot", "A bit for each work-item of the sub-group: whether its predicate is not zero."),
    ("sub_group_shuffle", "The value of the work-item with this index in the sub-group."),
    ("sub_group_shuffle_xor", "The value of the work-item whose index is this one's, bitwise XOR the mask."),
    ("sub_group_shuffle_up", "The value of the work-item that is so many places before this one."),
    ("sub_group_shuffle_down", "The value of the work-item that is so many places behind this one."),
    // Cooperative matrices
    ("coop_mat_load", "Reads a cooperative matrix from memory, its rows or columns so many elements apart; the matrix that it becomes says of which type."),
    ("coop_mat_store", "Writes a cooperative matrix to memory, its rows or columns so many elements apart."),
    ("coop_mat_mulAdd", "The product of two cooperative matrices plus a third."),
    ("coop_mat_init", "A cooperative matrix whose elements are all one value; the matrix that it becomes says of which type."),
    ("coop_mat_length", "How many elements of a cooperative matrix this work-item has."),
    // Pipes
    ("read_pipe", "Reads a packet of a pipe; 0 if there was one."),
    ("write_pipe", "Writes a packet to a pipe; 0 if there was room."),
    ("is_valid_reserve_id", "Whether a reservation was made."),
    ("get_pipe_num_packets", "The number of packets that are in a pipe now."),
    ("get_pipe_max_packets", "The number of packets that a pipe has room for."),
    // Kernels from kernels
    ("enqueue_kernel", "Puts a block into a queue of the device, to be run as a kernel."),
    ("enqueue_marker", "Puts into a queue an event that completes when the events of a list have."),
    ("get_kernel_work_group_size", "The largest work-group that a block can run with."),
    ("get_kernel_preferred_work_group_size_multiple", "A number that sizes of work-groups are best a multiple of, for a block."),
    ("retain_event", "Counts one more use of an event."),
    ("release_event", "Counts one use of an event less."),
    ("create_user_event", "An event that set_user_event_status completes."),
    ("is_valid_event", "Whether the event is one."),
    ("set_user_event_status", "Completes a user event, or says that it failed."),
    ("capture_event_profiling_info", "Has times of a command written when it completes."),
    ("get_default_queue", "The default queue of the device."),
    ("ndrange_1D", "A range of work-items in one dimension, for enqueue_kernel."),
    ("ndrange_2D", "A range of work-items in two dimensions, for enqueue_kernel."),
    ("ndrange_3D", "A range of work-items in three dimensions, for enqueue_kernel."),
    ("__builtin_expect", "The first argument, which most likely equals the second."),
    ("__builtin_assume", "Tells the optimiser that the argument holds."),
    (
        "__spirv_SpecConstant",
        "The specialization constant with the number that is the first argument; the second is its default value.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_say_what_they_do_and_where_it_is_written() {
        let clamp = describe("clamp").unwrap();
        assert!(clamp.summary.unwrap().contains("bound"));
        assert_eq!(clamp.section, "OpenCL C 6.15.3");
        assert!(clamp.forms.iter().any(|form| form.parameters == ["T", "S", "S"]));
        let load = describe("vload3").unwrap();
        assert!(load.summary.unwrap().starts_with("Reads 3 values from `p + offset * 3`"));
        let convert = describe("convert_uchar4_sat_rte").unwrap().summary.unwrap();
        assert!(convert.contains("`uchar4`") && convert.contains("ties to even"), "{convert}");
        assert_eq!(describe("as_float2").unwrap().section, "OpenCL C 6.4.4.2");
        assert!(describe("native_sin").unwrap().summary.unwrap().contains("sine"));
        assert!(describe("no_such_function").is_none());
    }

    #[test]
    fn every_summary_is_of_a_function() {
        for name in SUMMARIES.iter().flat_map(|(names, _)| names.split(' ')) {
            let variants = [name.to_owned(), format!("native_{name}")];
            assert!(variants.iter().any(|name| crate::is_builtin(name)), "{name}");
        }
        for (prefix, _) in FAMILIES {
            assert!(crate::names().any(|name| name.starts_with(prefix)), "{prefix}");
        }
    }

    #[test]
    fn most_functions_have_a_summary() {
        let described = |name: &&str| describe(name).is_some_and(|known| known.summary.is_some());
        let all = crate::names().count();
        let known = crate::names().filter(described).count();
        assert!(known * 10 >= all * 8, "{known} of {all}");
        for name in crate::names() {
            assert!(describe(name).is_some_and(|known| !known.forms.is_empty()), "{name}");
        }
    }
}
