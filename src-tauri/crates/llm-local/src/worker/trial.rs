//! The trial of processor kernels: a child process loads them, multiplies matrices of the types that models use, and
//! checks the products. A crash ends only the child.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;

use llama_cpp_sys_2 as sys;

use crate::worker::library;

/// The quantizations used by most model files.
const TYPES: [sys::ggml_type; 3] = [sys::GGML_TYPE_Q4_K, sys::GGML_TYPE_Q6_K, sys::GGML_TYPE_Q8_0];
/// The inner dimension: one block of the largest quantization.
const INNER: usize = 256;
/// Number of rows of the weights: as many as the widest kernels process at once.
const ROWS: usize = 32;
/// Number of columns: a prompt and a single token use different code paths of the kernels.
const COLUMNS: [usize; 2] = [32, 1];
/// Maximum error relative to the norm of the product. Kernels round their input to 8 bits, which costs about one
/// percent.
const TOLERANCE: f32 = 0.05;
/// Seconds after which a hanging child is killed.
const PATIENCE: u32 = 10;

/// Checks that these kernels run and compute correctly. Returns true if the check itself is impossible. Must be called
/// while the process has a single thread.
pub(crate) fn passes_trial(library: &Path) -> bool {
    run_in_child(|| computes_correctly(library))
}

/// Runs the check in a child process; returns false if the check fails, crashes or hangs.
fn run_in_child(check: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child owns a copy of everything and ends in `_exit`, without this process's clean-up. Its handlers
    // only call `_exit`, which is allowed in them.
    unsafe {
        match libc::fork() {
            -1 => true,
            0 => {
                // A handler instead of the default action avoids core dumps and crash reports.
                let quit = quit as extern "C" fn(c_int) as libc::sighandler_t;
                for signal in [libc::SIGILL, libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGABRT] {
                    libc::signal(signal, quit);
                }
                libc::alarm(PATIENCE);
                // Unwinding would continue as a second worker.
                let passed = catch_unwind(AssertUnwindSafe(check)).unwrap_or(false);
                libc::_exit(c_int::from(!passed))
            }
            child => child_succeeded(child),
        }
    }
}

extern "C" fn quit(_: c_int) {
    // SAFETY: ends the process.
    unsafe { libc::_exit(1) }
}

fn child_succeeded(child: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: waits for a child of this process and writes its status to a living variable.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } == -1 {
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            // The child was already reaped, so its result is unknown.
            return true;
        }
    }
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}

/// Loads the kernels and tests all products that they support. Frees nothing, because the process then ends.
fn computes_correctly(library: &Path) -> bool {
    // SAFETY: the callback is a plain function without data.
    unsafe { sys::ggml_log_set(Some(say_nothing), ptr::null_mut()) };
    let Some(kernels) = library::load_library(library) else { return false };
    // SAFETY: llama.cpp's interface as its headers describe it, on objects that it has just given and that are checked
    // for null; the two functions are asked for by the names under which these types are documented.
    unsafe {
        let device = sys::ggml_backend_reg_dev_get(kernels, 0);
        let engine = sys::ggml_backend_dev_init(device, ptr::null());
        if engine.is_null() {
            return false;
        }
        let threads = sys::ggml_backend_reg_get_proc_address(kernels, c"ggml_backend_set_n_threads".as_ptr());
        if let Some(set) = std::mem::transmute::<*mut c_void, sys::ggml_backend_set_n_threads_t>(threads) {
            // Synchronizing threads would take much longer than the computation.
            set(engine, 1);
        }
        let memories = memory_kinds(kernels, device);
        TYPES.into_iter().all(|kind| {
            let Some(weights) = Weights::new(kind) else { return false };
            memories.iter().all(|memory| {
                let product = Product { device, engine, memory: *memory, weights: &weights };
                COLUMNS.iter().all(|columns| product.is_right(*columns).unwrap_or(false))
            })
        })
    }
}

/// Suppresses messages, which would look as if the worker used these kernels.
unsafe extern "C" fn say_nothing(_: sys::ggml_log_level, _: *const c_char, _: *mut c_void) {}

/// Lists the buffer types for weights. Each has its own memory layout and kernels.
///
/// # Safety
/// `kernels` and `device` are alive and belong together.
unsafe fn memory_kinds(
    kernels: sys::ggml_backend_reg_t,
    device: sys::ggml_backend_dev_t,
) -> Vec<sys::ggml_backend_buffer_type_t> {
    // SAFETY: the list that is given ends with null.
    unsafe {
        let mut kinds = vec![sys::ggml_backend_dev_buffer_type(device)];
        let extra = sys::ggml_backend_reg_get_proc_address(kernels, c"ggml_backend_dev_get_extra_bufts".as_ptr());
        if let Some(list) = std::mem::transmute::<*mut c_void, sys::ggml_backend_dev_get_extra_bufts_t>(extra) {
            let mut next = list(device);
            while !next.is_null() && !(*next).is_null() {
                kinds.push(*next);
                next = next.add(1);
            }
        }
        kinds
    }
}

/// Weights in a model file's format, and their numeric values.
struct Weights {
    kind: sys::ggml_type,
    packed: Vec<u8>,
    unpacked: Vec<f32>,
}

impl Weights {
    fn new(kind: sys::ggml_type) -> Option<Self> {
        let (rows, inner) = (ROWS as i64, INNER as i64);
        let exact = generate_numbers(ROWS * INNER);
        // SAFETY: llama.cpp writes as many bytes and numbers as the buffers were made for.
        unsafe {
            let mut packed = vec![0u8; sys::ggml_row_size(kind, inner) * ROWS];
            sys::ggml_quantize_chunk(kind, exact.as_ptr(), packed.as_mut_ptr().cast(), 0, rows, inner, ptr::null());
            let unpack = (*sys::ggml_get_type_traits(kind)).to_float?;
            let mut unpacked = vec![0f32; exact.len()];
            unpack(packed.as_ptr().cast(), unpacked.as_mut_ptr(), rows * inner);
            Some(Self { kind, packed, unpacked })
        }
    }
}

/// Matrix products of one set of weights in one buffer type.
struct Product<'a> {
    device: sys::ggml_backend_dev_t,
    engine: sys::ggml_backend_t,
    memory: sys::ggml_backend_buffer_type_t,
    weights: &'a Weights,
}

impl Product<'_> {
    /// Compares the kernels' product with plain sums. Also true if they do not support weights of this type. `None` if
    /// the product could not be computed.
    ///
    /// # Safety
    /// All pointers are alive and belong together.
    unsafe fn is_right(&self, columns: usize) -> Option<bool> {
        // SAFETY: tensors are made, placed and filled in the order that llama.cpp wants, with lengths that it is asked for.
        unsafe {
            let (of_weights, of_rest) = (create_context()?, create_context()?);
            let weights = sys::ggml_new_tensor_2d(of_weights, self.weights.kind, INNER as i64, ROWS as i64);
            let input = sys::ggml_new_tensor_2d(of_rest, sys::GGML_TYPE_F32, INNER as i64, columns as i64);
            let product = sys::ggml_mul_mat(of_rest, weights, input);
            let placed = sys::ggml_backend_alloc_ctx_tensors_from_buft(of_weights, self.memory);
            if placed.is_null() {
                return None;
            }
            if !sys::ggml_backend_dev_supports_op(self.device, product) {
                return Some(true);
            }
            let plain = sys::ggml_backend_dev_buffer_type(self.device);
            if sys::ggml_backend_alloc_ctx_tensors_from_buft(of_rest, plain).is_null() {
                return None;
            }
            let Weights { packed, unpacked, .. } = self.weights;
            let numbers = generate_numbers(INNER * columns);
            sys::ggml_backend_tensor_set(weights, packed.as_ptr().cast(), 0, packed.len());
            sys::ggml_backend_tensor_set(input, numbers.as_ptr().cast(), 0, size_of_val(numbers.as_slice()));
            let graph = sys::ggml_new_graph(of_rest);
            sys::ggml_build_forward_expand(graph, product);
            if sys::ggml_backend_graph_compute(self.engine, graph) != sys::GGML_STATUS_SUCCESS {
                return None;
            }
            let mut found = vec![0f32; ROWS * columns];
            sys::ggml_backend_tensor_get(product, found.as_mut_ptr().cast(), 0, size_of_val(found.as_slice()));
            Some(is_close(&found, &multiply_rows(unpacked, &numbers)))
        }
    }
}

/// Creates a context for tensor descriptions; the data is stored elsewhere.
fn create_context() -> Option<*mut sys::ggml_context> {
    // SAFETY: llama.cpp allocates the memory itself when it is given none.
    let made = unsafe {
        let mem_size = 8 * sys::ggml_tensor_overhead() + sys::ggml_graph_overhead();
        sys::ggml_init(sys::ggml_init_params { mem_size, mem_buffer: ptr::null_mut(), no_alloc: true })
    };
    (!made.is_null()).then_some(made)
}

/// Generates fixed pseudo-random numbers between -1 and 1, without a pattern that could hide errors.
fn generate_numbers(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn multiply_rows(weights: &[f32], input: &[f32]) -> Vec<f32> {
    let dot = |row: &[f32], column: &[f32]| row.iter().zip(column).map(|(a, b)| a * b).sum();
    input.chunks(INNER).flat_map(|column| weights.chunks(INNER).map(move |row| dot(row, column))).collect()
}

/// Compares by the norm of the difference; a product that contains NaN is never close.
fn is_close(found: &[f32], expected: &[f32]) -> bool {
    let length = |numbers: &mut dyn Iterator<Item = f32>| numbers.map(|n| n * n).sum::<f32>().sqrt();
    let difference = length(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    found.len() == expected.len() && difference <= TOLERANCE * length(&mut expected.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_meets_a_refused_instruction_fails_and_ends_nobody_else() {
        // SAFETY: raises a signal in the child.
        assert!(!run_in_child(|| unsafe { libc::raise(libc::SIGILL) } == 0));
        assert!(!run_in_child(|| std::process::abort()));
        assert!(!run_in_child(|| panic!("not as a second worker")));
    }

    #[test]
    fn a_check_gives_its_own_verdict() {
        assert!(run_in_child(|| true));
        assert!(!run_in_child(|| false));
    }

    #[test]
    fn a_file_that_holds_no_kernels_fails() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(!passes_trial(file.path()));
    }

    #[test]
    fn wrong_products_are_told_from_rounded_ones() {
        let exact = generate_numbers(64);
        let rounded: Vec<f32> = exact.iter().map(|n| (n * 64.0).round() / 64.0).collect();
        assert!(is_close(&rounded, &exact));
        let mut wrong = exact.clone();
        wrong[..8].fill(0.0);
        assert!(!is_close(&wrong, &exact), "one part of eight was not computed");
        wrong[0] = f32::NAN;
        assert!(!is_close(&wrong, &exact));
    }

    #[test]
    fn a_product_has_a_column_for_each_of_the_input() {
        let mut weights = vec![0.0; 2 * INNER];
        (weights[0], weights[INNER + 1]) = (1.0, 2.0);
        let mut input = vec![0.0; 2 * INNER];
        (input[0], input[1], input[INNER]) = (3.0, 5.0, 7.0);
        assert_eq!(multiply_rows(&weights, &input), [3.0, 10.0, 7.0, 0.0]);
    }
}
