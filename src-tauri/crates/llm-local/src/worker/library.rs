//! Loads a library of kernels through llama.cpp.
#![allow(unsafe_code)]

use llama_cpp_sys_2 as sys;
use std::ffi::CString;
use std::path::Path;

/// Registers the kernels of one library with llama.cpp.
pub(crate) fn load_library(library: &Path) -> Option<sys::ggml_backend_reg_t> {
    let name = c_path(library)?;
    // SAFETY: a zero-terminated path; llama.cpp checks the library's interface before it uses it.
    let loaded = unsafe { sys::ggml_backend_load(name.as_ptr()) };
    (!loaded.is_null()).then_some(loaded)
}

/// Converts a path to a C string; `None` if it contains a zero byte.
pub(crate) fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).ok()
}
