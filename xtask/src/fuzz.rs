//! `cargo xtask fuzz`: random programs through clc and through a driver's own compiler.

use crate::setup;
use crate::shell::{Result, cargo, run, target};

pub fn fuzz(arguments: &[&str]) -> Result {
    let driver = setup::driver()?;
    run(cargo().args(["build", "--quiet", "--package", "clc-tests", "--bins"]))?;
    let built = target().join("debug");
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "clc-conformance", "--bin", "fuzz", "--"]);
    command.arg("--clc").arg(built.join("clc-under-test"));
    command.arg("--runner").arg(built.join("clc-run"));
    command.arg("--folder").arg(target().join("fuzz"));
    command.args(arguments).env("CLC_DRIVERS", driver);
    run(&mut command).map_err(|_| "programs failed; see above".to_owned())
}
