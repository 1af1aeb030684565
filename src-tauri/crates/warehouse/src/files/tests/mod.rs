//! Tests of reading data files.

mod exports;
mod limits;
mod open;
mod workbooks;
