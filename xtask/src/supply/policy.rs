//! `deny.toml`: what crates of others may be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::graph::{Crate, Graph};
use super::licence;
use crate::shell::{Result, read};

pub struct Policy {
    licences: BTreeSet<String>,
    /// Of single crates.
    exceptions: BTreeMap<String, BTreeSet<String>>,
    /// Versions that there may be beside another: `name@version`, of which the last parts may be missing.
    beside_another: Vec<String>,
    registries: Vec<String>,
}

impl Policy {
    pub fn read(file: &Path) -> Result<Policy> {
        Policy::parse(&read(file)?).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn parse(text: &str) -> Result<Policy> {
        let table: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
        let list = |section: &str, key: &str| {
            let value = table.get(section).and_then(|section| section.get(key));
            value.and_then(toml::Value::as_array).ok_or(format!("[{section}] has no list `{key}`"))
        };
        let mut exceptions = BTreeMap::new();
        for entry in list("licenses", "exceptions")? {
            let name = text_of(entry.get("crate"))?;
            let allowed = entry.get("allow").and_then(toml::Value::as_array);
            exceptions.insert(name, texts(allowed.ok_or("an exception without `allow`")?)?);
        }
        let mut beside_another = Vec::new();
        for entry in list("bans", "skip")? {
            text_of(entry.get("reason")).map_err(|_| "a version has no reason".to_owned())?;
            beside_another.push(text_of(entry.get("crate"))?);
        }
        Ok(Policy {
            licences: texts(list("licenses", "allow")?)?,
            exceptions,
            beside_another,
            registries: texts(list("sources", "allow-registry")?)?.into_iter().collect(),
        })
    }

    /// What is not as it should be, and what of the policy stands for nothing.
    pub fn problems(&self, graph: &Graph) -> Vec<String> {
        let mut problems = Vec::new();
        let mut used = BTreeSet::new();
        for one in graph.crates.values() {
            for name in &one.unbounded {
                problems.push(format!("{} takes any version of {name}", one.name));
            }
        }
        for one in graph.foreign() {
            self.source(one, &mut problems);
            match self.licence(one) {
                Ok(names) => used.extend(names),
                Err(problem) => problems.push(problem),
            }
        }
        self.versions(graph, &mut used, &mut problems);
        let skips = self.beside_another.iter().cloned();
        let rules =
            self.licences.iter().cloned().chain(self.exceptions.keys().cloned()).chain(skips);
        for rule in rules.filter(|rule| !used.contains(rule)) {
            problems.push(format!("deny.toml: `{rule}` stands for nothing any longer"));
        }
        problems
    }

    fn source(&self, one: &Crate, problems: &mut Vec<String>) {
        let source = one.source.as_deref().unwrap_or_default();
        let registry = source.strip_prefix("registry+").unwrap_or(source);
        if !self.registries.iter().any(|known| known == registry) {
            problems.push(format!("{} {} comes from {source}", one.name, one.version));
        } else if one.sha256.is_none() {
            problems.push(format!("{} {} has no checksum in Cargo.lock", one.name, one.version));
        }
    }

    /// The rules that it is allowed by.
    fn licence(&self, one: &Crate) -> Result<Vec<String>> {
        let expression = one.licence.as_deref().unwrap_or_default();
        if let Some(names) = licence::chosen(expression, &|name| self.licences.contains(name)) {
            return Ok(names);
        }
        let own = self.exceptions.get(&one.name);
        let is_allowed =
            |name: &str| self.licences.contains(name) || own.is_some_and(|own| own.contains(name));
        match licence::chosen(expression, &is_allowed) {
            Some(_) => Ok(vec![one.name.clone()]),
            None => Err(format!("{} {}: the licence `{expression}`", one.name, one.version)),
        }
    }

    /// Of each crate one version counts as the only one.
    fn versions(&self, graph: &Graph, used: &mut BTreeSet<String>, problems: &mut Vec<String>) {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for one in graph.foreign() {
            by_name.entry(&one.name).or_default().push(&one.version);
        }
        for (name, versions) in by_name.iter().filter(|(_, versions)| versions.len() > 1) {
            let rule_of = |version: &str| {
                let full = format!("{name}@{version}");
                let fits = |rule: &&String| {
                    let rest = full.strip_prefix(rule.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '+']))
                };
                self.beside_another.iter().find(fits)
            };
            used.extend(versions.iter().filter_map(|version| rule_of(version).cloned()));
            let left: Vec<&str> =
                versions.iter().copied().filter(|version| rule_of(version).is_none()).collect();
            if left.len() != 1 {
                problems.push(format!("{name} in versions {}", versions.join(" and ")));
            }
        }
    }
}

fn text_of(value: Option<&toml::Value>) -> Result<String> {
    value
        .and_then(toml::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| "a text is missing".to_owned())
}

fn texts(values: &[toml::Value]) -> Result<BTreeSet<String>> {
    values.iter().map(|value| text_of(Some(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
        [licenses]
        allow = ["MIT"]
        exceptions = [{ crate = "tool", allow = ["MPL-2.0"] }]
        [bans]
        skip = [{ crate = "twice@1", reason = "another needs it" }]
        [sources]
        allow-registry = ["https://example.org/index"]
    "#;

    /// A crate each of these names, versions, licences and sources.
    fn graph(crates: &[(&str, &str, &str, &str)]) -> Graph {
        let one = |&(name, version, licence, source): &(&str, &str, &str, &str)| {
            let id = format!("{name} {version}");
            let one = Crate {
                name: name.to_owned(),
                version: version.to_owned(),
                licence: Some(licence.to_owned()),
                source: Some(source.to_owned()),
                repository: None,
                folder: "".into(),
                sha256: Some("00".to_owned()),
                uses: BTreeSet::new(),
                unbounded: Vec::new(),
            };
            (id, one)
        };
        Graph { crates: crates.iter().map(one).collect() }
    }

    const HERE: &str = "registry+https://example.org/index";
    const GOOD: [(&str, &str, &str, &str); 4] = [
        ("one", "0.3.0", "GPL-3.0 OR MIT", HERE),
        ("tool", "1.0.0", "MPL-2.0", HERE),
        ("twice", "1.9.0", "MIT", HERE),
        ("twice", "2.0.0", "MIT", HERE),
    ];

    #[test]
    fn what_the_policy_says_is_accepted() {
        let policy = Policy::parse(POLICY).unwrap();
        assert_eq!(policy.problems(&graph(&GOOD)), [] as [&str; 0]);
    }

    #[test]
    fn everything_else_is_a_problem() {
        let policy = Policy::parse(POLICY).unwrap();
        for (added, problem) in [
            (("bad", "1.0.0", "GPL-3.0", HERE), "bad 1.0.0: the licence `GPL-3.0`"),
            (("none", "1.0.0", "", HERE), "none 1.0.0: the licence ``"),
            (("other", "1.0.0", "MPL-2.0", HERE), "other 1.0.0: the licence `MPL-2.0`"),
            (("far", "1.0.0", "MIT", "git+https://example.org/far"), "far 1.0.0 comes from git+"),
            (("one", "0.4.0", "MIT", HERE), "one in versions 0.3.0 and 0.4.0"),
            // `twice@1` is not 10.
            (("twice", "10.0.0", "MIT", HERE), "twice in versions 1.9.0 and 10.0.0 and 2.0.0"),
        ] {
            let problems = policy.problems(&graph(&[&GOOD[..], &[added]].concat()));
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].starts_with(problem), "{problems:?}");
        }
        let mut lost = graph(&GOOD);
        lost.crates.get_mut("one 0.3.0").unwrap().sha256 = None;
        lost.crates.get_mut("tool 1.0.0").unwrap().unbounded.push("one".to_owned());
        assert_eq!(
            policy.problems(&lost),
            ["tool takes any version of one", "one 0.3.0 has no checksum in Cargo.lock"]
        );
    }

    #[test]
    fn rules_that_stand_for_nothing_are_problems() {
        let policy = Policy::parse(POLICY).unwrap();
        let gone = |name: &str| format!("deny.toml: `{name}` stands for nothing any longer");
        assert_eq!(policy.problems(&graph(&GOOD[..1])), [gone("tool"), gone("twice@1")]);
        assert_eq!(policy.problems(&graph(&GOOD[1..2])), [gone("MIT"), gone("twice@1")]);
    }

    #[test]
    fn what_is_beside_another_has_a_reason() {
        let without = POLICY.replace(", reason = \"another needs it\"", "");
        assert!(Policy::parse(&without).is_err_and(|error| error.contains("has no reason")));
    }
}
