//! A driver's library. It is never unloaded, because libraries written in Go must not be unloaded.
//!
//! Arrow's C data interface only guarantees that buffers are aligned to 8 bytes, and decimals of Snowflake's driver
//! are. The Rust implementation requires 16 bytes for them and panics otherwise. Therefore the driver's query function
//! is replaced by one that copies such buffers to aligned memory.

use adbc_core::constants::ADBC_STATUS_INTERNAL;
use adbc_core::error::{AdbcStatusCode, Error, Status};
use adbc_core::options::AdbcVersion;
use adbc_driver_manager::ManagedDriver;
use adbc_driver_manager::search::DriverLibrary;
use adbc_ffi::{FFI_AdbcDriver, FFI_AdbcDriverInitFunc, FFI_AdbcError, FFI_AdbcStatement};
use arrow::array::{RecordBatch, RecordBatchOptions, RecordBatchReader, StructArray};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use sha2::{Digest, Sha256};
use std::ffi::{CStr, c_int, c_void};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The symbol that every driver exports.
const ENTRY: &[u8] = b"AdbcDriverInit";

type ExecuteQuery = unsafe extern "C" fn(
    *mut FFI_AdbcStatement,
    *mut FFI_ArrowArrayStream,
    *mut i64,
    *mut FFI_AdbcError,
) -> AdbcStatusCode;

/// The init function and the query function of the only driver of this process.
static INIT: OnceLock<FFI_AdbcDriverInitFunc> = OnceLock::new();
static EXECUTE: OnceLock<ExecuteQuery> = OnceLock::new();

/// A driver's file and its expected hash.
pub(crate) struct LibraryFile<'a> {
    pub(crate) path: &'a Path,
    /// SHA-256 as 64 hexadecimal digits; `None` accepts any file.
    pub(crate) sha256: Option<&'a str>,
}

/// Loads a driver. A process can load only one.
///
/// # Errors
/// Fails if the file is not a driver or has another hash, or if another driver is already loaded.
pub(super) fn load_driver(file: &LibraryFile<'_>) -> Result<ManagedDriver, Error> {
    let copy = file.sha256.map(|sha256| verified_copy(file.path, sha256)).transpose()?.flatten();
    let library = match copy.and_then(|copy| DriverLibrary::load_library(place_of(&copy)).ok()) {
        Some(library) => library,
        None => {
            // A driver may need libraries beside it, which are found only from its own path.
            let library = DriverLibrary::load_library(file.path)?;
            if let Some(Err(changed)) = file.sha256.map(|sha256| verified_bytes(file.path, sha256)) {
                std::mem::forget(library);
                return Err(changed);
            }
            library
        }
    };
    #[allow(unsafe_code)]
    // SAFETY: the name and type of this function are defined by ADBC; a library that exports another function under
    // this name is not an ADBC driver.
    let found = unsafe { library.get::<FFI_AdbcDriverInitFunc>(ENTRY).map(|init| *init) };
    let internal = |message: String| Error::with_message_and_status(message, Status::Internal);
    let found = found.map_err(|error| internal(error.to_string()))?;
    std::mem::forget(library);
    if *INIT.get_or_init(|| found) as usize != found as usize {
        return Err(internal("another driver is loaded in this process".to_owned()));
    }
    let init: FFI_AdbcDriverInitFunc = init_driver;
    let start = |version| ManagedDriver::load_static(&init, version);
    let driver = start(AdbcVersion::V110).or_else(|_| start(AdbcVersion::V100))?;
    std::mem::forget(driver.clone());
    Ok(driver)
}

/// Reads a driver and verifies its hash.
fn verified_bytes(path: &Path, sha256: &str) -> Result<Vec<u8>, Error> {
    let internal = |message: String| Error::with_message_and_status(message, Status::Internal);
    let bytes = std::fs::read(path).map_err(|error| internal(format!("the driver {}: {error}", path.display())))?;
    if !encode_hex(&Sha256::digest(&bytes)).eq_ignore_ascii_case(sha256) {
        let name = path.display();
        return Err(internal(format!("the driver {name} is not the one that was added: its hash differs")));
    }
    Ok(bytes)
}

/// Copies the verified bytes to a file that cannot change any more, because the original could be replaced before it is
/// loaded. Returns `None` on systems without sealed files in memory.
fn verified_copy(path: &Path, sha256: &str) -> Result<Option<std::fs::File>, Error> {
    Ok(sealed_copy(&verified_bytes(path, sha256)?).ok())
}

/// Returns the path of an open file.
#[cfg(target_os = "linux")]
fn place_of(copy: &std::fs::File) -> std::path::PathBuf {
    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(copy)).into()
}

#[cfg(not(target_os = "linux"))]
fn place_of(_: &std::fs::File) -> std::path::PathBuf {
    std::path::PathBuf::new()
}

#[cfg(not(target_os = "linux"))]
fn sealed_copy(_: &[u8]) -> std::io::Result<std::fs::File> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Creates a file in memory that is sealed against writes.
#[cfg(target_os = "linux")]
fn sealed_copy(bytes: &[u8]) -> std::io::Result<std::fs::File> {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
    let mut file = std::fs::File::from(memfd_create("driver", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    std::io::Write::write_all(&mut file, bytes)?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

fn encode_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[allow(unsafe_code)]
/// Calls the driver's own init function and then replaces its query function.
unsafe extern "C" fn init_driver(version: c_int, driver: *mut c_void, error: *mut FFI_AdbcError) -> AdbcStatusCode {
    let Some(init) = INIT.get() else { return ADBC_STATUS_INTERNAL };
    // SAFETY: called with the arguments of the driver manager, as the driver expects.
    let status = unsafe { init(version, driver, error) };
    if status == 0 {
        // SAFETY: by the contract of that function, the pointer is to an initialized FFI_AdbcDriver.
        let driver = unsafe { &mut *driver.cast::<FFI_AdbcDriver>() };
        if let Some(own) = driver.StatementExecuteQuery.replace(execute) {
            EXECUTE.get_or_init(|| own);
        }
    }
    status
}

#[allow(unsafe_code)]
/// Runs a query with the driver and returns its rows through [`Moved`].
unsafe extern "C" fn execute(
    statement: *mut FFI_AdbcStatement,
    out: *mut FFI_ArrowArrayStream,
    affected: *mut i64,
    error: *mut FFI_AdbcError,
) -> AdbcStatusCode {
    let Some(own) = EXECUTE.get() else { return ADBC_STATUS_INTERNAL };
    // SAFETY: called with the arguments of the driver manager, as the driver expects.
    let status = unsafe { own(statement, out, affected, error) };
    if status != 0 || out.is_null() {
        return status;
    }
    // SAFETY: the driver has initialized the stream, and this function owns it from here on.
    let stream = unsafe { std::ptr::replace(out, FFI_ArrowArrayStream::empty()) };
    match Moved::new(stream) {
        Ok(rows) => {
            // SAFETY: `out` belongs to the caller and holds an empty stream, which needs no release.
            unsafe { std::ptr::write(out, FFI_ArrowArrayStream::new(Box::new(rows))) };
            status
        }
        Err(_) => ADBC_STATUS_INTERNAL,
    }
}

/// The rows of a driver, with their buffers aligned as Arrow requires.
struct Moved {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
}

impl Moved {
    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self, ArrowError> {
        let mut schema = FFI_ArrowSchema::empty();
        let get = stream.get_schema.ok_or_else(|| ArrowError::CDataInterface("the rows have no columns".to_owned()))?;
        #[allow(unsafe_code)]
        // SAFETY: the stream is alive; its function is called with the stream itself and space for the schema.
        let failed = unsafe { get(&mut stream, &mut schema) } != 0;
        if failed {
            return Err(last_error(&mut stream));
        }
        let schema = Arc::new(Schema::try_from(&schema)?);
        Ok(Self { stream, schema })
    }

    /// Returns the next batch, or `None` at the end.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(get) = self.stream.get_next else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        #[allow(unsafe_code)]
        // SAFETY: the stream is alive; its function is called with the stream itself and space for the array.
        let failed = unsafe { get(&mut self.stream, &mut array) } != 0;
        if failed {
            return Err(last_error(&mut self.stream));
        }
        if array.is_released() {
            return Ok(None);
        }
        let whole = DataType::Struct(self.schema.fields().clone());
        #[allow(unsafe_code)]
        // SAFETY: the array comes from this stream and has its type; it is owned from here on.
        let mut data = unsafe { from_ffi_and_data_type(array, whole) }?;
        data.align_buffers();
        let rows = RecordBatchOptions::new().with_row_count(Some(data.len()));
        let columns = StructArray::from(data).into_parts().1;
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &rows).map(Some)
    }
}

/// Returns the driver's description of an error in its rows.
fn last_error(stream: &mut FFI_ArrowArrayStream) -> ArrowError {
    let unknown = || "the driver gave no reason".to_owned();
    let Some(get) = stream.get_last_error else { return ArrowError::CDataInterface(unknown()) };
    #[allow(unsafe_code)]
    // SAFETY: the stream is alive and returns a C string or null; the string is copied immediately.
    let text = unsafe {
        let text = get(stream);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    ArrowError::CDataInterface(text.unwrap_or_else(unknown))
}

impl Iterator for Moved {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

impl RecordBatchReader for Moved {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_that_was_changed_since_it_was_added_is_not_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libadbc_driver_x.so");
        std::fs::write(&path, "not a library").unwrap();
        let own = encode_hex(&Sha256::digest("not a library"));
        let error = |sha256: &str| verified_bytes(&path, sha256).err().map(|error| error.message).unwrap_or_default();
        assert!(error(&encode_hex(&Sha256::digest("as it was"))).contains("its hash differs"));
        assert!(error(&own).is_empty() && error(&own.to_uppercase()).is_empty());
        std::fs::remove_file(&path).unwrap();
        assert!(!error(&own).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_was_verified_cannot_be_changed_any_more() {
        let copy = sealed_copy(b"library").unwrap();
        assert!(std::io::Write::write(&mut &copy, b"other").is_err());
        assert!(copy.set_len(0).is_err());
    }
}
