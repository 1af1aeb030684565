//! The keys that an address signs in with, to the server and to a machine between, and what opens them.

use super::ServerAddress;
use super::key_file::{self, FileFault, Passphrase};
use crate::WarehouseError;

impl ServerAddress {
    /// The same address with what opens its keys, each by what it is known by.
    pub fn with_passphrases(mut self, known: impl Fn(&str) -> Option<String>) -> Self {
        let of = |key: Option<String>| key.and_then(|key| known(&key)).map(Passphrase);
        (self.passphrase, self.ssh_passphrase) = (of(self.tls_key()), of(self.ssh_key()));
        self
    }

    /// What passphrases for this address belong to: the files of its keys, and what is in each. None for a key that needs none, or
    /// that cannot be read.
    pub fn locked_keys(&self) -> Vec<String> {
        [self.tls_key(), self.ssh_key()].into_iter().flatten().collect()
    }

    fn tls_key(&self) -> Option<String> {
        key_file::locked_key(self.tls_files().ok()?.key_path()?)
    }

    fn ssh_key(&self) -> Option<String> {
        key_file::locked_key(self.ssh_host()?.key_path()?)
    }

    /// The keys of this address that a passphrase opens, by what each is known by.
    ///
    /// # Errors
    /// When it opens none.
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

    /// Whether what this address has opens the key of the machine between.
    pub(crate) fn opens_ssh_key(&self) -> Result<(), FileFault> {
        let Some(host) = self.ssh_host() else { return Ok(()) };
        host.key_path().map_or(Ok(()), |key| key_file::opens_ssh_key(key, self.ssh_passphrase.as_ref()))
    }

    /// What opens that key, where it is locked.
    pub(crate) fn ssh_passphrase(&self) -> Option<&Passphrase> {
        self.ssh_passphrase.as_ref()
    }
}
