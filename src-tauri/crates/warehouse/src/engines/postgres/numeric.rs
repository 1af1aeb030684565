//! Conversion of decimals of any length from the server's binary format to exact text.

use std::fmt::Write;

/// Decimal digits per group of the binary format.
const GROUP: usize = 4;

/// Appends a decimal in PostgreSQL's own notation; `None` if the bytes are invalid.
pub(super) fn write_numeric(out: &mut String, bytes: &[u8]) -> Option<()> {
    let mut words = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map(i16::from_be_bytes));
    let mut word = || words.next()?.ok();
    let (count, weight, sign, scale) = (word()?, word()?, word()?, word()?);
    let written = match sign as u16 {
        0x0000 => "",
        0x4000 => "-",
        0xC000 => "NaN",
        0xD000 => "Infinity",
        0xF000 => "-Infinity",
        _ => return None,
    };
    out.push_str(written);
    if written.len() > 1 {
        return Some(());
    }
    let groups: Vec<i16> = (0..count).map(|_| word()).collect::<Option<_>>()?;
    let group = |place: i32| usize::try_from(place).ok().and_then(|place| groups.get(place)).copied().unwrap_or(0);
    let weight = i32::from(weight);
    let _ = write!(out, "{}", if weight < 0 { 0 } else { group(0) });
    for place in 1..=weight {
        let _ = write!(out, "{:04}", group(place));
    }
    let scale = usize::try_from(scale).ok()?;
    if scale > 0 {
        out.push('.');
        let end = out.len() + scale;
        for place in 0..scale.div_ceil(GROUP) {
            let _ = write!(out, "{:04}", group(weight + 1 + place as i32));
        }
        out.truncate(end);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn groups_of_digits_become_text() {
        for (words, text) in [
            (&[0, 0, 0, 0][..], "0"),
            (&[0, 0, 0, 2], "0.00"),
            (&[2, 1, 0x4000, 0, 1, 5], "-10005"),
            (&[1, 2, 0, 0, 7], "700000000"),
            (&[2, 0, 0, 3, 12, 3450], "12.345"),
            (&[1, -2, 0, 8, 25], "0.00000025"),
        ] {
            let bytes: Vec<u8> = words.iter().flat_map(|word: &i16| word.to_be_bytes()).collect();
            let mut out = String::new();
            super::write_numeric(&mut out, &bytes).unwrap();
            assert_eq!(out, text);
        }
        assert!(super::write_numeric(&mut String::new(), &[0, 1]).is_none());
    }
}
