//! The bill of materials, in the form of CycloneDX 1.6: the crates that are linked into what is given away, and the
//! sources in other languages that come in them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::SHIPPED;
use super::graph::{Crate, Graph};
use crate::shell::{Result, read};

/// Sources of other projects in crates.
struct Bundled {
    name: &'static str,
    licence: &'static str,
    repository: &'static str,
    within: &'static str,
    /// The file of the crate that says the version, and what stands before and behind it there.
    version: (&'static str, &'static str, &'static str),
}

const BUNDLED: &[Bundled] = &[
    Bundled {
        name: "SPIRV-Tools",
        licence: "Apache-2.0",
        repository: "https://github.com/KhronosGroup/SPIRV-Tools",
        within: "spirv-tools-sys",
        version: ("generated/build-version.inc", "\"v", "\""),
    },
    Bundled {
        name: "mimalloc",
        licence: "MIT",
        repository: "https://github.com/microsoft/mimalloc",
        within: "libmimalloc-sys",
        version: ("c_src/mimalloc/v2/include/mimalloc.h", "#define MI_MALLOC_VERSION ", " "),
    },
];

/// The same crates make the same text: it has no time and no number of its own.
pub fn bill(graph: &Graph) -> Result<String> {
    let reached = graph.reached(&SHIPPED);
    let get =
        |id: &str| graph.crates.get(id).ok_or_else(|| format!("cargo does not describe {id}"));
    let mut components = Vec::new();
    let mut dependencies = vec![json!({
        "ref": "clc",
        "dependsOn": SHIPPED.map(|name| format!("pkg:cargo/{name}@{}", env!("CARGO_PKG_VERSION"))),
    })];
    for id in &reached {
        let one = get(id)?;
        let bundled: Vec<&Bundled> =
            BUNDLED.iter().filter(|bundled| bundled.within == one.name).collect();
        components.push(component(one)?);
        let mut uses = BTreeSet::new();
        for id in &one.uses {
            uses.insert(purl(get(id)?));
        }
        for bundled in bundled {
            let component = bundled.component(one)?;
            uses.insert(component["bom-ref"].as_str().unwrap_or_default().to_owned());
            components.push(component);
        }
        dependencies.push(json!({ "ref": purl(one), "dependsOn": uses }));
    }
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": "clc",
            "name": "clc",
            "version": env!("CARGO_PKG_VERSION"),
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        } },
        "components": components,
        "dependencies": dependencies,
    });
    serde_json::to_string_pretty(&bill).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// A package's address, by <https://github.com/package-url/purl-spec>.
fn purl(one: &Crate) -> String {
    format!("pkg:cargo/{}@{}", one.name, one.version.replace('+', "%2B"))
}

fn component(one: &Crate) -> Result<Value> {
    let expression = one.licence.as_deref().ok_or(format!("{} has no licence", one.name))?;
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(one),
        "name": one.name,
        "version": one.version,
        "purl": purl(one),
        "licenses": [{ "expression": expression.replace('/', " OR ") }],
    });
    if let Some(sha256) = &one.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sha256 }]);
    }
    if let Some(url) = &one.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": url }]);
    }
    Ok(component)
}

impl Bundled {
    fn component(&self, within: &Crate) -> Result<Value> {
        let (file, begin, end) = self.version;
        let file = within.folder.join(file);
        let text = read(&file)?;
        let version = text.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
        let (version, _) = version.ok_or(format!("{} says no version", file.display()))?;
        Ok(json!({
            "type": "library",
            "bom-ref": format!("{}#{}", purl(within), self.name),
            "name": self.name,
            "version": version,
            "licenses": [{ "expression": self.licence }],
            "externalReferences": [{ "type": "vcs", "url": self.repository }],
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_named_is_there_once() {
        let graph = Graph::of_host().unwrap();
        let text = bill(&graph).unwrap();
        assert_eq!(text, bill(&graph).unwrap());
        let bill: Value = serde_json::from_str(&text).unwrap();
        let components = bill["components"].as_array().unwrap();
        let names: Vec<&str> = components.iter().map(|one| one["name"].as_str().unwrap()).collect();
        let refs: BTreeSet<&str> =
            components.iter().map(|one| one["bom-ref"].as_str().unwrap()).chain(["clc"]).collect();
        assert_eq!(refs.len(), components.len() + 1);
        for entry in bill["dependencies"].as_array().unwrap() {
            let uses = entry["dependsOn"].as_array().unwrap();
            assert!(
                uses.iter().chain([&entry["ref"]]).all(|id| refs.contains(id.as_str().unwrap()))
            );
        }
        // What is linked in any way that is given away, and what comes in it; nothing of tests and chores.
        for name in
            SHIPPED.iter().chain(&["chumsky", "lsp-types", "pyo3", "SPIRV-Tools", "mimalloc"])
        {
            assert!(names.contains(name), "{name}");
        }
        for name in ["cbindgen", "clc-tests", "libtest-mimic", "clc-golden", "cc"] {
            assert!(!names.contains(&name), "{name}");
        }
        for one in components.iter().filter(|one| !one["purl"].is_null()) {
            let is_own = one["name"].as_str().unwrap().starts_with("clc-");
            assert_eq!(one["hashes"].is_null(), is_own, "{one}");
        }
        let version = |name: &str| {
            components.iter().find(|one| one["name"] == name).unwrap()["version"].clone()
        };
        assert!(version("SPIRV-Tools").as_str().unwrap().starts_with("20"));
    }
}
