//! The scope of an agent: the warehouses that the user named when starting the server.

use vitrine_domain::{AppError, ErrorCode};

/// A warehouse that the agent may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopedWarehouse {
    /// The name that the user gave, which the agent uses too.
    pub name: String,
    /// The address, which is not revealed to the agent.
    pub address: String,
}

/// The accessible warehouses, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope(Vec<ScopedWarehouse>);

impl Scope {
    /// Creates a scope of at least one warehouse, with unique names.
    ///
    /// # Errors
    /// Fails if there is none, or if two have the same name.
    pub fn new(warehouses: Vec<ScopedWarehouse>) -> Result<Self, AppError> {
        if warehouses.is_empty() {
            return Err(AppError::new(ErrorCode::Usage, "No warehouse is named, so there is nothing to serve")
                .with_hint("Name one: vitrine mcp --warehouse Sales"));
        }
        for (at, warehouse) in warehouses.iter().enumerate() {
            if warehouses[..at].iter().any(|before| before.name.eq_ignore_ascii_case(&warehouse.name)) {
                return Err(AppError::new(ErrorCode::Usage, format!("'{}' is named twice", warehouse.name))
                    .with_hint("Name each warehouse once"));
            }
        }
        Ok(Self(warehouses))
    }

    /// Returns all warehouses in scope.
    pub fn all_warehouses(&self) -> &[ScopedWarehouse] {
        &self.0
    }

    /// Returns the warehouse with this name, or the only one if no name is given.
    ///
    /// # Errors
    /// Fails if it is not in scope, or if no name is given and there are several.
    pub fn find_warehouse(&self, name: Option<&str>) -> Result<&ScopedWarehouse, AppError> {
        let names: Vec<&str> = self.0.iter().map(|warehouse| warehouse.name.as_str()).collect();
        let list = names.join(", ");
        let found = match (name, self.0.as_slice()) {
            (None, [only]) => return Ok(only),
            (None, _) => {
                return Err(AppError::new(ErrorCode::Usage, "Several warehouses can be reached, and none is named")
                    .with_hint(format!("Set `warehouse` to one of: {list}")));
            }
            (Some(name), all) => all.iter().find(|warehouse| warehouse.name.eq_ignore_ascii_case(name.trim())),
        };
        found.ok_or_else(|| {
            // The name is not repeated, because it may be an address with a password.
            AppError::new(ErrorCode::NotFound, "That warehouse cannot be reached from here").with_hint(format!(
                "Set `warehouse` to one of: {list}. The user adds others when this server is started"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_warehouses(names: &[&str]) -> Vec<ScopedWarehouse> {
        names.iter().map(|name| ScopedWarehouse { name: (*name).into(), address: format!("sqlite:/{name}") }).collect()
    }

    #[test]
    fn a_single_warehouse_need_not_be_named_and_another_is_not_reached() {
        let scope = Scope::new(build_warehouses(&["Sales"])).unwrap();
        assert_eq!(scope.find_warehouse(None).unwrap().name, "Sales");
        assert_eq!(scope.find_warehouse(Some("sales ")).unwrap().name, "Sales");
        let error = scope.find_warehouse(Some("postgresql://ann:secret@db/x")).unwrap_err();
        assert!(!error.to_string().contains("secret") && error.to_string().contains("Sales"), "{error}");
        // Nor can it be accessed by its address, which is not revealed to the agent.
        assert!(scope.find_warehouse(Some("sqlite:/Sales")).is_err());
    }

    #[test]
    fn of_several_one_has_to_be_named() {
        let scope = Scope::new(build_warehouses(&["Sales", "Stock"])).unwrap();
        assert!(scope.find_warehouse(None).unwrap_err().to_string().contains("Sales, Stock"));
        assert_eq!(scope.find_warehouse(Some("Stock")).unwrap().address, "sqlite:/Stock");
    }

    #[test]
    fn a_scope_names_something_and_nothing_twice() {
        assert!(Scope::new(Vec::new()).is_err());
        assert!(Scope::new(build_warehouses(&["a", "A"])).is_err());
    }
}
