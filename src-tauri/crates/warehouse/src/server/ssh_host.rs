//! The machine that a connection goes through, by SSH: `ssh=USER@HOST:PORT`, or a name of the user's `~/.ssh/config`.

use super::options::take_option;
use std::fmt;
use std::net::Ipv6Addr;
use std::path::{Path, PathBuf};
use url::Url;
use vitrine_words::tr;

/// The option's name, and that of the file of the key that signs in there.
const OPTION: &str = "ssh";
const KEY: &str = "ssh_key";

/// A machine that is signed in to by SSH. None of its parts can be taken for an option of a program, or for more than one word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SshHost {
    user: Option<String>,
    /// A name, an address, or a name of `~/.ssh/config`; an address of version 6 without its brackets.
    host: String,
    port: Option<u16>,
    /// Where the user names one; else OpenSSH knows which.
    key: Option<PathBuf>,
}

impl SshHost {
    /// Takes the options out of a URL.
    ///
    /// # Errors
    /// When it names no machine. It is not repeated: a password may stand there by mistake.
    pub(super) fn take_from_url(url: &mut Url) -> Result<Option<Self>, String> {
        let text = take_option(url, OPTION).filter(|text| !text.is_empty());
        let key = take_option(url, KEY).filter(|text| !text.is_empty()).map(PathBuf::from);
        let Some(text) = text else {
            return match key {
                Some(_) => Err(tr!("{key} is the key of a machine that {option}= names", key = KEY, option = OPTION)),
                None => Ok(None),
            };
        };
        // Its letters stand between quotes where ssh is told of it.
        let is_path =
            |key: &PathBuf| key.is_absolute() && !key.to_string_lossy().contains(['"', '\\', '$', '\n', '\r', '\0']);
        if !key.as_ref().is_none_or(is_path) {
            return Err(tr!("{key} is to be the whole path of a file", key = KEY));
        }
        let wrong = || {
            tr!(
                "what stands after ssh= is to be USER@HOST, USER@HOST:PORT, or a name of ~/.ssh/config; letters, digits and . _ - are known there"
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
        // Some bastions take another @ for whom to sign in as further on.
        let is_user = user.is_none_or(|user| is_word(user, "._-+@"));
        let is_host = host.contains(':') || is_word(host, "._-");
        (is_user && is_host).then(|| Self { user: user.map(str::to_owned), host: host.to_owned(), port, key: None })
    }

    /// The host alone.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// What `ssh` is told behind all of its options.
    pub(crate) fn destination(&self) -> String {
        match &self.user {
            Some(user) => format!("{user}@{}", self.host),
            None => self.host.clone(),
        }
    }

    /// The file of the key that the address names.
    pub(crate) fn key_path(&self) -> Option<&Path> {
        self.key.as_deref()
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }

    /// The line that signs in there by hand.
    pub(crate) fn login_command(&self) -> String {
        let port = self.port.map(|port| format!("-p {port} ")).unwrap_or_default();
        let key = self.key.as_ref().map(|key| format!("-i '{}' ", key.display())).unwrap_or_default();
        format!("ssh {key}{port}{}", self.destination())
    }

    /// As a file of known hosts names it.
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

/// Whether a text is letters, digits and these signs, and no option.
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
