//! Keys in OpenSSH's own form (its PROTOCOL.key), parsed as far as needed to check a passphrase.

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use vitrine_words::later;

pub(super) const DAMAGED: &str = later!("the key is damaged");
const BEGINNING: &[u8] = b"openssh-key-v1\0";
/// The default cipher of OpenSSH.
const CIPHER: &[u8] = b"aes256-ctr";
/// Maximum rounds of key derivation; with this number it takes minutes.
const MOST_ROUNDS: u32 = 1_000;
const KEY: usize = 32;
const BLOCK: usize = 16;

/// The contents of a key file.
pub(super) struct OpensshKey {
    cipher: Vec<u8>,
    salt: Vec<u8>,
    rounds: u32,
    /// The first block of the encrypted private part.
    first: [u8; BLOCK],
}

impl OpensshKey {
    /// Parses the bytes of a key.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(BEGINNING)?;
        let (cipher, _derivation, mut options) =
            (read_bytes(&mut rest)?, read_bytes(&mut rest)?, read_bytes(&mut rest)?);
        let keys = read_u32(&mut rest)?;
        if keys != 1 {
            return None;
        }
        let _public = read_bytes(&mut rest)?;
        let first = read_bytes(&mut rest)?.get(..BLOCK).and_then(|block| block.try_into().ok());
        let (salt, rounds) = match options {
            [] => (&[][..], 0),
            _ => (read_bytes(&mut options)?, read_u32(&mut options)?),
        };
        Some(Self { cipher: cipher.to_vec(), salt: salt.to_vec(), rounds, first: first.unwrap_or_default() })
    }

    /// Returns true if the key is encrypted.
    pub(super) fn is_locked(&self) -> bool {
        self.cipher != b"none"
    }

    /// Returns true if a passphrase decrypts the key: the decrypted private part begins with the same number twice.
    pub(super) fn is_opened_by(&self, passphrase: &str) -> Result<bool, &'static str> {
        if self.cipher != CIPHER {
            return Err(later!("it is locked in a way that is not known here"));
        }
        if self.rounds > MOST_ROUNDS {
            return Err(later!("opening it would take too long"));
        }
        let mut derived = [0; KEY + BLOCK];
        if bcrypt_pbkdf::bcrypt_pbkdf(passphrase, &self.salt, self.rounds, &mut derived).is_err() {
            // This includes an empty passphrase.
            return Ok(false);
        }
        let (key, counter) = derived.split_at(KEY);
        let cipher = Aes256::new_from_slice(key).map_err(|_| DAMAGED)?;
        let mut block: [u8; BLOCK] = counter.try_into().map_err(|_| DAMAGED)?;
        cipher.encrypt_block((&mut block).into());
        let plain: Vec<u8> = block.iter().zip(self.first).map(|(one, other)| one ^ other).collect();
        Ok(plain[..4] == plain[4..8])
    }
}

/// Reads a length and this number of bytes.
fn read_bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = read_u32(rest)? as usize;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(text)
}

fn read_u32(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_be_bytes(*number))
}
