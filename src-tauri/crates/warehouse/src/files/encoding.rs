//! Detection of text encodings.

use super::letters::misplaced_letter;
use encoding_rs::{Encoding, ISO_8859_2, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Number of bytes that are examined for the zeros of UTF-16.
const HEAD: usize = 4096;

/// Detects the encoding of a file by its byte order mark, otherwise by its bytes. Bytes that are not UTF-8 are decoded
/// as Windows-1252, a superset of Latin-1 with the euro sign, unless its letters clearly indicate another one.
pub(super) fn detect_encoding(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = detect_utf16(bytes) {
        return encoding;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let guess = guess_encoding(bytes);
    // Latin encodings are too similar to distinguish, unless one puts signs or capitals inside words.
    let is_clean = |encoding: &&'static Encoding| misplaced_letter(&encoding.decode(bytes).0).is_none();
    let central = [WINDOWS_1250, ISO_8859_2];
    let others = central.into_iter().filter(|encoding| *encoding == guess).chain(central);
    match guess {
        encoding if is_another_alphabet(encoding) => encoding,
        _ => [WINDOWS_1252, MACINTOSH].into_iter().chain(others).find(is_clean).unwrap_or(WINDOWS_1252),
    }
}

fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Deny)
}

/// Returns a word of a file that is decoded as Windows-1252 although its letters indicate another encoding.
pub(super) fn find_doubtful_word(bytes: &[u8]) -> Option<String> {
    let western = WINDOWS_1252.decode(bytes).0;
    if let Some(word) = misplaced_letter(&western) {
        return Some(word.to_owned());
    }
    let guess = Some(guess_encoding(bytes)).filter(|guess| [WINDOWS_1250, ISO_8859_2].contains(guess))?;
    // Both encodings have one byte per character.
    let central = guess.decode(bytes).0;
    let mut pairs = western.char_indices().zip(central.chars());
    let differs = |(here, there): (char, char)| here != there && here.is_alphabetic() && there.is_alphabetic();
    let ((at, _), _) = pairs.find(|((_, here), there)| differs((*here, *there)))?;
    let is_end = |c: char| !c.is_alphabetic();
    let start = western[..at].rfind(is_end).map_or(0, |end| end + 1);
    let word = western.get(start..).or(western.get(at..))?;
    Some(word.split(is_end).next().unwrap_or_default().to_owned())
}

/// Returns true if an encoding with this name exists.
pub(super) fn is_known(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()).is_some()
}

/// Detects UTF-16 without a byte order mark: nearly every second byte of a European text is zero.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD) & !1];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (pairs, even, odd) = (head.len() / 2, zeros(0), zeros(1));
    match pairs {
        0 => None,
        _ if odd * 2 > pairs && even * 10 < pairs => Some(UTF_16LE),
        _ if even * 2 > pairs && odd * 10 < pairs => Some(UTF_16BE),
        _ => None,
    }
}

fn is_another_alphabet(encoding: &'static Encoding) -> bool {
    matches!(
        encoding.name(),
        "windows-1251"
            | "KOI8-U"
            | "IBM866"
            | "ISO-8859-5"
            | "windows-1253"
            | "ISO-8859-7"
            | "windows-1255"
            | "windows-1256"
            | "windows-874"
            | "Shift_JIS"
            | "EUC-JP"
            | "EUC-KR"
            | "Big5"
            | "GBK"
            | "gb18030"
    )
}

/// Decodes the text of a file with uniform line ends, including one after the last line. Invalid bytes become the
/// replacement character.
pub(super) fn decode_text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let mut text = encoding.decode_with_bom_removal(bytes).0.into_owned();
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Returns true if the lines of a file end in several ways; false if the file cannot be read.
pub(super) fn has_mixed_lines(file: &Path) -> bool {
    let Ok(mut opened) = File::open(file) else { return false };
    let (mut buffer, mut last, mut ways) = (vec![0; 1 << 16], 0, [false; 3]);
    while let Ok(read @ 1..) = opened.read(&mut buffer) {
        for byte in &buffer[..read] {
            match (last, *byte) {
                (b'\r', b'\n') => ways[0] = true,
                (_, b'\n') => ways[1] = true,
                (b'\r', _) => ways[2] = true,
                _ => {}
            }
            last = *byte;
        }
    }
    ways.into_iter().filter(|way| *way).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_utf16_bytes(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn encodings_are_told_by_mark_or_by_bytes() {
        let text = "Datum;Betrag €\n31.12.2024;5,00\n";
        let marked = format!("\u{feff}{text}");
        for (bytes, name) in [
            (text.as_bytes().to_vec(), "UTF-8"),
            (marked.as_bytes().to_vec(), "UTF-8"),
            (to_utf16_bytes(text, u16::to_le_bytes), "UTF-16LE"),
            (to_utf16_bytes(text, u16::to_be_bytes), "UTF-16BE"),
            (to_utf16_bytes(&marked, u16::to_le_bytes), "UTF-16LE"),
            (to_utf16_bytes(&marked, u16::to_be_bytes), "UTF-16BE"),
            (WINDOWS_1252.encode(text).0.into_owned(), "windows-1252"),
        ] {
            assert_eq!(detect_encoding(&bytes).name(), name);
            assert_eq!(decode_text(&bytes, detect_encoding(&bytes)), text, "{name}");
        }
    }

    #[test]
    fn one_letter_of_a_western_language_is_windows_1252() {
        for text in ["Müller", "Garçon;déjà", "Señor;mañana", "perché;città", "5 €", "Preis „neu“", "Größe;Straße"]
        {
            let bytes = WINDOWS_1252.encode(text).0.into_owned();
            assert_eq!(decode_text(&bytes, detect_encoding(&bytes)).trim_end(), text);
        }
        let russian = encoding_rs::WINDOWS_1251.encode("Дата;Сумма;Покупатель\nМосква;Итого;Иванов").0.into_owned();
        assert_eq!(detect_encoding(&russian).name(), "windows-1251");
    }
}
