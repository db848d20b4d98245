//! What holds for the whole interface.

mod send_and_sync;
#[cfg(feature = "serde")]
mod serialized;
