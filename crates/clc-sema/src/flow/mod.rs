//! Control and data flow of one body, for the warnings that need it.
//!
//! [`graph`] cuts a body into blocks of events, in the order of C's abstract machine; [`values`]
//! tells which of the values that a variable has over time each read sees. Both are linear, or as
//! good as linear, and made only for bodies where a lint has something to ask.

mod builder;
pub(crate) mod graph;
pub(crate) mod values;
