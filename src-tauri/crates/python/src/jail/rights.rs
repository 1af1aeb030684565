//! Resource limits of the sandboxed process.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

/// Maximum number of open files, including the inputs.
const FILES: u64 = 256;
/// Address space in bytes that is mapped without being allocated memory: libraries, stacks, input files.
const ADDRESSES_BESIDES: u64 = 4 << 30;

/// The resource limits of one prisoner.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub memory: u64,
    pub output: u64,
    /// Maximum wall-clock time in seconds.
    pub seconds: u64,
    pub threads: u32,
    /// The size of all inputs in bytes, which are mapped into memory.
    pub inputs: u64,
}

/// Sets the kernel's resource limits. The warden also monitors memory, because shared memory is not part of the data
/// limit.
pub fn set_limits(bounds: &Bounds, own_namespace: bool) -> io::Result<()> {
    let cpu = (bounds.seconds + 1) * u64::from(bounds.threads.clamp(1, 64));
    let mut limits = vec![
        (Resource::Data, bounds.memory),
        (Resource::As, bounds.memory.saturating_mul(2).saturating_add(ADDRESSES_BESIDES + bounds.inputs)),
        (Resource::Cpu, cpu),
        (Resource::Fsize, bounds.output),
        (Resource::Nofile, FILES),
        (Resource::Core, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
    ];
    if own_namespace {
        // Outside of a namespace, this would limit all processes of the user.
        limits.push((Resource::Nproc, u64::from(bounds.threads) + 1));
    }
    for (resource, limit) in limits {
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}
