//! Integration tests live in `it/`, in one binary.
