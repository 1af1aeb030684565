//! Recognizes stored geometries: well-known text, GeoJSON, and well-known binary with the headers of PostGIS,
//! GeoPackage and SpatiaLite. Bytes are judged by their header and the length that it implies, so that digests and
//! pictures with a similar beginning are excluded.

use super::queries::CELL;

/// Names of the types 1 to 7.
const TYPES: [&str; 7] =
    ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"];

/// A recognized geometry and its encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Geometry {
    /// Name of the type, such as `Point` or `Polygon`.
    pub name: &'static str,
    /// The encoding, if it must be mentioned to read the values.
    pub form: Option<&'static str>,
}

/// Recognizes a geometry written as text, including bytes in hexadecimal digits as PostGIS shows them.
pub(super) fn of_text(text: &str) -> Option<Geometry> {
    let text = text.trim();
    if text.starts_with("00") || text.starts_with("01") {
        let bytes = decode_hex(text).filter(|bytes| bytes.len() >= 9)?;
        // The end of a long text was cut off.
        let length = (text.len() < CELL).then_some(bytes.len());
        return of_head(&bytes, length).map(|found| {
            let form = if found.form == Some("EWKB") { "EWKB in hexadecimal" } else { "WKB in hexadecimal" };
            Geometry { form: Some(form), ..found }
        });
    }
    let json = text.starts_with('{') && text.contains("\"coordinates\"");
    let name = TYPES.into_iter().find(|name| {
        if json {
            return text.contains(&format!("\"{name}\""));
        }
        let head = text.get(..name.len()).is_some_and(|h| h.eq_ignore_ascii_case(name));
        head && text[name.len()..].trim_start().starts_with(['(', 'Z', 'M', 'E', 'z', 'm', 'e'])
    })?;
    Some(Geometry { name, form: None })
}

/// Recognizes a geometry by the first bytes of a value in hexadecimal and by its length: `0101000000.../21`.
pub(super) fn of_bytes(cell: &str) -> Option<Geometry> {
    let (head, length) = cell.split_once('/')?;
    of_head(&decode_hex(head)?, length.parse().ok())
}

fn of_head(bytes: &[u8], length: Option<usize>) -> Option<Geometry> {
    if let [b'G', b'P', 0, flags, ..] = bytes {
        let envelope = [0, 32, 48, 48, 64].get(usize::from(flags >> 1 & 7))?;
        let start = 8 + envelope;
        let found = well_known(bytes.get(start..)?, length.map(|length| length.saturating_sub(start)))?;
        return Some(Geometry { form: Some("GeoPackage"), ..found });
    }
    well_known(bytes, length).or_else(|| parse_spatialite(bytes))
}

/// Parses SpatiaLite's header: `00`, byte order, reference system, bounds, `7c`, then the type.
fn parse_spatialite(bytes: &[u8]) -> Option<Geometry> {
    if bytes.first() != Some(&0) || bytes.get(38) != Some(&0x7c) {
        return None;
    }
    let code = read_u32(bytes, 39, *bytes.get(1)?)?;
    Some(Geometry { name: type_name(code)?, form: Some("SpatiaLite") })
}

/// Parses well-known binary: byte order, type, optionally the reference system in PostGIS's form, then the coordinates.
fn well_known(bytes: &[u8], length: Option<usize>) -> Option<Geometry> {
    let order = *bytes.first()?;
    let code = read_u32(bytes, 1, order)?;
    let [z, m, system] = [0x8000_0000, 0x4000_0000, 0x2000_0000].map(|flag| code & flag != 0);
    let plain = code & 0x1fff_ffff;
    let found = Geometry { name: type_name(plain)?, form: Some(if z || m || system { "EWKB" } else { "WKB" }) };
    let iso = plain / 1_000;
    if iso > 0 && (z || m) {
        return None;
    }
    let axes = 2 + usize::from(z || iso == 1 || iso == 3) + usize::from(m || iso == 2 || iso == 3);
    let body = if system { 9 } else { 5 };
    let fits = |least: usize, exactly: bool| match length {
        Some(length) if exactly => length == least,
        Some(length) => length >= least,
        // Truncated text has an unknown length.
        None => true,
    };
    if plain % 1_000 == 1 {
        return (length.unwrap_or(bytes.len()) == body + 8 * axes).then_some(found);
    }
    let parts = read_u32(bytes, body, order)? as usize;
    let first = body + 4;
    let fit = match plain % 1_000 {
        _ if parts == 0 => fits(first, true),
        2 => fits(parts.checked_mul(8 * axes)?.checked_add(first)?, true),
        3 => {
            let points = read_u32(bytes, first, order)? as usize;
            let ring = points.checked_mul(8 * axes)?;
            fits(parts.checked_mul(4)?.checked_add(first)?.checked_add(ring)?, parts == 1)
        }
        // Each part is a geometry with its own header.
        kind => {
            let part = read_u32(bytes, first + 1, *bytes.get(first)?)? & 0x1fff_ffff;
            (kind == 7 || part % 1_000 == kind - 3)
                && type_name(part).is_some()
                && fits(parts.checked_mul(9)?.checked_add(first)?, false)
        }
    };
    fit.then_some(found)
}

fn type_name(code: u32) -> Option<&'static str> {
    if code / 1_000 > 3 {
        return None;
    }
    TYPES.get((code % 1_000).checked_sub(1)? as usize).copied()
}

/// Reads a number of four bytes; `order` is 0 for big endian, 1 for little endian.
fn read_u32(bytes: &[u8], at: usize, order: u8) -> Option<u32> {
    let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    match order {
        0 => Some(u32::from_be_bytes(four)),
        1 => Some(u32::from_le_bytes(four)),
        _ => None,
    }
}

/// Decodes hexadecimal digits; an odd last digit, where a text was cut, is ignored.
fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    text.as_bytes().chunks_exact(2).map(|two| Some((digit(&two[0])? << 4 | digit(&two[1])?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::queries::HEAD;
    use super::*;

    fn encode_head(bytes: &[u8]) -> String {
        let head: String = bytes.iter().take(HEAD).map(|byte| format!("{byte:02X}")).collect();
        format!("{head}/{}", bytes.len())
    }

    /// Creates little-endian well-known binary of a type with these counts, followed by coordinates.
    fn build_wkb(code: u32, counts: &[u32], coordinates: usize) -> Vec<u8> {
        let mut bytes = vec![1];
        bytes.extend(code.to_le_bytes());
        counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.extend([0x40; 8].repeat(coordinates));
        bytes
    }

    fn read_geometry(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
        of_bytes(&encode_head(bytes)).map(|found| (found.name, found.form.unwrap_or_default()))
    }

    #[test]
    fn headers_of_every_wrapping_are_read() {
        assert_eq!(read_geometry(&build_wkb(1, &[], 2)), Some(("Point", "WKB")));
        let mut big = vec![0, 0, 0, 0, 1];
        big.extend([0; 16]);
        assert_eq!(read_geometry(&big), Some(("Point", "WKB")), "the largest byte first");
        assert_eq!(read_geometry(&build_wkb(1_001, &[], 3)), Some(("Point", "WKB")), "with a height");
        assert_eq!(read_geometry(&build_wkb(0x2000_0001, &[4_326], 2)), Some(("Point", "EWKB")));
        assert_eq!(read_geometry(&build_wkb(0xa000_0001, &[4_326], 3)), Some(("Point", "EWKB")));
        assert_eq!(read_geometry(&build_wkb(2, &[3], 6)), Some(("LineString", "WKB")));
        assert_eq!(read_geometry(&build_wkb(3, &[1, 4], 8)), Some(("Polygon", "WKB")));
        let mut several = build_wkb(6, &[2], 0);
        several.extend([build_wkb(3, &[1, 4], 8), build_wkb(3, &[1, 4], 8)].concat());
        assert_eq!(read_geometry(&several), Some(("MultiPolygon", "WKB")));
        let mut package = b"GP\0\x03".to_vec();
        package.extend([0; 36]);
        package.extend(build_wkb(3, &[1, 4], 8));
        assert_eq!(read_geometry(&package), Some(("Polygon", "GeoPackage")));
        let mut lite = vec![0, 1];
        lite.extend([0; 36]);
        lite.push(0x7c);
        lite.extend(2u32.to_le_bytes());
        assert_eq!(read_geometry(&lite), Some(("LineString", "SpatiaLite")));
    }

    #[test]
    fn bytes_that_begin_alike_are_none() {
        for bytes in [
            &[][..],
            &[1, 2, 3],
            b"\x89PNG\r\n\x1a\n and a picture",
            b"GPX, and no package at all",
            &build_wkb(1, &[], 3),     // a two-dimensional point with three coordinates
            &build_wkb(2, &[9], 6),    // fewer points than declared
            &build_wkb(9, &[1], 2),    // unknown type
            &build_wkb(4, &[1, 0], 2), // a part without a header
            &build_wkb(3, &[1, 4], 7), // a truncated ring
            &[7; 32],                  // a digest
            &2_024_u64.to_le_bytes(),  // a number
        ] {
            assert_eq!(read_geometry(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn digits_of_a_geometry_are_one_and_other_digits_are_none() {
        let text =
            |bytes: &[u8]| encode_head(bytes).split_once('/').map(|(head, _)| head.to_owned()).unwrap_or_default();
        let found = of_text(&text(&build_wkb(0x2000_0001, &[4_326], 2))).expect("as PostGIS shows it");
        assert_eq!((found.name, found.form), ("Point", Some("EWKB in hexadecimal")));
        // 300 digits are read of a text, which are not all of this one.
        let whole: String = build_wkb(2, &[200], 400).iter().map(|byte| format!("{byte:02x}")).collect();
        let long = of_text(&whole[..CELL]).expect("cut off");
        assert_eq!((long.name, long.form), ("LineString", Some("WKB in hexadecimal")));
        for other in [
            "010200000012345678",
            "0101",
            "01012024",
            "0176 1234567",
            "0012345678901234567890",
            "01/02/2023",
            "00000000-0000-0000",
        ] {
            assert_eq!(of_text(other), None, "{other}");
        }
        assert_eq!(of_text("POLYGON ((0 0, 1 1))"), Some(Geometry { name: "Polygon", form: None }));
        assert_eq!(of_text(r#"{"type": "Point", "coordinates": [1, 2]}"#).map(|found| found.name), Some("Point"));
    }
}
