//! The edge to the file system: include files from folders, and outputs written whole or not at
//! all.

#[cfg(feature = "cli")]
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
#[cfg(feature = "cli")]
use std::sync::{Arc, Mutex, PoisonError};

use clc_syntax::preprocess::{
    COMMAND_LINE, IncludeKind, IncludeRequest, IncludeResolver, Included,
};

/// Looks for include files where the command line says: beside the including file (quote form),
/// then in the `-I` folders, then in the `-isystem` folders; `#include_next` goes on behind the
/// folder of the including file.
#[derive(Clone, Debug, Default)]
pub struct FileResolver {
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`, in order: no warnings are shown for the files in them.
    pub system_dirs: Vec<PathBuf>,
}

impl FileResolver {
    /// The paths that are tried for a request, in order, and whether the file is one of a system folder.
    pub(crate) fn candidates<'a>(
        &'a self,
        request: &IncludeRequest<'a>,
    ) -> impl Iterator<Item = (PathBuf, bool)> + use<'a> {
        let (name, kind, from) = (Path::new(request.name), request.kind, request.from);
        let is_absolute = name.is_absolute();
        let beside = (is_absolute || kind == IncludeKind::Quote).then(|| {
            let folder = match from {
                _ if is_absolute => Path::new(""),
                // A forced include is looked for in the working directory first.
                COMMAND_LINE | "-" | "<stdin>" => Path::new(""),
                from => Path::new(from).parent().unwrap_or(Path::new("")),
            };
            (folder.join(name), false)
        });
        let dirs = self
            .include_dirs
            .iter()
            .map(|dir| (dir, false))
            .chain(self.system_dirs.iter().map(|dir| (dir, true)));
        let skipped = match kind {
            _ if is_absolute => usize::MAX,
            // Behind the folder that the including file came from; from the first, if it came
            // from none.
            IncludeKind::Next => dirs
                .clone()
                .position(|(dir, _)| Path::new(from).starts_with(tidy(dir)))
                .map_or(0, |index| index + 1),
            IncludeKind::Quote | IncludeKind::Angle => 0,
        };
        beside
            .into_iter()
            .chain(dirs.skip(skipped).map(move |(dir, system)| (dir.join(name), system)))
    }
}

impl IncludeResolver for FileResolver {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        for (path, system) in self.candidates(request) {
            if let Some(found) = read_include(&path, system)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn searched(&mut self, request: &IncludeRequest<'_>) -> Option<Vec<String>> {
        let folder = |path: PathBuf| {
            // Without the name, which may have folders in it.
            let depth = Path::new(request.name).components().count();
            let folder = path.ancestors().nth(depth).map(tidy).unwrap_or_default();
            if folder.is_empty() { ".".to_owned() } else { folder }
        };
        let mut folders: Vec<String> = Vec::new();
        if !Path::new(request.name).is_absolute() {
            for (path, _) in self.candidates(request) {
                let folder = folder(path);
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
        Some(folders)
    }
}

/// `Ok(None)` if there is no such file.
fn read_include(path: &Path, system: bool) -> Result<Option<Included>, String> {
    let contents = read_if_file(path)?;
    Ok(contents.map(|contents| Included { name: tidy(path), contents, system }))
}

/// `Ok(None)` if there is no such file.
fn read_if_file(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::metadata(path) {
        // A folder of that name does not hide a file further on.
        Ok(meta) if meta.is_dir() => return Ok(None),
        Ok(_) => {}
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(format!("{}: {}", path.display(), reason(&error))),
    }
    let contents =
        read_whole(path).map_err(|error| format!("{}: {}", path.display(), reason(&error)))?;
    Ok(Some(contents))
}

/// The include files that compilations of one call have read, and where there was none: each is read
/// once, and all compilations see the same text.
#[cfg(feature = "cli")]
#[derive(Debug, Default)]
pub(crate) struct ReadFiles(Mutex<HashMap<PathBuf, Contents>>);

/// What [`read_if_file`] returned.
#[cfg(feature = "cli")]
type Contents = Result<Option<Arc<[u8]>>, String>;

#[cfg(feature = "cli")]
impl ReadFiles {
    fn contents(&self, path: &Path) -> Contents {
        // Under the lock, so that no other thread reads the same file. No code in here panics while it is half changed.
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(contents) = read.get(path) {
            return contents.clone();
        }
        let contents = read_if_file(path).map(|found| found.map(Arc::from));
        read.insert(path.to_owned(), contents.clone());
        contents
    }
}

/// Finds include files as [`FileResolver`] does, among what others have read, too.
#[cfg(feature = "cli")]
pub(crate) struct SharedFiles<'a> {
    pub folders: &'a FileResolver,
    pub read: &'a ReadFiles,
}

#[cfg(feature = "cli")]
impl IncludeResolver for SharedFiles<'_> {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        for (path, system) in self.folders.candidates(request) {
            if let Some(contents) = self.read.contents(&path)? {
                let contents = contents.to_vec();
                return Ok(Some(Included { name: tidy(&path), contents, system }));
            }
        }
        Ok(None)
    }

    fn searched(&mut self, request: &IncludeRequest<'_>) -> Option<Vec<String>> {
        self.folders.clone().searched(request)
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
    )
}

/// The path as shown and compared: without `./` at its head and inside.
fn tidy(path: &Path) -> String {
    path.components().collect::<PathBuf>().to_string_lossy().into_owned()
}

/// The words for an error of the operating system, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => {
            let mut text = text[..at].to_owned();
            if let Some(first) = text.get(..1).map(str::to_lowercase) {
                text.replace_range(..1, &first);
            }
            text
        }
        None => text,
    }
}

/// Reads an input file; `-` is standard input.
pub fn read_input(path: &Path) -> Result<Vec<u8>, String> {
    let describe = |error: &io::Error| format!("cannot read {}: {}", show(path), reason(error));
    if path == Path::new("-") {
        return read_stream(io::stdin().lock()).map_err(|error| describe(&error));
    }
    read_whole(path).map_err(|error| describe(&error))
}

/// The most that is read of what is no regular file, a pipe or a device: `/dev/zero` has no end.
const MOST_OF_A_STREAM: u64 = 64 << 20;

fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return read_stream(file);
    }
    // More has no positions, and need not be read to be refused.
    if meta.len() > u32::MAX.into() {
        return Err(io::Error::other("larger than 4 GiB"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_stream(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_OF_A_STREAM + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_OF_A_STREAM {
        true => Err(io::Error::other("no regular file, and larger than 64 MiB")),
        false => Ok(bytes),
    }
}

/// A path for messages.
pub fn show(path: &Path) -> String {
    match path.as_os_str() {
        name if name == OsStr::new("-") => "standard input".to_owned(),
        _ => format!("`{}`", path.display()),
    }
}

/// The words of a module in the byte order of files.
pub fn module_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Writes a file whole or not at all: the bytes go to a temporary file in the same folder, which
/// then takes the name. What is not a regular file (`/dev/null`, a pipe) is written directly.
#[cfg(feature = "cli")]
pub fn write_output(path: &Path, bytes: &[u8]) -> Result<(), String> {
    try_write(path, bytes)
        .map_err(|error| format!("cannot write `{}`: {}", path.display(), reason(&error)))
}

#[cfg(feature = "cli")]
fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;

    // Through symbolic links, so that the link stays and its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if let Some(meta) = &existing {
        if meta.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        // A file that may not be written is not replaced either.
        let mut file = fs::OpenOptions::new().write(true).open(&target)?;
        if !meta.is_file() {
            file.write_all(bytes)?;
            return file.flush();
        }
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".clc-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = match &existing {
            Some(meta) => meta.permissions(),
            // What an ordinary file gets, after the umask.
            None => fs::Permissions::from_mode(0o666),
        };
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.flush()?;
    file.persist(&target).map(drop).map_err(|error| error.error)
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn outputs_replace_files_and_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.spv");
        write_output(&path, b"one").unwrap();
        write_output(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_output(folder.path(), b"x").unwrap_err().contains("is a directory"));
        assert!(write_output(&folder.path().join("no/such"), b"x").is_err());
        write_output(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn includes_are_found_beside_the_file_then_in_folders() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("inc/dir.h")).unwrap();
        fs::create_dir_all(root.join("sys")).unwrap();
        fs::write(root.join("a.h"), "beside").unwrap();
        fs::write(root.join("inc/a.h"), "inc").unwrap();
        fs::write(root.join("sys/dir.h"), "sys").unwrap();
        let mut resolver = FileResolver {
            include_dirs: vec![root.join("inc")],
            system_dirs: vec![root.join("sys")],
        };
        let main = root.join("main.cl").to_string_lossy().into_owned();
        let mut ask = |name, kind| {
            let request = IncludeRequest { name, kind, from: &main };
            resolver.resolve(&request).unwrap().map(|found| (found.contents, found.system))
        };
        assert_eq!(ask("a.h", IncludeKind::Quote), Some((b"beside".to_vec(), false)));
        assert_eq!(ask("a.h", IncludeKind::Angle), Some((b"inc".to_vec(), false)));
        assert_eq!(ask("dir.h", IncludeKind::Quote), Some((b"sys".to_vec(), true)));
        assert_eq!(ask("absent.h", IncludeKind::Quote), None);
        assert_eq!(ask("a.h/nonsense", IncludeKind::Quote), None);
    }
}
