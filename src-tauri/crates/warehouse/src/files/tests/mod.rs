//! Tests of reading data files.

mod exports;
mod limits;
mod meanings;
mod open;
mod workbooks;
