//! What answers are made of.

use super::capabilities::Client;
use super::documents::Documents;

/// What the server knows: the texts, and what the client can.
pub(super) struct State {
    pub documents: Documents,
    pub client: Client,
}
