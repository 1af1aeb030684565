//! The keys under which a value can be found: MinHash bands and further routes for cases that 3-grams do not cover.
//!
//! **MinHash LSH.** 48 hashes over the padded character 3-grams of the folded text, in 24 bands of 2. Two strings of
//! Jaccard similarity `s` share a band with probability `1 - (1 - s²)^24`: 0.90 at 0.3, 0.985 at 0.4, 0.999 at 0.5; and
//! 0.06 at 0.05, so that few unrelated strings match. Texts of more than 24 grams get 6 more bands of 8 hashes: long
//! texts share prefixes ("https://www."), so their wide bands contain many values, and the narrow bands still identify
//! near duplicates.
//!
//! **Other routes.** 3-grams of "USA" and "US" overlap too little, so a value is also found by its exact compact form,
//! by deleting up to two characters (texts of up to 5), by its words and their first four letters, and by its initials.
//!
//! A key has 28 bits. Two different strings collide once in a few hundred lookups. The search then compares the texts,
//! so a collision costs a comparison but never causes a wrong match.

use crate::text::{Form, hash, mix_bits};

/// Version of the key format. Must change if stored values would get other keys; an index of another version is
/// rebuilt.
pub const FORMAT: u32 = 1;
/// Number of bits in a key.
pub const KEY_BITS: u32 = 28;
const HASHES: usize = 48;
const BANDS: usize = 24;
const NARROW_BANDS: usize = 6;
const NARROW_ABOVE_GRAMS: usize = 24;
/// Maximum length of a compact text that is found by deleting characters.
const SHORT: usize = 5;
const MAX_WORDS: usize = 8;

const EXACT: u64 = 1;
const DELETED: u64 = 2;
const WORD: u64 = 3;
const WORD_START: u64 = 4;
const INITIALS: u64 = 5;
const BAND: u64 = 100;
const NARROW_BAND: u64 = 200;

/// One XOR mask and one odd factor per hash, from a fixed sequence.
const FACTORS: [(u32, u32); HASHES] = {
    let mut factors = [(0, 0); HASHES];
    let mut state: u64 = 0x5669_7472_696e_6531;
    let mut i = 0;
    while i < HASHES {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        factors[i] = ((z >> 32) as u32, (z as u32) | 1);
        i += 1;
    }
    factors
};

/// Computes the MinHash signature of a text.
pub fn minhash_signature(form: &Form) -> [u32; HASHES] {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU supports AVX2, as checked above.
        #[allow(unsafe_code)]
        return unsafe { signature_avx2(form) };
    }
    least_hashes(form)
}

/// Computes the signature on CPUs that process eight hashes at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn signature_avx2(form: &Form) -> [u32; HASHES] {
    least_hashes(form)
}

#[inline(always)]
fn least_hashes(form: &Form) -> [u32; HASHES] {
    let mut least = [u32::MAX; HASHES];
    form.for_each_gram(|gram| {
        for (slot, (mask, factor)) in least.iter_mut().zip(FACTORS) {
            *slot = (*slot).min((gram ^ mask).wrapping_mul(factor));
        }
    });
    least
}

/// A key to look up, with the weight of a hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryKey {
    /// The key of up to 28 bits.
    pub key: u32,
    /// The score that one hit adds to a candidate.
    pub weight: f32,
}

/// Collects every key under which a stored value is filed.
pub fn value_keys(form: &Form, keys: &mut Vec<u32>) {
    keys.push(text_key(EXACT, &form.compact));
    push_band_keys(form, false, |key| keys.push(key));
    push_deletions(&form.compact, |variant| keys.push(text_key(DELETED, variant)));
    for word in form.iter_words().take(MAX_WORDS).filter(|w| w.chars().count() >= 3) {
        keys.push(text_key(WORD, word));
        if let Some(start) = start_of(word) {
            keys.push(text_key(WORD_START, start));
        }
    }
    for initials in form.word_initials() {
        keys.push(text_key(INITIALS, &initials));
    }
}

/// Returns every key to look up for a literal. An exact form has the highest weight, then abbreviations and short
/// strings, then rare evidence. A band has weight one, so that the sum over bands increases with similarity.
pub fn query_keys(form: &Form) -> Vec<QueryKey> {
    let mut keys = vec![QueryKey { key: text_key(EXACT, &form.compact), weight: 1000.0 }];
    let mut push = |key, weight| keys.push(QueryKey { key, weight });
    push_band_keys(form, true, |key| push(key, 1.0));
    push_deletions(&form.compact, |variant| push(text_key(DELETED, variant), 4.0));
    for word in form.iter_words().take(MAX_WORDS).filter(|w| w.chars().count() >= 3) {
        push(text_key(WORD, word), 3.0);
        // "Dep" for "department", "amer" for "american": a prefix of a word is a word or a prefix of one.
        if let Some(start) = start_of(word) {
            push(text_key(WORD_START, start), 1.5);
        } else if word.chars().count() == 4 {
            push(text_key(WORD_START, word), 1.5);
        }
        if let Some((end, _)) = word.char_indices().nth(3) {
            push(text_key(WORD, &word[..end]), 1.0);
        }
    }
    // "US" and "USA" find "United States"; "United States" finds "US" and, after one deletion, "USA".
    if form.iter_words().len() == 1 || form.compact.chars().count() <= SHORT {
        push(text_key(INITIALS, &form.compact), 8.0);
        if let Some((end, _)) = form.compact.char_indices().next_back().filter(|_| form.compact.chars().count() > 2) {
            push(text_key(INITIALS, &form.compact[..end]), 4.0);
        }
    }
    for initials in form.word_initials() {
        push(text_key(DELETED, &initials), 8.0);
        push(text_key(INITIALS, &initials), 2.0);
    }
    keys
}

fn text_key(route: u64, text: &str) -> u32 {
    (hash(route, text.as_bytes()) >> (64 - KEY_BITS)) as u32
}

fn push_band_keys(form: &Form, always_narrow: bool, mut push: impl FnMut(u32)) {
    let signature = minhash_signature(form);
    let key = |route: u64, hashes: &[u32]| {
        let folded =
            hashes.iter().fold(route, |state, &h| mix_bits(state ^ u64::from(h), 0xa076_1d64_78bd_642f ^ route << 48));
        (folded >> (64 - KEY_BITS)) as u32
    };
    for (band, hashes) in signature.chunks_exact(HASHES / BANDS).enumerate() {
        push(key(BAND + band as u64, hashes));
    }
    if always_narrow || form.folded.chars().count() + 2 > NARROW_ABOVE_GRAMS {
        for (band, hashes) in signature.chunks_exact(HASHES / NARROW_BANDS).enumerate() {
            push(key(NARROW_BAND + band as u64, hashes));
        }
    }
}

/// Returns the first four letters of a longer word.
fn start_of(word: &str) -> Option<&str> {
    word.char_indices().nth(4).map(|(end, _)| &word[..end])
}

/// Calls `push` with the text and every result of deleting one or two characters, if at least two characters remain.
/// Two texts with an edit distance of at most two share one of them. Does nothing for texts longer than `SHORT`.
fn push_deletions(text: &str, mut push: impl FnMut(&str)) {
    if text.chars().nth(SHORT).is_some() {
        return;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut variants = vec![text.to_owned()];
    for skip in 0..chars.len() {
        variants.push(remove_chars(&chars, &[skip]));
        variants.extend((skip + 1..chars.len()).map(|other| remove_chars(&chars, &[skip, other])));
    }
    let least = chars.len().min(2);
    variants.retain(|v| v.chars().count() >= least);
    variants.sort();
    variants.dedup();
    variants.iter().for_each(|v| push(v));
}

fn remove_chars(chars: &[char], skipped: &[usize]) -> String {
    chars.iter().enumerate().filter(|(i, _)| !skipped.contains(i)).map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Returns a generator of pseudo-random numbers from a seed.
    fn random_numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            (mix_bits(seed, 0xd6e8_feb8_6659_fd93) % below as u64) as usize
        }
    }

    fn jaccard_similarity(a: &Form, b: &Form) -> f64 {
        let grams = |form: &Form| {
            let mut grams = HashSet::new();
            form.for_each_gram(|gram| _ = grams.insert(gram));
            grams
        };
        let (a, b) = (grams(a), grams(b));
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    }

    fn share_a_band(a: &Form, b: &Form) -> bool {
        let keys = |form: &Form| {
            let mut keys = HashSet::new();
            push_band_keys(form, true, |key| _ = keys.insert(key));
            keys
        };
        !keys(a).is_disjoint(&keys(b))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn bands_find_what_exact_jaccard_calls_similar(seed: u64) {
            const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz 0123456789";
            let mut next = random_numbers(seed);
            let (mut similar, mut found, mut strangers, mut mistaken) = (0, 0, 0, 0);
            for _ in 0..400 {
                let length = 3 + next(30);
                let mut text: Vec<u8> = (0..length).map(|_| LETTERS[next(LETTERS.len())]).collect();
                let original = Form::new(&String::from_utf8_lossy(&text));
                let stranger = Form::new(&(0..length).map(|_| char::from(LETTERS[next(LETTERS.len())])).collect::<String>());
                for _ in 0..1 + next(4) {
                    let at = next(text.len());
                    text[at] = LETTERS[next(LETTERS.len())];
                }
                let edited = Form::new(&String::from_utf8_lossy(&text));
                if jaccard_similarity(&original, &edited) >= 0.4 {
                    similar += 1;
                    found += usize::from(share_a_band(&original, &edited));
                }
                if jaccard_similarity(&original, &stranger) < 0.05 {
                    strangers += 1;
                    mistaken += usize::from(share_a_band(&original, &stranger));
                }
            }
            prop_assert!(similar > 50 && found * 100 >= similar * 96, "{found} of {similar} found");
            prop_assert!(mistaken * 20 <= strangers, "{mistaken} of {strangers} strangers share a band");
        }
    }

    fn shares_key(query: &str, value: &str) -> bool {
        let mut keys = Vec::new();
        value_keys(&Form::new(value), &mut keys);
        query_keys(&Form::new(query)).iter().any(|q| keys.contains(&q.key))
    }

    #[test]
    fn abbreviations_and_long_forms_lead_to_each_other() {
        for (a, b) in
            [("USA", "US"), ("United States", "USA"), ("United States of America", "U.S.A."), ("New York", "NY")]
        {
            assert!(shares_key(a, b), "{a} should lead to {b}");
            assert!(shares_key(b, a), "{b} should lead to {a}");
        }
    }

    #[test]
    fn a_word_leads_to_a_long_name_that_holds_it() {
        assert!(shares_key("Alameda", "Alameda County Office of Education"));
        assert!(shares_key("ameri", "American Airlines"));
    }

    #[test]
    fn strangers_share_nothing() {
        assert!(!shares_key("Paris", "Tokyo"));
        assert!(!shares_key("completed", "refunded order"));
    }
}
