//! What an intrinsic does beside its result.

/// What a call does beyond computing its result from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Reads memory (through an operand, or images).
    pub reads: bool,
    /// Writes memory, orders memory, or has an effect outside the kernel.
    pub writes: bool,
    /// Communicates with other work-items: must not be made control-dependent on more, or fewer,
    /// conditions.
    pub convergent: bool,
}

impl Effects {
    /// Neither reads nor writes memory, and does not communicate.
    pub const PURE: Effects = Effects { reads: false, writes: false, convergent: false };
    /// Reads memory, or a clock: may be removed when unused, but not moved across writes.
    pub const READS: Effects = Effects { reads: true, writes: false, convergent: false };
    /// Reads and writes memory, or has an effect outside the kernel.
    pub const WRITES: Effects = Effects { reads: true, writes: true, convergent: false };
    /// Communicates with other work-items, through its operands and result only.
    pub const CONVERGENT: Effects = Effects { reads: false, writes: false, convergent: true };
    /// Communicates with other work-items and reads, writes or orders memory.
    pub const BARRIER: Effects = Effects { reads: true, writes: true, convergent: true };

    /// Free of effects: may be removed when unused, and merged with an equal call.
    pub fn is_pure(self) -> bool {
        self == Effects::PURE
    }
}
