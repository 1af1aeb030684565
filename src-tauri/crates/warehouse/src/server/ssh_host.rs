//! The host through which a connection is tunnelled by SSH: `ssh=USER@HOST:PORT`, or a name in the user's
//! `~/.ssh/config`.

use super::options::take_option;
use std::fmt;
use std::net::Ipv6Addr;
use std::path::{Path, PathBuf};
use url::Url;
use vitrine_words::tr;

/// The name of the option, and that of the option for the key file.
const OPTION: &str = "ssh";
const KEY: &str = "ssh_key";

/// An SSH host. None of its parts can be parsed as an option of a program or as more than one word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SshHost {
    user: Option<String>,
    /// A host name, an IP address (IPv6 without brackets), or a name in `~/.ssh/config`.
    host: String,
    port: Option<u16>,
    /// The key file; with `None`, OpenSSH selects the key.
    key: Option<PathBuf>,
}

impl SshHost {
    /// Removes the options from a URL and parses them.
    ///
    /// # Errors
    /// Fails if the host is invalid. The error does not repeat it, because it may contain a password by mistake.
    pub(crate) fn take_from_url(url: &mut Url) -> Result<Option<Self>, String> {
        let text = take_option(url, OPTION).filter(|text| !text.is_empty());
        let key = take_option(url, KEY).filter(|text| !text.is_empty()).map(PathBuf::from);
        let Some(text) = text else {
            return match key {
                Some(_) => Err(tr!("{key} is the key of a machine that {option}= names", key = KEY, option = OPTION)),
                None => Ok(None),
            };
        };
        // The path is enclosed in quotes in the options of `ssh`.
        let is_path =
            |key: &PathBuf| key.is_absolute() && !key.to_string_lossy().contains(['"', '\\', '$', '\n', '\r', '\0']);
        if !key.as_ref().is_none_or(is_path) {
            return Err(tr!("{key} is to be the whole path of a file", key = KEY));
        }
        let wrong = || {
            tr!(
                "the value of ssh= must be USER@HOST, USER@HOST:PORT, or a name of ~/.ssh/config, with letters, digits and . _ -"
            )
        };
        Self::parse(&text).map(|host| Some(Self { key, ..host })).ok_or_else(wrong)
    }

    fn parse(text: &str) -> Option<Self> {
        let (user, place) = match text.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, text),
        };
        let (host, port) = match place.strip_prefix('[') {
            Some(rest) => {
                let (address, rest) = rest.split_once(']')?;
                address.parse::<Ipv6Addr>().ok()?;
                (address, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
            }
            None => match place.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (place, None),
            },
        };
        let port = match port {
            Some(port) => Some(port.parse::<u16>().ok().filter(|port| *port > 0)?),
            None => None,
        };
        // On some bastion hosts the user name contains a second @ with the user of the next host.
        let is_user = user.is_none_or(|user| is_word(user, "._-+@"));
        let is_host = host.contains(':') || is_word(host, "._-");
        (is_user && is_host).then(|| Self { user: user.map(str::to_owned), host: host.to_owned(), port, key: None })
    }

    /// Returns the host without user and port.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the destination argument of `ssh`.
    pub(crate) fn destination(&self) -> String {
        match &self.user {
            Some(user) => format!("{user}@{}", self.host),
            None => self.host.clone(),
        }
    }

    /// Returns the key file that the address names.
    pub(crate) fn key_path(&self) -> Option<&Path> {
        self.key.as_deref()
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the command that signs in to the host in a terminal.
    pub(crate) fn login_command(&self) -> String {
        let port = self.port.map(|port| format!("-p {port} ")).unwrap_or_default();
        let key = self.key.as_ref().map(|key| format!("-i '{}' ", key.display())).unwrap_or_default();
        format!("ssh {key}{port}{}", self.destination())
    }

    /// Returns the name of the host in a known_hosts file.
    pub(crate) fn known_as(&self) -> String {
        match self.port {
            Some(port) if port != 22 => format!("[{}]:{port}", self.host),
            _ => self.host.clone(),
        }
    }
}

impl fmt::Display for SshHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        if self.host.contains(':') {
            write!(f, "[{}]", self.host)?
        } else {
            f.write_str(&self.host)?
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// Returns true if a text consists of letters, digits and these characters and does not begin like an option.
pub(super) fn is_word(text: &str, signs: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|first| first.is_alphanumeric() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || signs.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerAddress;

    #[test]
    fn a_machine_is_named_as_ssh_names_it() {
        for (text, destination, command, known_as) in [
            ("bastion", "bastion", "ssh bastion", "bastion"),
            ("ann@bastion.example", "ann@bastion.example", "ssh ann@bastion.example", "bastion.example"),
            ("ann@10.0.0.1:2222", "ann@10.0.0.1", "ssh -p 2222 ann@10.0.0.1", "[10.0.0.1]:2222"),
            ("ann@[::1]:22", "ann@::1", "ssh -p 22 ann@::1", "::1"),
            ("ann@corp@jump", "ann@corp@jump", "ssh ann@corp@jump", "jump"),
        ] {
            let host = SshHost::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(host.to_string(), text);
            assert_eq!((host.destination().as_str(), host.login_command().as_str()), (destination, command));
            assert_eq!(host.known_as(), known_as);
        }
    }

    #[test]
    fn a_key_is_named_by_the_path_of_its_file() {
        let of = |options: &str| ServerAddress::parse(&format!("postgresql://ann@db/shop?{options}"));
        let host = of("ssh=office&ssh_key=/keys/my%20key").unwrap().ssh_host().unwrap();
        assert_eq!(host.key_path(), Some(Path::new("/keys/my key")));
        assert_eq!(host.login_command(), "ssh -i '/keys/my key' office");
        assert_eq!(of("ssh=office").unwrap().ssh_host().unwrap().key_path(), None);
        for (options, why) in [
            ("ssh_key=/keys/a", "a machine that ssh= names"),
            ("ssh=office&ssh_key=keys/a", "whole path"),
            ("ssh=office&ssh_key=/keys/%22%0a", "whole path"),
        ] {
            assert!(of(options).unwrap_err().contains(why), "{options}");
        }
        assert!(ServerAddress::parse("mysql://ann@db/shop?ssh=office&ssh_key=/keys/a").is_ok());
    }

    #[test]
    fn what_could_be_an_option_or_a_command_names_no_machine() {
        for text in [
            "-oProxyCommand=touch x",
            "-oProxyCommand",
            "ann@-oProxyCommand",
            "-l@bastion",
            "bastion;id",
            "bastion id",
            "$(id)@bastion",
            "`id`@bastion",
            "ann@bastion:2222:x",
            "ann@bastion:0",
            "ann@bastion:22x",
            "ann@bastion:70000",
            "ann@",
            "@bastion",
            "ann@[::1",
            "ann@[bastion]",
            "ann@bastion\n-oX",
            "ssh://ann@bastion",
            "ann@b%h",
            "a/b",
        ] {
            assert_eq!(SshHost::parse(text), None, "{text}");
            let encoded: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
            let error = ServerAddress::parse(&format!("postgresql://ann@db/shop?ssh={}", encoded.replace('+', "%20")));
            assert!(error.unwrap_err().contains("~/.ssh/config"), "{text}");
        }
    }
}
