//! The keys with which an address signs in, to the server and to the SSH host, and their passphrases.

use super::ServerAddress;
use super::key_file::{self, FileFault, Passphrase};
use crate::WarehouseError;

impl ServerAddress {
    /// Returns the same address with the passphrases of its keys. `known` returns the passphrase for the identity of a
    /// key.
    pub fn with_passphrases(mut self, known: impl Fn(&str) -> Option<String>) -> Self {
        let of = |key: Option<String>| key.and_then(|key| known(&key)).map(Passphrase);
        (self.passphrase, self.ssh_passphrase) = (of(self.tls_key()), of(self.ssh_key()));
        self
    }

    /// Returns the identities of the encrypted keys of this address, for which passphrases are stored. Keys that need
    /// no passphrase or that cannot be read are omitted.
    pub fn locked_keys(&self) -> Vec<String> {
        [self.tls_key(), self.ssh_key()].into_iter().flatten().collect()
    }

    fn tls_key(&self) -> Option<String> {
        key_file::locked_key(self.tls_files().ok()?.key_path()?)
    }

    fn ssh_key(&self) -> Option<String> {
        key_file::locked_key(self.ssh_host()?.key_path()?)
    }

    /// Returns the identities of the keys of this address that a passphrase decrypts.
    ///
    /// # Errors
    /// Fails if it decrypts none of them.
    pub fn unlocked_by(&self, passphrase: &str) -> Result<Vec<String>, WarehouseError> {
        let with = self.clone().with_passphrases(|_| Some(passphrase.to_owned()));
        let files = with.tls_files().map_err(|reason| FileFault::from(reason).into_warehouse_error(self))?;
        let tried = [(self.tls_key(), files.load_client_identity().map(drop)), (self.ssh_key(), with.opens_ssh_key())];
        let locked = tried.into_iter().filter_map(|(key, opened)| Some((key?, opened)));
        let (mut opens, mut fault) = (Vec::new(), None);
        for (key, opened) in locked {
            match opened {
                Ok(()) => opens.push(key),
                Err(other) => fault = fault.or(Some(other)),
            }
        }
        match fault.filter(|_| opens.is_empty()) {
            Some(fault) => Err(fault.into_warehouse_error(self)),
            None => Ok(opens),
        }
    }

    /// Checks that the stored passphrase decrypts the key for the SSH host.
    pub(crate) fn opens_ssh_key(&self) -> Result<(), FileFault> {
        let Some(host) = self.ssh_host() else { return Ok(()) };
        host.key_path().map_or(Ok(()), |key| key_file::opens_ssh_key(key, self.ssh_passphrase.as_ref()))
    }

    /// Returns the passphrase of the key for the SSH host, if it is encrypted.
    pub(crate) fn ssh_passphrase(&self) -> Option<&Passphrase> {
        self.ssh_passphrase.as_ref()
    }
}
