//! The form for addresses of servers with a host, a database, a user, encryption, and an SSH host.

use super::form::{
    FieldKind, FormField, FormValues, UrlParts, collect_values, encode_part, split_url, value, with_options,
};
use crate::server::options::percent_decode;
use vitrine_words::later;

/// The values of the field for encryption; the first is the usual default of an address.
pub(crate) const PROTECTIONS: &[&str] = &["prefer", "require", "verify-full", "disable"];

/// Options that state what fields state: a form with both would contradict itself.
const STATED_BY_FIELDS: [&str; 8] = ["user", "host", "hostaddr", "port", "dbname", "socket", "password", "secure"];

pub(crate) const HOST: FormField =
    FormField::text("host", later!("Host"), "db.example.com").required(later!("Enter a host."));
pub(crate) const DATABASE: FormField = FormField::text("database", later!("Database"), "");
pub(crate) const USER: FormField = FormField::text("user", later!("User"), "");
pub(crate) const SSH: FormField = FormField::text("ssh", later!("Through SSH"), "ann@bastion.example.com");
pub(crate) const SSH_KEY: FormField =
    FormField::text("sshKey", later!("SSH key file"), "/home/ann/.ssh/id_ed25519").of_kind(FieldKind::Path);

/// Returns the field for a port, with the usual one as an example.
pub(crate) const fn port_field(usual: &'static str) -> FormField {
    FormField::text("port", later!("Port"), usual).of_kind(FieldKind::Port)
}

/// Returns the field for encryption, with the value of a new form.
pub(crate) const fn protection_field(protections: &'static [&'static str], usual: &'static str) -> FormField {
    FormField::text("protection", later!("Encryption"), "").of_kind(FieldKind::Choice(protections)).with_default(usual)
}

/// The differences between the forms of servers.
pub(crate) struct ServerForm {
    /// The schemes of addresses; they are written with the first one.
    pub(crate) schemes: &'static [&'static str],
    /// The name of the option for encryption.
    pub(crate) option: &'static str,
    /// The values of the field for encryption, each with the option's value.
    pub(crate) protections: &'static [(&'static str, &'static str)],
    /// Returns the encryption of an address without the option, from its host and port.
    pub(crate) usual_protection: fn(&str, &str) -> &'static str,
}

impl ServerForm {
    /// Reads the values; `None` for several hosts, unknown encryption, and options that fields state.
    pub(crate) fn read_address(&self, address: &str) -> Option<FormValues> {
        let parts = split_url(address, self.schemes)?;
        let (host, port) = split_place(parts.place).filter(|_| !parts.login.contains(':'))?;
        let is_mode = |name: &str| name.eq_ignore_ascii_case(self.option);
        let last = |wanted: &dyn Fn(&str) -> bool| {
            parts.options().filter(|(name, _, _)| wanted(name)).last().map(|(_, value, _)| value)
        };
        let protection = match last(&is_mode) {
            Some(mode) => self.protections.iter().find(|(_, word)| *word == mode)?.0,
            None => (self.usual_protection)(&percent_decode(host), port),
        };
        let states_field = |pair: &str| {
            STATED_BY_FIELDS.iter().any(|known| name_of(pair).is_some_and(|name| name.eq_ignore_ascii_case(known)))
        };
        if parts.options().any(|(_, _, pair)| states_field(pair)) {
            return None;
        }
        let option = |name: &str| percent_decode(last(&|known: &str| known == name).unwrap_or_default());
        let is_other = |name: &str| !is_mode(name) && name != "ssh" && name != "ssh_key";
        Some(collect_values([
            ("host", percent_decode(host)),
            ("port", port.to_owned()),
            ("database", percent_decode(parts.path)),
            ("user", percent_decode(parts.login)),
            ("protection", protection.to_owned()),
            ("ssh", option("ssh")),
            ("sshKey", option("ssh_key")),
            ("options", other_options(&parts, is_other)),
        ]))
    }

    /// Writes the address.
    pub(crate) fn write_address(&self, values: &FormValues) -> String {
        let value = |name: &str| value(values, name);
        let (host, port, ssh) = (value("host"), value("port"), value("ssh"));
        let is_bracketed = host.starts_with('[') && host.ends_with(']');
        let place = if is_bracketed { host.to_owned() } else { encode_part(host, "") };
        let place = if port.is_empty() { place } else { format!("{place}:{port}") };
        let user = Some(value("user")).filter(|user| !user.is_empty());
        let user = user.map(|user| format!("{}@", encode_part(user, ""))).unwrap_or_default();
        let usual = (self.usual_protection)(host, port);
        let protection = Some(value("protection")).filter(|chosen| !chosen.is_empty() && *chosen != usual);
        let word = protection.and_then(|chosen| self.protections.iter().find(|(known, _)| *known == chosen));
        let mut options = vec![word.map(|(_, word)| format!("{}={word}", self.option)).unwrap_or_default()];
        if !ssh.is_empty() {
            options.push(format!("ssh={}", encode_part(ssh, "@:[]")));
            // Only a connection through SSH has a key for it.
            if !value("sshKey").is_empty() {
                options.push(format!("ssh_key={}", encode_part(value("sshKey"), "/")));
            }
        }
        options.push(value("options").to_owned());
        with_options(format!("{}://{user}{place}/{}", self.schemes[0], encode_part(value("database"), "")), &options)
    }
}

/// Returns the name of an option that has a value.
fn name_of(pair: &str) -> Option<&str> {
    pair.split_once('=').map(|(name, _)| name)
}

/// Returns the options that satisfy a condition, as the address writes them.
pub(crate) fn other_options(parts: &UrlParts<'_>, is_other: impl Fn(&str) -> bool) -> String {
    let others = parts.options().filter(|(name, _, _)| is_other(name)).map(|(_, _, pair)| pair);
    others.collect::<Vec<_>>().join("&")
}

/// Splits `HOST:PORT`; `None` for several hosts.
fn split_place(place: &str) -> Option<(&str, &str)> {
    let end = place.rfind(']').map_or(0, |end| end + 1);
    let (host, port) = match place[end..].split_once(':') {
        Some((rest, port)) => (&place[..end + rest.len()], port),
        None => (place, ""),
    };
    let is_plain = !host.contains([':', ',', '[', ']']);
    let is_bracketed = host.starts_with('[') && host.ends_with(']') && !host[1..].contains('[');
    let has_port = port.chars().all(|c| c.is_ascii_digit()) && !place.ends_with(':');
    ((is_plain || is_bracketed) && has_port).then_some((host, port))
}
