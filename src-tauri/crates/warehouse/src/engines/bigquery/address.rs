//! Addresses of BigQuery: `bigquery://PROJECT/DATASET?location=EU&billing_project=P`, or with several datasets
//! `bigquery://PROJECT?datasets=A,B`. They contain no secret: a key file is named by its path.

use crate::server::percent_decode;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use url::{Host, Url};
use vitrine_words::tr;

/// The scheme of these addresses.
pub(crate) const SCHEME: &str = "bigquery";
/// All known options of an address.
const OPTIONS: [&str; 9] = [
    "billing_project",
    "client_file",
    "client_id",
    "datasets",
    "endpoint",
    "impersonate",
    "key_file",
    "location",
    "maximum_bytes_billed",
];

/// A project of BigQuery, one dataset of it, or several.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProjectAddress {
    project: String,
    dataset: Option<String>,
    /// Several datasets in place of one, sorted; empty for all.
    datasets: Vec<String>,
    location: Option<String>,
    billing_project: Option<String>,
    key_file: Option<PathBuf>,
    client: Option<ClientPlace>,
    impersonate: Option<String>,
    endpoint: Option<Url>,
    billed_bytes: Option<u64>,
}

/// The location of the OAuth client for a sign-in in the browser. Google requires a client for every program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ClientPlace {
    /// Only the client's id; its secret, if it has one, is in the keychain.
    Id(String),
    /// The file that Google's console provides.
    File(PathBuf),
}

impl ProjectAddress {
    /// Parses an address. The error names the problem and never repeats the address.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong_start = || tr!("it must begin with {start}", start = format!("{SCHEME}://"));
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong_start)?;
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return Err(wrong_start());
        }
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        if place.contains('@') || rest.contains('#') {
            return Err(tr!("it has no user: the sign-in comes from a key file or from gcloud"));
        }
        let mut parts = place.split('/').map(percent_decode);
        let project = parts.next().filter(|part| !part.is_empty()).ok_or_else(|| tr!("the project is missing"))?;
        let dataset = parts.next().filter(|part| !part.is_empty());
        if parts.any(|part| !part.is_empty()) {
            return Err(tr!("write {form}", form = format!("{SCHEME}://PROJECT/DATASET")));
        }
        let mut address = Self {
            project: validate_name("project", project)?,
            dataset: dataset.map(dataset_named).transpose()?,
            datasets: Vec::new(),
            location: None,
            billing_project: None,
            key_file: None,
            client: None,
            impersonate: None,
            endpoint: None,
            billed_bytes: None,
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            address.set_option(&percent_decode(name), percent_decode(value))?;
        }
        if address.dataset.is_some() && !address.datasets.is_empty() {
            return Err(tr!("name the dataset in the path, or several with the option datasets"));
        }
        if address.client.is_some() && address.key_file.is_some() {
            return Err(tr!("a key file signs in alone: remove either key_file or the client"));
        }
        Ok(address)
    }

    fn set_option(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "billing_project" => self.billing_project = Some(validate_name(name, value)?),
            "datasets" => self.datasets = parse_datasets(&value)?,
            "location" => self.location = Some(validate_name(name, value)?),
            "key_file" if Path::new(&value).is_absolute() => self.key_file = Some(value.into()),
            "key_file" => return Err(tr!("{key} is to be the whole path of a file", key = "key_file")),
            "client_id" | "client_file" if self.client.is_some() => {
                return Err(tr!("one client signs in: name client_id or client_file"));
            }
            "client_id" => self.client = Some(ClientPlace::Id(validate_name(name, value)?)),
            "client_file" if Path::new(&value).is_absolute() => self.client = Some(ClientPlace::File(value.into())),
            "client_file" => return Err(tr!("{key} is to be the whole path of a file", key = "client_file")),
            "impersonate" => self.impersonate = Some(service_account(value)?),
            "endpoint" => self.endpoint = Some(parse_endpoint(&value)?),
            "maximum_bytes_billed" => match value.parse() {
                Ok(bytes) if bytes > 0 => self.billed_bytes = Some(bytes),
                _ => return Err(tr!("maximum_bytes_billed is to be a number of bytes")),
            },
            other => {
                return Err(tr!(
                    "unknown option {name}; known options are {known}",
                    name = other,
                    known = OPTIONS.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Returns the project that contains the data.
    pub fn project(&self) -> &str {
        &self.project
    }

    /// Returns the dataset, or `None` for the whole project.
    pub fn dataset(&self) -> Option<&str> {
        self.dataset.as_deref()
    }

    /// Returns the datasets that the address names; empty for the whole project.
    pub(crate) fn named_datasets(&self) -> &[String] {
        match &self.dataset {
            Some(dataset) => std::slice::from_ref(dataset),
            None => &self.datasets,
        }
    }

    /// Returns the location where queries run, e.g. `EU`; with `None`, BigQuery determines it.
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns the project in which queries run and to which they are billed.
    pub fn billing_project(&self) -> &str {
        self.billing_project.as_deref().unwrap_or(&self.project)
    }

    /// Returns the path of a service account's key file.
    pub fn key_file(&self) -> Option<&Path> {
        self.key_file.as_deref()
    }

    /// Returns the client of a sign-in in the browser.
    pub(crate) fn oauth_client(&self) -> Option<&ClientPlace> {
        self.client.as_ref()
    }

    /// Returns true if the user signs in through the browser.
    pub fn signs_in_by_browser(&self) -> bool {
        self.client.is_some()
    }

    /// Returns the service account that the sign-in impersonates.
    pub fn impersonated_account(&self) -> Option<&str> {
        self.impersonate.as_deref()
    }

    /// Returns the maximum bytes that one query may be billed for, if the address contains a limit.
    pub fn billed_bytes(&self) -> Option<u64> {
        self.billed_bytes
    }

    /// Returns the URL of an emulator on this computer that replaces Google.
    pub(crate) fn emulator_endpoint(&self) -> Option<&Url> {
        self.endpoint.as_ref()
    }

    /// Returns the same project with another dataset.
    pub(crate) fn with_dataset(&self, name: &str) -> Self {
        Self { dataset: Some(name.to_owned()), datasets: Vec::new(), ..self.clone() }
    }

    /// Returns the address of these datasets, each `PROJECT.DATASET` or a dataset of this project, with the same login
    /// and billing; `None` without a dataset and for datasets of several projects.
    pub(crate) fn with_schemas(&self, schemas: &[String]) -> Option<Self> {
        let parts = |name: &String| match name.rsplit_once('.') {
            Some((project, dataset)) => (project.to_owned(), dataset.to_owned()),
            None => (self.project.clone(), name.clone()),
        };
        let mut named: Vec<(String, String)> = schemas.iter().map(parts).collect();
        named.sort();
        named.dedup();
        let project = named.first()?.0.clone();
        if named.iter().any(|(other, _)| *other != project) {
            return None;
        }
        let mut datasets: Vec<String> = named.into_iter().map(|(_, dataset)| dataset).collect();
        let dataset = if datasets.len() == 1 { datasets.pop() } else { None };
        let billing_project = Some(self.billing_project().to_owned()).filter(|billed| *billed != project);
        // Another project's data may be elsewhere; BigQuery then determines the location.
        let location = self.location.clone().filter(|_| project == self.project);
        Some(Self { project, dataset, datasets, location, billing_project, ..self.clone() })
    }

    /// Returns the title that is shown for this database.
    pub fn title(&self) -> &str {
        self.dataset().unwrap_or(&self.project)
    }
}

impl fmt::Display for ProjectAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}://{}", self.project)?;
        if let Some(dataset) = &self.dataset {
            write!(f, "/{dataset}")?;
        }
        let path = |path: &Path| path.display().to_string();
        let (client_id, client_file) = match &self.client {
            Some(ClientPlace::Id(id)) => (Some(id.clone()), None),
            Some(ClientPlace::File(file)) => (None, Some(path(file))),
            None => (None, None),
        };
        let options = [
            ("billing_project", self.billing_project.clone()),
            ("client_file", client_file),
            ("client_id", client_id),
            ("datasets", Some(self.datasets.join(",")).filter(|names| !names.is_empty())),
            ("endpoint", self.endpoint.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned())),
            ("impersonate", self.impersonate.clone()),
            ("key_file", self.key_file.as_deref().map(path)),
            ("location", self.location.clone()),
            ("maximum_bytes_billed", self.billed_bytes.map(|bytes| bytes.to_string())),
        ];
        let mut mark = '?';
        for (name, value) in options {
            if let Some(value) = value {
                write!(f, "{mark}{name}={}", percent_encode(&value))?;
                mark = '&';
            }
        }
        Ok(())
    }
}

/// Validates a project (`my-project`, `example.com:my-project`) or a location.
fn validate_name(what: &str, text: String) -> Result<String, String> {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
    if !text.is_empty() && text.len() <= 100 && text.chars().all(known) {
        return Ok(text);
    }
    Err(tr!("the {what} contains invalid characters", what = what.replace('_', " ")))
}

/// Validates the address of a service account, such as `reader@project.iam.gserviceaccount.com`, which becomes part of
/// a URL path.
pub(super) fn service_account(text: String) -> Result<String, String> {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match text.split_once('@') {
        Some((name, place))
            if !name.is_empty()
                && place.contains('.')
                && text.len() <= 200
                && (name.chars().chain(place.chars())).all(known) =>
        {
            Ok(text)
        }
        _ => Err(tr!("impersonate is to be the address of a service account: NAME@PROJECT.iam.gserviceaccount.com")),
    }
}

fn dataset_named(text: String) -> Result<String, String> {
    match text.chars().all(|c| c.is_alphanumeric() || c == '_') && text.len() <= 1024 {
        true => Ok(text),
        false => Err(tr!("the dataset contains invalid characters")),
    }
}

/// Parses the names of several datasets, separated by commas.
fn parse_datasets(text: &str) -> Result<Vec<String>, String> {
    let mut names = text.split(',').map(|name| dataset_named(name.trim().to_owned())).collect::<Result<Vec<_>, _>>()?;
    names.sort();
    names.dedup();
    if names.iter().any(String::is_empty) { Err(tr!("the dataset contains invalid characters")) } else { Ok(names) }
}

/// Parses the address of an emulator. It must be on this computer, because an endpoint elsewhere would receive the
/// queries and could answer them arbitrarily.
fn parse_endpoint(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| tr!("endpoint is not a URL: {error}", error))?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    };
    let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    if url.scheme() == "http" && is_here && plain {
        return Ok(url);
    }
    Err(tr!("endpoint is for emulators on this computer alone: http://localhost:PORT"))
}

fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'@' | b',' => {
                out.push(byte.into())
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_it_is_read() {
        for text in [
            "bigquery://my-project",
            "bigquery://my-project/sales",
            "bigquery://example.com:old/sales?billing_project=pays&location=EU",
            "bigquery://p/d?key_file=/home/ann/my%20key.json&maximum_bytes_billed=1000000",
            "bigquery://p/d?client_id=1-a.apps.googleusercontent.com&impersonate=reader@p.iam.gserviceaccount.com",
            "bigquery://p/d?client_file=/home/ann/client.json",
            "bigquery://p/d?endpoint=http://127.0.0.1:9050",
            "bigquery://p?datasets=a,b_c&location=EU",
        ] {
            assert_eq!(ProjectAddress::parse(text).unwrap().to_string(), text);
        }
        let address = ProjectAddress::parse("BigQuery://p/?location=EU").unwrap();
        assert_eq!((address.project(), address.dataset(), address.billing_project()), ("p", None, "p"));
    }

    #[test]
    fn what_is_not_understood_is_refused_and_not_repeated() {
        for (text, reason) in [
            ("bigquery:p/d", "begin with"),
            ("bigquery://", "project is missing"),
            ("bigquery://ann:hidden@p/d", "no user"),
            ("bigquery://p/d/t", "PROJECT/DATASET"),
            ("bigquery://p/my-data", "dataset"),
            ("bigquery://p p/d", "project"),
            ("bigquery://p/d?token=hidden", "token"),
            ("bigquery://p/d?key_file=key.json", "whole path"),
            ("bigquery://p/d?client_file=client.json", "whole path"),
            ("bigquery://p/d?client_id=a&client_file=/c.json", "one client"),
            ("bigquery://p/d?client_id=a&key_file=/k.json", "signs in alone"),
            ("bigquery://p/d?client_secret=hidden", "unknown option client_secret"),
            ("bigquery://p/d?impersonate=hidden", "service account"),
            ("bigquery://p/d?impersonate=hidden@p.example/../x", "service account"),
            ("bigquery://p/d?maximum_bytes_billed=0", "number of bytes"),
            ("bigquery://p/d?datasets=a,b", "several"),
            ("bigquery://p?datasets=a,,b", "dataset"),
        ] {
            let error = ProjectAddress::parse(text).unwrap_err();
            assert!(error.contains(reason) && !error.contains("hidden"), "{text}: {error}");
        }
    }

    #[test]
    fn one_login_reads_the_datasets_of_another_project() {
        let own = ProjectAddress::parse("bigquery://pays?location=EU&key_file=/k.json").unwrap();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let at = |schemas: &[&str]| own.with_schemas(&names(schemas)).map(|address| address.to_string());
        assert_eq!(
            at(&["public-data.ga4", "public-data.ads"]).unwrap(),
            "bigquery://public-data?billing_project=pays&datasets=ads,ga4&key_file=/k.json"
        );
        assert_eq!(at(&["shop"]).unwrap(), "bigquery://pays/shop?key_file=/k.json&location=EU");
        assert_eq!((at(&[]), at(&["a.x", "b.x"])), (None, None));
    }

    #[test]
    fn an_endpoint_is_on_this_machine() {
        let parse = |endpoint: &str| ProjectAddress::parse(&format!("bigquery://p/d?endpoint={endpoint}"));
        for good in ["http://localhost:9050", "http://127.0.0.1:1", "http://[::1]:1/"] {
            assert!(parse(good).is_ok(), "{good}");
        }
        for bad in [
            "http://example.com",
            "http://10.0.0.1:9050",
            "http://localhost.example.com",
            "http://127.0.0.1@example.com",
            "http://0.0.0.0:9050",
            "ftp://localhost",
            "file:///etc",
            "localhost:9050",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
