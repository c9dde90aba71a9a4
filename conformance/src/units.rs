//! The translation units of each corpus, with the options their host programs compile them with.

use std::path::{Path, PathBuf};

/// One translation unit.
pub struct Unit {
    /// What the tables call it.
    pub name: String,
    /// The files that make up the text, one after the other.
    pub parts: Vec<PathBuf>,
    pub options: Vec<String>,
    /// The host program drops the lines that begin with this.
    pub without_lines: Option<&'static str>,
}

/// The units of the corpus `name`, which lies in `folder`; sorted by name.
pub fn units(name: &str, folder: &Path) -> Result<Vec<Unit>, String> {
    let mut units = match name {
        "hashcat" => hashcat(&folder.join("usr/share/hashcat/OpenCL"))?,
        "darktable" => darktable(&folder.join("usr/share/darktable/kernels"))?,
        "sasmodels" => sasmodels(&folder.join("sources"))?,
        "silx" => silx(&folder.join("silx/resources/opencl"))?,
        _ => made(folder)?,
    };
    if units.is_empty() {
        return Err(format!("{name}: no units in {}", folder.display()));
    }
    units.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(units)
}

/// Names of the `.cl` files under `folder`, with `/` between folders.
fn sources(folder: &Path) -> Result<Vec<String>, String> {
    fn walk(folder: &Path, prefix: &str, out: &mut Vec<String>) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                walk(&entry.path(), &format!("{name}/"), out)?;
            } else if name.ends_with(".cl") {
                out.push(name);
            }
        }
        Ok(())
    }
    let mut out = Vec::new();
    walk(folder, "", &mut out).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(out)
}

/// The units that `corpus_sources.py` made: a source each, and a list with the options.
fn made(folder: &Path) -> Result<Vec<Unit>, String> {
    let units = folder.join("units");
    let list = units.join("options.txt");
    let list = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let units = list.lines().filter_map(|line| line.split_once('\t')).map(|(name, options)| {
        let options = options.split_whitespace().map(|word| match word.strip_prefix("-I") {
            Some(path) => format!("-I{}", folder.join(path).display()),
            None => word.to_owned(),
        });
        Unit {
            name: name.to_owned(),
            parts: vec![units.join(name)],
            options: options.collect(),
            without_lines: None,
        }
    });
    Ok(units.collect())
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// hashcat-data: every kernel of a hash mode, and what generates candidates. The attack is in the
/// file's name: `_a0` rules, `_a1` combination, `_a3` mask; slow hashes have none.
fn hashcat(folder: &Path) -> Result<Vec<Unit>, String> {
    const FLAGS: &str = "ADD ADDC SUB SUBC VADD VADDC VADD_CO VADDC_CO VSUB VSUBB VSUB_CO VSUBB_CO \
                         VPERM VADD3 VBFE BFE LOP3 MOV64 PRMT SHFW";
    let path = folder.display();
    let mut common = words(
        "-DXM2S(x)=#x -DM2S(x)=XM2S(x) -DKERNEL_STATIC -DMAX_THREADS_PER_BLOCK=256 \
         -DLOCAL_MEM_TYPE=1 -DVENDOR_ID=64 -DCUDA_ARCH=0 -DVECT_SIZE=1 -DDEVICE_TYPE=4 -DDGST_R0=0 \
         -DDGST_R1=1 -DDGST_R2=2 -DDGST_R3=3 -DDGST_ELEM=4 -DKERN_TYPE=0 -DFIXED_LOCAL_SIZE=64",
    );
    common.push(format!("-I{path}"));
    common.push(format!("-DINCLUDE_PATH={path}"));
    common.extend(FLAGS.split_whitespace().map(|flag| format!("-DHAS_{flag}=0")));
    let is_unit = |name: &str| {
        ["m", "amp_", "markov_"].iter().any(|head| name.starts_with(head)) || name == "shared.cl"
    };
    let units = sources(folder)?.into_iter().filter(|name| is_unit(name)).map(|name| {
        // What `module_jit_build_options` of the mode adds: scrypt's parameters, here those of the
        // mode's example hash without a trade of time for memory, and the work-group size that
        // local memory of 32 KiB has room for.
        let module: &[&str] = match &name[..6.min(name.len())] {
            "m08900" | "m22700" | "m27700" | "m28200" => &["16384", "8", "1", "64"],
            "m15700" => &["262144", "1", "8", "64"],
            _ => &[],
        };
        let module = ["N", "R", "P", "TMP_ELEM"].iter().zip(module);
        let module = module.map(|(parameter, value)| format!("-DSCRYPT_{parameter}={value}"));
        let attack = ["_a0", "_a1", "_a3"].iter().find(|attack| name.contains(**attack));
        let (exec, kern) = match attack {
            Some(attack) => (11, &attack[2..]),
            None => (10, "0"),
        };
        let mut options = common.clone();
        options.push(format!("-DATTACK_EXEC={exec}"));
        options.push(format!("-DATTACK_KERN={kern}"));
        options.push(format!("-DATTACK_MODE={kern}"));
        options.extend(module);
        options.extend(words("-DSCRYPT_TMTO=1 -DFIXED_LOCAL_SIZE_COMP=8"));
        Unit { parts: vec![folder.join(&name)], name, options, without_lines: None }
    });
    Ok(units.collect())
}

/// darktable: the programs that it compiles at its start.
fn darktable(folder: &Path) -> Result<Vec<Unit>, String> {
    let list = folder.join("programs.conf");
    let list = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let mut options = words("-cl-fast-relaxed-math -DUNKNOWN=1");
    options.push(format!("-I{}", folder.display()));
    let names = list.lines().filter_map(|line| {
        let line = line.split('#').next().unwrap_or("");
        line.split_whitespace().next().filter(|name| name.ends_with(".cl"))
    });
    Ok(names
        .map(|name| Unit {
            name: name.to_owned(),
            parts: vec![folder.join(name)],
            options: options.clone(),
            without_lines: None,
        })
        .collect())
}

/// sasmodels: sources made by `sasmodels_sources.py`, each in two precisions.
fn sasmodels(folder: &Path) -> Result<Vec<Unit>, String> {
    Ok(sources(folder)?
        .into_iter()
        .map(|name| Unit {
            parts: vec![folder.join(&name)],
            name,
            options: vec!["-DUSE_OPENCL".to_owned()],
            without_lines: None,
        })
        .collect())
}

/// silx: the library joins files before it compiles them (`kernel_files` of its classes) and drops
/// the lines that begin with `#include ` (`read_cl_file` in silx/opencl/utils.py). The options are
/// those of all its classes together: `IMAGE_WIDTH`, `DTYPE` and `IDX_DTYPE` come from sparse.py
/// (no class gives `IMAGE_W`; it is the name of a parameter in sift/convolution.cl), `NIMAGE` from
/// medfilt.py and statistics.py, `NB_COLOR` from image.py, `IMAGE_DIMS` and `FILTER_DIMS` from
/// convolution.py, `WORKGROUP_SIZE` from sift/plan.py.
fn silx(folder: &Path) -> Result<Vec<Unit>, String> {
    let options = words(
        "-DNIMAGE=1000 -DNB_COLOR=1 -DIMAGE_WIDTH=512 -DWORKGROUP_SIZE=128 -DIMAGE_DIMS=2 \
         -DFILTER_DIMS=2 -DDTYPE=float -DIDX_DTYPE=int",
    );
    let units = sources(folder)?.into_iter().map(|name| {
        let before: &[&str] = match name.as_str() {
            "medfilt.cl" => &["preprocess.cl", "bitonic.cl"],
            "backproj.cl" | "proj.cl" => &["array_utils.cl"],
            "statistics.cl" => &["doubleword.cl"],
            "sift/sift.cl" => &[],
            name if name.starts_with("sift/") => &["sift/sift.cl"],
            _ => &[],
        };
        let parts = before.iter().copied().chain([name.as_str()]);
        let parts = parts.map(|part| folder.join(part)).collect();
        Unit { parts, name, options: options.clone(), without_lines: Some("#include ") }
    });
    Ok(units.collect())
}
