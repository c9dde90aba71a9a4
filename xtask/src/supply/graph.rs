//! Crates and what they depend on, as cargo says it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::shell::{self, Result, cargo, read, root};

/// A version of a crate.
pub struct Crate {
    pub name: String,
    pub version: String,
    /// An expression of SPDX.
    pub licence: Option<String>,
    /// Where it comes from; `None` is this repository.
    pub source: Option<String>,
    pub repository: Option<String>,
    pub folder: PathBuf,
    /// Of the archive that it comes in, in hexadecimal.
    pub sha256: Option<String>,
    /// What it depends on, but for tests: ids.
    pub uses: BTreeSet<String>,
    /// Requirements that any version meets.
    pub unbounded: Vec<String>,
}

pub struct Graph {
    /// By cargo's id of the package, in its order.
    pub crates: BTreeMap<String, Crate>,
}

impl Graph {
    /// For all platforms and features.
    pub fn of_all() -> Result<Graph> {
        Graph::of(&["--all-features"])
    }

    /// For the platform that this runs on.
    pub fn of_host() -> Result<Graph> {
        let says = shell::output(std::process::Command::new("rustc").arg("-vV"))?;
        let host = says.lines().find_map(|line| line.strip_prefix("host: "));
        Graph::of(&["--filter-platform", host.ok_or("rustc does not say its host")?])
    }

    fn of(arguments: &[&str]) -> Result<Graph> {
        let mut metadata = cargo();
        metadata.args(["metadata", "--locked", "--format-version=1"]).args(arguments);
        Graph::from(&shell::output(&mut metadata)?, &read(&root().join("Cargo.lock"))?)
    }

    /// Of what `cargo metadata` writes, and the text of `Cargo.lock`.
    pub fn from(metadata: &str, lock: &str) -> Result<Graph> {
        let metadata: Value = serde_json::from_str(metadata).map_err(|error| error.to_string())?;
        let checksums = checksums(lock)?;
        let mut uses = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            uses.insert(text(&node["id"])?, uses_of(node)?);
        }
        let mut crates = BTreeMap::new();
        for package in list(&metadata["packages"]) {
            let id = text(&package["id"])?;
            // What only another platform has is not in the graph.
            let Some(uses) = uses.remove(&id) else { continue };
            let (name, version) = (text(&package["name"])?, text(&package["version"])?);
            let optional = |key: &str| package[key].as_str().map(str::to_owned);
            let manifest = PathBuf::from(text(&package["manifest_path"])?);
            let unbounded = list(&package["dependencies"])
                .filter(|dependency| dependency["req"] == "*" && dependency["path"].is_null())
                .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned));
            let entry = Crate {
                licence: optional("license"),
                source: optional("source"),
                repository: optional("repository"),
                folder: manifest.parent().unwrap_or(&manifest).to_owned(),
                sha256: checksums.get(&(name.clone(), version.clone())).cloned(),
                unbounded: unbounded.collect(),
                uses,
                name,
                version,
            };
            crates.insert(id, entry);
        }
        Ok(Graph { crates })
    }

    /// What comes from others.
    pub fn foreign(&self) -> impl Iterator<Item = &Crate> {
        self.crates.values().filter(|one| one.source.is_some())
    }

    /// The crates of these names in the repository, and all that they use: ids.
    pub fn reached(&self, names: &[&str]) -> BTreeSet<&str> {
        let is_wanted = |one: &Crate| one.source.is_none() && names.contains(&one.name.as_str());
        let wanted = self.crates.iter().filter(|(_, one)| is_wanted(one));
        let mut open: Vec<&str> = wanted.map(|(id, _)| id.as_str()).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                let uses = self.crates.get(id).map(|one| &one.uses);
                open.extend(uses.into_iter().flatten().map(String::as_str));
            }
        }
        reached
    }
}

/// What ends up in programs: not what tests use, or build scripts.
fn uses_of(node: &Value) -> Result<BTreeSet<String>> {
    let is_linked =
        |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
    list(&node["deps"]).filter(is_linked).map(|dependency| text(&dependency["pkg"])).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> Result<String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("{value} is no text in cargo's metadata"))
}

/// Of names and versions.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = toml::from_str(lock).map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let entry = |package: &toml::Value| {
        let get = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
        Some(((get("name")?, get("version")?), get("checksum")?))
    };
    Ok(packages.filter_map(entry).collect())
}
