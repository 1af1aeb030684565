//! Parsing of MotherDuck addresses: `motherduck://REGION/DATABASE`. The host of the PostgreSQL endpoint, as MotherDuck
//! displays it, may replace the region. The user name is always the same; the password is a token.

use crate::WarehouseKind;
use crate::engines::postgres::SCHEMES;
use crate::server::options::{host_name, percent_decode};
use crate::server::{Protection, ServerEndpoint, ServerRules};
use tokio_postgres::config::Host;
use url::Url;
use vitrine_words::tr;

/// The form of an address, for error messages.
const FORM: &str = "motherduck://REGION/DATABASE";
/// The user name for every token.
const USER: &str = "postgres";
/// The domain of the servers that receive tokens, except in tests on this computer.
const DOMAIN: &str = ".motherduck.com";
pub(super) const PORT: u16 = 5432;
/// System databases of MotherDuck and DuckDB.
const OWN: [&str; 3] = ["md_information_schema", "system", "temp"];

/// Rewrites an address of PostgreSQL that names MotherDuck's endpoint.
pub(super) fn adopt_endpoint(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    let is_postgres = SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme));
    is_postgres.then(|| of_endpoint(rest)).flatten().map(|rest| format!("{SCHEME}:{rest}"))
}

/// Converts the rest of a PostgreSQL address, after its scheme, if it names MotherDuck's endpoint. Options for
/// encryption and the prefix `md:` are removed, because both are implied.
fn of_endpoint(rest: &str) -> Option<String> {
    let mut url = Url::parse(&format!("postgresql:{rest}")).ok()?;
    if !url.host_str()?.to_ascii_lowercase().ends_with(DOMAIN) {
        return None;
    }
    let database = database_name(&url);
    url.set_path(database.strip_prefix("md:").unwrap_or(&database));
    let encrypts = |(name, value): &(String, String)| {
        name == "sslrootcert" && value == "system" || name == "sslmode" && value != "disable" && value != "allow"
    };
    let options: Vec<(String, String)> = url.query_pairs().into_owned().filter(|option| !encrypts(option)).collect();
    url.set_query(None);
    if !options.is_empty() {
        url.query_pairs_mut().extend_pairs(options);
    }
    url.as_str().strip_prefix("postgresql:").map(str::to_owned)
}

/// Returns the user name, which is fixed.
fn user_name(_: &Url) -> String {
    USER.to_owned()
}

/// Returns the name of the database.
fn database_name(url: &Url) -> String {
    percent_decode(url.path().trim_matches('/'))
}

/// Returns the host and port of the endpoint.
fn parse_endpoint(url: &Url) -> Result<ServerEndpoint, String> {
    if let Some((name, _)) = url.query_pairs().next() {
        return Err(tr!("the option {name} is not supported; write the address as {form}", name, form = FORM));
    }
    if !["", USER].contains(&percent_decode(url.username()).as_str()) {
        return Err(tr!("MotherDuck is signed in to with a token and no name: write {form}", form = FORM));
    }
    let database = database_name(url);
    if database.is_empty() {
        return Err(tr!("the database is missing: {form}", form = FORM));
    }
    if database.contains(['/', '\\', ':', '?', '\0']) {
        return Err(tr!("`{database}` is not the name of a database: write {form}", database, form = FORM));
    }
    if OWN.iter().any(|own| own.eq_ignore_ascii_case(&database)) {
        return Err(tr!("`{database}` belongs to MotherDuck and contains none of your data", database));
    }
    Ok(ServerEndpoint { host: Host::Tcp(resolve_host(url)?), address: None, port: url.port().unwrap_or(PORT) })
}

/// Returns the host of a region, or the host that the address names.
fn resolve_host(url: &Url) -> Result<String, String> {
    let named = url.host_str().filter(|name| !name.is_empty()).map(|_| host_name(url).to_ascii_lowercase());
    let named = named.ok_or_else(|| tr!("the region is missing, such as us-east-1: {form}", form = FORM))?;
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    if is_local(&named) || (named.ends_with(DOMAIN) && plain(&named)) {
        return Ok(named);
    }
    if !plain(&named) || named.contains('.') {
        return Err(tr!(
            "a region such as us-east-1 is to stand there, or a host that ends in {domain}: {form}",
            domain = DOMAIN,
            form = FORM
        ));
    }
    Ok(format!("pg.{named}-aws{DOMAIN}"))
}

fn is_local(host: &str) -> bool {
    ServerEndpoint { host: Host::Tcp(host.to_owned()), address: None, port: 0 }.is_local()
}

/// Returns the protection: encrypted and verified, except for a test server on this computer.
fn parse_protection(url: &Url) -> Protection {
    if is_local(&host_name(url)) { Protection::Disable } else { Protection::Verify }
}

/// Returns the identity of the login for which a token is stored.
fn password_binding(url: &Url) -> String {
    let place = parse_endpoint(url).map(|place| place.to_string()).unwrap_or_default();
    format!("motherduck:{USER}@{place}")
}

/// Returns the configuration for PostgreSQL's driver, without the token.
fn postgres_config(url: &Url) -> Result<tokio_postgres::Config, String> {
    let mut config = tokio_postgres::Config::new();
    let place = parse_endpoint(url)?;
    if let Host::Tcp(name) = place.host {
        config.host(name);
    }
    config.port(place.port).user(USER).dbname(database_name(url)).application_name("vitrine");
    Ok(config)
}

/// The scheme of these addresses.
pub(super) const SCHEME: &str = "motherduck";

/// The rules of MotherDuck addresses.
pub(crate) struct MotherduckRules;

impl ServerRules for MotherduckRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Motherduck
    }

    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn user_name(&self, url: &Url) -> String {
        user_name(url)
    }

    fn database_name(&self, url: &Url) -> String {
        database_name(url)
    }

    fn hosts(&self, url: &Url) -> Result<Vec<ServerEndpoint>, String> {
        parse_endpoint(url).map(|place| vec![place])
    }

    fn protection(&self, url: &Url) -> Result<Protection, String> {
        Ok(parse_protection(url))
    }

    fn password_binding(&self, url: &Url) -> String {
        password_binding(url)
    }

    fn postgres_config(&self, url: &Url) -> Result<tokio_postgres::Config, String> {
        postgres_config(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerAddress;

    fn parse_server_address(text: &str) -> ServerAddress {
        ServerAddress::parse(text).unwrap()
    }

    #[test]
    fn the_endpoint_as_motherduck_shows_it_is_an_address_of_motherduck() {
        let host = "pg.us-east-1-aws.motherduck.com";
        for text in [
            format!("postgresql://postgres:ey.J@{host}:5432/md:sales?sslmode=require"),
            format!("postgres://postgres:ey.J@{host}/sales?sslmode=verify-full&sslrootcert=system"),
            format!("POSTGRESQL://:ey.J@{host}/sales"),
        ] {
            let shown = parse_server_address(&text);
            assert_eq!(shown.kind(), crate::WarehouseKind::Motherduck, "{text}");
            assert_eq!((shown.database_name().as_str(), shown.password()), ("sales", Some("ey.J")), "{text}");
            assert!(shown.to_string().starts_with("motherduck://") && !shown.to_string().contains("ey.J"), "{shown}");
        }
        // An unencrypted connection is refused, and the endpoint's name in the path does not make another server
        // MotherDuck.
        assert!(ServerAddress::parse(&format!("postgresql://:ey@{host}/sales?sslmode=disable")).is_err());
        assert_eq!(
            parse_server_address(&format!("postgresql://ann@db.example/{host}")).kind(),
            crate::WarehouseKind::Postgres
        );
        assert_eq!(
            parse_server_address("postgresql://ann@motherduck.com.example/d").kind(),
            crate::WarehouseKind::Postgres
        );
    }

    #[test]
    fn an_address_is_written_without_its_token() {
        for (text, shown, token) in [
            ("motherduck://us-east-1/sample_data", "motherduck://us-east-1/sample_data", None),
            ("MotherDuck://postgres:ey.J-1@eu-central-1/d", "motherduck://postgres@eu-central-1/d", Some("ey.J-1")),
            ("motherduck://:ey@us-east-1/my%20data", "motherduck://us-east-1/my%20data", Some("ey")),
        ] {
            let server = parse_server_address(text);
            assert_eq!((server.to_string().as_str(), server.password()), (shown, token), "{text}");
            assert!(!format!("{server:?}").contains("ey"));
        }
    }

    #[test]
    fn a_region_stands_for_the_host_of_its_endpoint() {
        let login = |text: &str| parse_server_address(text).passfile_entries()[0].join(" ");
        let us = "pg.us-east-1-aws.motherduck.com 5432 sample_data postgres";
        assert_eq!(login("motherduck://us-east-1/sample_data"), us);
        assert_eq!(login("motherduck://PG.us-east-1-aws.MotherDuck.com:5432/sample_data/"), us);
        assert_eq!(login("motherduck://127.0.0.1:7/my%20data"), "127.0.0.1 7 my data postgres");
        let config = parse_server_address("motherduck://eu-central-1/d").postgres_config().unwrap();
        assert_eq!(config.get_hosts(), [Host::Tcp("pg.eu-central-1-aws.motherduck.com".to_owned())]);
        assert_eq!((config.get_user(), config.get_dbname()), (Some("postgres"), Some("d")));
    }

    #[test]
    fn a_token_goes_to_motherduck_alone_encrypted_and_to_a_host_that_shows_who_it_is() {
        for (text, wanted) in [
            ("motherduck://us-east-1/d", Protection::Verify),
            ("motherduck://pg.us-east-1-aws.motherduck.com/d", Protection::Verify),
            ("motherduck://127.0.0.1:7/d", Protection::Disable),
        ] {
            assert_eq!(parse_server_address(text).protection(), Ok(wanted), "{text}");
        }
        for elsewhere in [
            "motherduck://evil.example/d",
            "motherduck://motherduck.com.evil.example/d",
            "motherduck://evilmotherduck.com/d",
            "motherduck://10.0.0.1/d",
            "motherduck://us%2Eeast/d",
            "motherduck://a%2F.motherduck.com/d",
        ] {
            assert!(ServerAddress::parse(elsewhere).unwrap_err().contains("motherduck.com"), "{elsewhere}");
        }
    }

    #[test]
    fn a_token_is_bound_to_where_it_goes() {
        let binding = |text: &str| parse_server_address(text).password_binding();
        let own = binding("motherduck://us-east-1/d");
        assert_eq!(own, "motherduck:postgres@pg.us-east-1-aws.motherduck.com:5432");
        for same in ["motherduck://:word@US-EAST-1/other", "motherduck://pg.us-east-1-aws.motherduck.com/d"] {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in ["motherduck://eu-central-1/d", "motherduck://us-east-1:5433/d", "motherduck://localhost/d"] {
            assert_ne!(binding(other), own, "{other}");
        }
        assert!(!own.starts_with("postgres@"), "it is not that of a PostgreSQL server");
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("motherduck:///d").contains("region"));
        for missing in ["motherduck://us-east-1", "motherduck://us-east-1/"] {
            assert!(error(missing).contains("the database is missing"), "{missing}");
        }
        for wrong in ["motherduck://us-east-1/md:", "motherduck://us-east-1/a/b", "motherduck://us-east-1/d%3Fx=1"] {
            assert!(error(wrong).contains("not the name"), "{wrong}");
        }
        assert!(error("motherduck://us-east-1/MD_Information_Schema").contains("belongs to MotherDuck"));
        assert!(error("motherduck://us-east-1/d?sslmode=disable").contains("sslmode"));
        assert!(error("motherduck://us-east-1/d?hostaddr=6.6.6.6").contains("hostaddr"));
        assert!(error("motherduck://us-east-1/d?ssh=b").contains("ssh"));
        assert!(error("motherduck://ann@us-east-1/d").contains("token"));
        for hidden in ["12/hid@", "12?hid@", "12#hid@"] {
            let said = error(&format!("motherduck://postgres:{hidden}us-east-1/d"));
            assert!(said.contains("%2F") && !said.contains("hid"), "{said}");
        }
    }

    #[test]
    fn the_same_endpoint_has_other_databases() {
        assert_eq!(
            parse_server_address("motherduck://us-east-1/d").with_database("e").to_string(),
            "motherduck://us-east-1/e"
        );
    }
}
