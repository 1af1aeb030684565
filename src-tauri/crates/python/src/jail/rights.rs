//! Resource limits of the sandboxed process.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

/// Open files, the inputs among them.
const FILES: u64 = 256;
/// Addresses that are reserved or mapped without being memory: libraries, stacks, input files.
const ADDRESSES_BESIDES: u64 = 4 << 30;

/// What one prisoner may use up.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub memory: u64,
    pub output: u64,
    /// Seconds on the clock.
    pub seconds: u64,
    pub threads: u32,
    /// Bytes of all inputs: they are mapped.
    pub inputs: u64,
}

/// Sets the kernel's own limits. The warden watches the memory too: what is shared does not count as data here.
pub fn bound(bounds: &Bounds, own_namespace: bool) -> io::Result<()> {
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
        // Elsewhere it would count all processes of the person.
        limits.push((Resource::Nproc, u64::from(bounds.threads) + 1));
    }
    for (resource, limit) in limits {
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}
