//! Ways to a server through another machine, by the OpenSSH program of this one: it knows the user's `~/.ssh/config`, agent, keys
//! and known hosts. Nothing is asked on the way, so that it never waits for somebody who is not there; only the passphrase of a key that the
//! address names is known beforehand.

mod askpass;
mod fault;
mod process;
mod tunnel;

pub(crate) use askpass::answer_if_asked;
pub use fault::SshFault;
pub(crate) use tunnel::{SshRoute, Tunnel};

#[cfg(all(test, unix))]
#[path = "../tests/ssh.rs"]
mod tests;
