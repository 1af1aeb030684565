//! The protocol between application and engine process: frames over pipes, each with the number of its request. Orders
//! and short answers are JSON; columns and rows are Arrow IPC, decoded without copying.
//!
//! ```text
//! length of what follows (4 bytes) | number (8) | kind (1) | payload
//! ```

use crate::{Checked, Limits, OpenOptions, Walls, WarehouseError, WarehouseKind};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use vitrine_domain::{Catalog, FileReading, QueryPlan, SafetyLayer};

/// Bytes of a frame's header after the length field.
const HEAD: usize = 9;
/// Maximum payload in bytes; a batch of rows is far smaller.
pub(crate) const LARGEST: usize = 512 << 20;

/// Messages from the application to the engine.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub(crate) enum Order {
    /// Opens the database; always the first order. The path is the database's, or that of the driver's library if there
    /// is a login.
    Open { kind: WarehouseKind, path: PathBuf, options: Box<OpenOptions>, login: Option<Login>, speech: Speech },
    /// Requests the sandbox state; answered by [`Report::Walls`].
    Walls,
    /// Requests the catalog; answered by [`Report::Catalog`].
    Catalog,
    /// Requests how data files were read; answered by [`Report::Readings`].
    Readings,
    /// Prepares a statement; answered by [`Report::Checked`].
    Check { sql: String },
    /// Requests a query plan; answered by [`Report::Planned`].
    Plan { sql: String, limits: Limits },
    /// Runs a query; answered by columns, rows and [`Report::Ended`].
    Query { sql: String, limits: Limits },
    /// Requests the safety layers; answered by [`Report::Safety`].
    Safety { speech: Speech },
    /// Grants one more batch, because the reader took one.
    More,
    /// Cancels the request, because its answer has no receiver any more.
    Cancel,
}

/// The language of texts that the engine writes for users: doubts about a file, descriptions of safety layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Speech {
    language: String,
    catalog: String,
}

impl Speech {
    /// Returns the language of this process.
    pub fn of_this_process() -> Self {
        let (language, catalog) = vitrine_words::given_language();
        Self { language: language.code().to_owned(), catalog: catalog.to_owned() }
    }

    /// Sets the language of this process.
    pub fn apply_language(&self) {
        if let Some(language) = vitrine_words::Language::from_code(&self.language) {
            vitrine_words::set_language(language, &self.catalog);
        }
    }
}

/// The address that a driver opens, with its password.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Login {
    pub address: String,
    pub password: Option<String>,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login({})", self.address)
    }
}

/// Messages from the engine to the application.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub(crate) enum Report {
    Opened,
    Walls { walls: Walls },
    Catalog { catalog: Box<Catalog> },
    Readings { readings: Vec<FileReading> },
    Checked { checked: Checked },
    Planned { plan: QueryPlan },
    Safety { layers: Vec<SafetyLayer> },
    Ended { truncated: bool },
    Failed { error: WarehouseError },
}

/// The content type of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Json = 0,
    /// The header of an Arrow IPC stream, with its columns.
    Columns = 1,
    /// One record batch of the stream.
    Rows = 2,
}

/// A message with the number of its request.
#[derive(Debug)]
pub(crate) struct Frame {
    pub number: u64,
    pub kind: Kind,
    pub payload: Vec<u8>,
}

impl Frame {
    /// Creates a frame with JSON content.
    pub fn from_json(number: u64, content: &impl Serialize) -> Self {
        Self { number, kind: Kind::Json, payload: serde_json::to_vec(content).unwrap_or_default() }
    }

    /// Parses the payload as JSON.
    pub fn read_json<T: for<'de> Deserialize<'de>>(&self) -> io::Result<T> {
        serde_json::from_slice(&self.payload).map_err(io::Error::other)
    }

    /// Encodes the length and the header of the frame.
    pub fn encode_head(&self) -> [u8; 4 + HEAD] {
        let mut head = [0; 4 + HEAD];
        head[..4].copy_from_slice(&((HEAD + self.payload.len()) as u32).to_le_bytes());
        head[4..12].copy_from_slice(&self.number.to_le_bytes());
        head[12] = self.kind as u8;
        head
    }

    /// Decodes a header to a frame without payload and the payload's length in bytes.
    pub fn decode_head(head: &[u8; 4 + HEAD]) -> io::Result<(Self, usize)> {
        let word = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
        let length = u32::from_le_bytes(word(0)) as usize;
        let number = u64::from(u32::from_le_bytes(word(4))) | u64::from(u32::from_le_bytes(word(8))) << 32;
        let kind = match head[12] {
            0 => Kind::Json,
            1 => Kind::Columns,
            2 => Kind::Rows,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        match length.checked_sub(HEAD) {
            Some(length) if length <= LARGEST => Ok((Self { number, kind, payload: Vec::new() }, length)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Reads the next frame; returns `None` if the other side has closed the pipe.
    pub fn read_from(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 4 + HEAD];
        match input.read_exact(&mut head) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        let (mut frame, length) = Self::decode_head(&head)?;
        frame.payload.resize(length, 0);
        input.read_exact(&mut frame.payload)?;
        Ok(Some(frame))
    }

    /// Writes the encoded header and the payload.
    pub fn write_to(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&self.encode_head())?;
        output.write_all(&self.payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let frames = [
            Frame::from_json(7, &Order::Check { sql: "SELECT 'ü'".into() }),
            Frame { number: u64::MAX, kind: Kind::Rows, payload: vec![1; 100_000] },
            Frame { number: 0, kind: Kind::Columns, payload: Vec::new() },
        ];
        let mut bytes = Vec::new();
        frames.iter().for_each(|frame| frame.write_to(&mut bytes).expect("a vector takes everything"));
        let mut input = bytes.as_slice();
        for frame in &frames {
            let read = Frame::read_from(&mut input).expect("whole").expect("there");
            assert_eq!((read.number, read.kind, &read.payload), (frame.number, frame.kind, &frame.payload));
        }
        assert!(Frame::read_from(&mut input).expect("the end").is_none());
    }

    #[test]
    fn what_is_no_frame_is_an_error_and_takes_no_memory() {
        for bytes in [
            &[0xff; 13][..],
            &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9][..],
        ] {
            assert!(Frame::read_from(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
