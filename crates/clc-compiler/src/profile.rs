//! Files with what was measured of a device: written by `clc-run-vulkan --measure-precision`, read for
//! `--device-profile`.
//!
//! ```json
//! {
//!   "format": 1,
//!   "device": "…",
//!   "driver": "…",
//!   "instructions": {
//!     "OpFDiv.32": { "normal": 1.0, "small_arguments": 1.0, "small_results": null, "special": true, "values": 1000 }
//!   }
//! }
//! ```
//!
//! Errors are units in the last place of the result, `null` where there is no bound, of normal numbers and
//! zeros, for arguments and for results below the normal numbers; `special` says whether results for
//! infinity and NaN, and infinite ones and NaN, are those of OpenCL C. `values` is how many results were
//! compared, for people.

use serde_json::{Value, json};

pub use clc_builtins::profile::{DeviceProfile, Error, Errors, Instruction};

/// What this compiler writes, and the only one that it reads.
const FORMAT: u64 = 1;

/// Reads a profile. The error is a sentence.
pub fn from_json(text: &str) -> Result<DeviceProfile, String> {
    let root: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    match root.get("format").and_then(Value::as_u64) {
        Some(FORMAT) => {}
        Some(other) => return Err(format!("`format` is {other}, and {FORMAT} is known")),
        None => return Err(format!("no device profile: `format` is not {FORMAT}")),
    }
    let Some(rows) = root.get("instructions").and_then(Value::as_object) else {
        return Err("`instructions` is missing, or no object".to_owned());
    };
    let mut profile = DeviceProfile::default();
    for (name, row) in rows {
        let Some(instruction) = Instruction::from_name(name) else {
            let known = Instruction::NAMES.map(|(_, name)| name).join(", ");
            return Err(format!("`{name}` is none of the instructions {known}"));
        };
        let error = |key: &str| match row.get(key) {
            Some(Value::Null) => Ok(Error::UNBOUNDED),
            Some(Value::Number(units)) => match units.as_f64() {
                Some(units) if units >= 0.0 => Ok(Error::units(units)),
                _ => Err(format!("`{key}` of `{name}` is negative")),
            },
            _ => Err(format!("`{key}` of `{name}` is no number, and not null")),
        };
        let Some(is_special_right) = row.get("special").and_then(Value::as_bool) else {
            return Err(format!("`special` of `{name}` is neither true nor false"));
        };
        let errors = Errors {
            normal: error("normal")?,
            small_arguments: error("small_arguments")?,
            small_results: error("small_results")?,
            is_special_right,
        };
        profile.set(instruction, errors);
    }
    Ok(profile)
}

/// What was measured of an instruction, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// See [`Errors`]. Infinite where there is no bound.
    pub normal: f64,
    /// As above.
    pub small_arguments: f64,
    /// As above.
    pub small_results: f64,
    /// As above.
    pub is_special_right: bool,
    /// How many results were compared.
    pub values: u64,
}

/// The text of a file.
pub fn to_json(device: &str, driver: &str, measured: &[(Instruction, Measured)]) -> String {
    // A thousandth is what profiles tell apart; nothing is rounded down. A million units is no precision.
    let units = |units: f64| match units < 1e6 {
        true => json!((units * 1000.0 - 1e-3).ceil().max(0.0) / 1000.0),
        false => Value::Null,
    };
    let rows: serde_json::Map<String, Value> = measured
        .iter()
        .map(|(instruction, it)| {
            let row = json!({
                "normal": units(it.normal),
                "small_arguments": units(it.small_arguments),
                "small_results": units(it.small_results),
                "special": it.is_special_right,
                "values": it.values,
            });
            (Instruction::NAMES[*instruction as usize].1.to_owned(), row)
        })
        .collect();
    let root =
        json!({ "format": FORMAT, "device": device, "driver": driver, "instructions": rows });
    let mut text = serde_json::to_string_pretty(&root).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let root = Measured {
            normal: 0.5,
            small_arguments: 0.500_000_001,
            small_results: f64::INFINITY,
            is_special_right: true,
            values: 1 << 32,
        };
        let text = to_json("a \"device\"", "1.2", &[(Instruction::SqrtF32, root)]);
        let profile = from_json(&text).unwrap();
        let errors = profile.errors(Instruction::SqrtF32);
        assert_eq!((errors.normal, errors.small_arguments), (Error::ROUNDED, Error::ROUNDED));
        assert_eq!(errors.small_results, Error::UNBOUNDED);
        assert!(errors.is_special_right);
        assert!(!profile.is_within(Instruction::FmaF32, 1e6, true));
    }

    #[test]
    fn the_profiles_of_the_repository_are_read() {
        let h100 = from_json(include_str!("../../../conformance/device-profiles/nvidia-h100.json"));
        let lavapipe =
            from_json(include_str!("../../../conformance/device-profiles/lavapipe.json"));
        let (h100, lavapipe) = (h100.unwrap(), lavapipe.unwrap());
        assert!(h100.is_within(Instruction::FmaF64, 0.5, false));
        assert!(!lavapipe.is_within(Instruction::FmaF64, 1e3, true));
        for profile in [h100, lavapipe] {
            assert!(profile.is_within(Instruction::UnpackHalf, 0.5, false));
        }
        // Its driver forgets to round what is unpacked again.
        assert!(!h100.is_within(Instruction::PackHalf, 0.5, true));
        assert!(lavapipe.is_within(Instruction::PackHalf, 0.5, false));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let row = |row: &str| format!("{{\"format\": 1, \"instructions\": {{\"Fma.32\": {row}}}}}");
        let cases = [
            ("", "no JSON"),
            ("[]", "no device profile"),
            ("{\"format\": 2}", "`format` is 2"),
            ("{\"format\": 1}", "`instructions` is missing"),
            ("{\"format\": 1, \"instructions\": {\"Sin.32\": {}}}", "`Sin.32` is none of"),
            (&row("{}"), "`special` of `Fma.32`"),
            (&row("{\"special\": true}"), "`normal` of `Fma.32` is no number"),
            (&row("{\"special\": true, \"normal\": -1}"), "is negative"),
            (&row("{\"special\": true, \"normal\": \"0\"}"), "is no number"),
        ];
        for (text, said) in cases {
            let error = from_json(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
