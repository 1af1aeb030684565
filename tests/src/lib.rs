//! The integration tests are in `it/`, in one binary.
