//! A host for Vulkan modules that knows of them what their reflection says.

mod descriptors;
mod device;
pub mod format;
mod image_formats;
mod images;
mod launch;
mod memory;
pub mod precision;
pub mod printf;
mod record;
pub mod reflection;
mod regions;
mod samplers;
mod timer;

pub use device::Device;
pub use images::Texture;
pub use launch::{Launch, Prepared, Program, Setting};
pub use memory::{Buffer, Place};
pub use record::Wanted;
pub use samplers::SamplerState;

/// How a message begins that says that the device or Vulkan has no such image.
pub const NO_FORMAT: &str = "no format";

/// What went wrong.
#[derive(Clone, Debug)]
pub enum Failure {
    /// There is no device to run on.
    NoDevice(String),
    Other(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Other(message)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::NoDevice(message) | Failure::Other(message) => f.write_str(message),
        }
    }
}

/// Names the call that gave an error.
fn failed(call: &'static str) -> impl Fn(ash::vk::Result) -> Failure {
    move |error| Failure::Other(format!("{call}: {error}"))
}
