//! Errors of the writers of export formats.

use std::error::Error;
use std::io;

/// Converts an error of a format's writer to an I/O error with the kind of the underlying file error, so that a full
/// disk is recognized.
pub(super) fn of_file<E: Error + Send + Sync + 'static>(error: E) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(at) = cause {
        if let Some(found) = at.downcast_ref::<io::Error>() {
            return io::Error::new(found.kind(), error);
        }
        cause = at.source();
    }
    io::Error::other(error)
}
