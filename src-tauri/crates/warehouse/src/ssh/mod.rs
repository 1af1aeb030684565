//! Tunnels to a server through an SSH host, made with the OpenSSH client of this computer, which uses the user's
//! `~/.ssh/config`, agent, keys and known hosts. It never asks the user a question and so cannot wait for an answer;
//! only the passphrase of the key that the address names is provided.

mod askpass;
mod fault;
mod process;
mod tunnel;

pub(crate) use askpass::answer_if_asked;
pub use fault::SshFault;
pub(crate) use tunnel::{SshRoute, Tunnel};

#[cfg(all(test, unix))]
mod tests;
