//! How things end.

/// How something ended; the exit codes of the command.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum clc_status {
    /// Done. There may be warnings.
    Ok = 0,
    /// The source has errors.
    SourceErrors = 1,
    /// An argument or an option is wrong.
    Usage = 2,
    /// A bug in the compiler, never in the source; the log says what to report.
    InternalError = 70,
}
