//! The unpacked image in the user's cache folder: written once and whole, kept while a program runs from it, removed for the
//! next one.
//!
//! A lock on each folder says who has it: shared while a program runs from it, exclusive while it is written or removed.

use crate::image::Image;
use anyhow::{Context, Result, bail};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// How often another start of the program may come between.
const TRIES: usize = 5;

/// An unpacked image. It is not removed as long as `lock` is open.
pub struct Unpacked {
    /// Where the image's files are.
    pub folder: PathBuf,
    /// The folder itself, with a shared lock.
    pub lock: File,
}

/// The image's folder below `cache`; it is written when it is not there, and those of other images are then removed.
///
/// # Errors
/// When the folder cannot be written.
pub fn unpacked(image: &Image, cache: &Path) -> Result<Unpacked> {
    let id = image.id()?;
    let folder = cache.join(&id);
    for _ in 0..TRIES {
        if let Some(lock) = in_use(&folder)? {
            return Ok(Unpacked { folder, lock });
        }
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(cache)
            .with_context(|| format!("{} cannot be made", cache.display()))?;
        let Some((partial, lock)) = claimed(cache, &id)? else { continue };
        let written = image.extract(&partial).and_then(|()| Ok(rustix::fs::syncfs(&lock)?));
        // Somebody else may have been faster: then theirs is as good.
        if written.is_err() || fs::rename(&partial, &folder).is_err() {
            fs::remove_dir_all(&partial)?;
            written?;
            continue;
        }
        lock.lock_shared()?;
        remove_others(cache, &folder);
        return Ok(Unpacked { folder, lock });
    }
    bail!("{} is being changed by others", cache.display())
}

/// The lock of a folder that is there and whole.
fn in_use(folder: &Path) -> Result<Option<File>> {
    let lock = match File::open(folder) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", folder.display())),
    };
    lock.lock_shared()?;
    // It may have been removed before the lock was ours.
    Ok(is_at(&lock, folder).then_some(lock))
}

/// A new folder to write into, and its lock; nothing when another start has removed it before it was locked.
fn claimed(cache: &Path, id: &str) -> Result<Option<(PathBuf, File)>> {
    for number in 0.. {
        let path = cache.join(format!(".{id}.{number}"));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => {
                let lock = File::open(&path)?;
                lock.lock()?;
                return Ok(is_at(&lock, &path).then_some((path, lock)));
            }
            // Another start writes there, or one was ended while it did.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| format!("{} cannot be made", path.display())),
        }
    }
    unreachable!("numbers do not end")
}

fn is_at(open: &File, path: &Path) -> bool {
    let same = |(a, b): (fs::Metadata, fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    open.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(same)
}

/// Removes the folders of other images that nobody uses. What cannot be removed now is left to the next time.
fn remove_others(cache: &Path, kept: &Path) {
    for path in fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path == kept {
            continue;
        }
        let Ok(lock) = File::open(&path) else { continue };
        if lock.try_lock().is_ok() && is_at(&lock, &path) {
            // Out of the way first: no program shall start from a part of it.
            let gone =
                cache.join(format!(".{}.{}.gone", lock.metadata().map_or(0, |about| about.ino()), std::process::id()));
            drop(fs::rename(&path, &gone).and_then(|()| fs::remove_dir_all(&gone)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backhand::compression::Compressor;
    use backhand::{FilesystemCompressor, FilesystemWriter, NodeHeader};
    use std::io::{Cursor, Write};
    use std::os::unix::fs::PermissionsExt;

    const A: &str = "aaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbb";

    /// A program with an image behind it.
    fn image(folder: &Path, id: &str) -> Image {
        let header = |mode| NodeHeader { permissions: mode, ..NodeHeader::default() };
        let mut files = FilesystemWriter::default();
        files.set_compressor(FilesystemCompressor::new(Compressor::Zstd, None).unwrap());
        files.set_root_mode(0o755);
        files.push_file(Cursor::new(id.to_owned()), ".image-id", header(0o644)).unwrap();
        files.push_file(Cursor::new("#!/bin/sh\n"), "AppRun", header(0o755)).unwrap();
        files.push_dir_all("usr/share", header(0o755)).unwrap();
        files.push_file(Cursor::new(vec![7_u8; 3_000_000]), "usr/share/large", header(0o644)).unwrap();
        files.push_symlink("usr/share/large", "link", header(0o777)).unwrap();
        let mut squashfs = Cursor::new(Vec::new());
        files.write(&mut squashfs).unwrap();
        let path = folder.join(format!("{id}.AppImage"));
        fs::copy(std::env::current_exe().unwrap(), &path).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(squashfs.get_ref()).unwrap();
        Image::open(&path).unwrap()
    }

    fn names(cache: &Path) -> Vec<String> {
        let mut found: Vec<String> =
            fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        found.sort();
        found
    }

    #[test]
    fn files_are_written_once_as_they_are_in_the_image() {
        let place = tempfile::tempdir().unwrap();
        let (image, cache) = (image(place.path(), A), place.path().join("cache"));
        let folder = unpacked(&image, &cache).unwrap().folder;
        assert_eq!(folder, cache.join(A));
        assert_eq!(fs::metadata(folder.join("AppRun")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read(folder.join("link")).unwrap(), vec![7; 3_000_000]);
        assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700, "for the user alone");
        fs::write(folder.join("mark"), "").unwrap();
        assert!(unpacked(&image, &cache).unwrap().folder.join("mark").exists(), "the second start writes nothing");
        assert_eq!(names(&cache), [A]);
    }

    #[test]
    fn the_folder_of_another_version_is_removed_unless_it_runs() {
        let place = tempfile::tempdir().unwrap();
        let (a, b, cache) = (image(place.path(), A), image(place.path(), B), place.path().join("cache"));
        let running = unpacked(&a, &cache).unwrap();
        drop(unpacked(&b, &cache).unwrap());
        assert_eq!(names(&cache), [A, B]);
        drop(running);
        fs::remove_dir_all(cache.join(B)).unwrap();
        drop(unpacked(&b, &cache).unwrap());
        assert_eq!(names(&cache), [B]);
    }

    #[test]
    fn what_a_start_left_unfinished_is_never_run_and_goes_away() {
        let place = tempfile::tempdir().unwrap();
        let (image, cache) = (image(place.path(), A), place.path().join("cache"));
        fs::create_dir_all(cache.join(format!(".{A}.1"))).unwrap();
        fs::write(cache.join(format!(".{A}.1/AppRun")), "half").unwrap();
        let folder = unpacked(&image, &cache).unwrap().folder;
        assert_eq!(fs::read_to_string(folder.join("AppRun")).unwrap(), "#!/bin/sh\n");
        assert_eq!(names(&cache), [A]);
    }

    #[test]
    fn starts_at_the_same_time_share_one_folder() {
        let place = tempfile::tempdir().unwrap();
        let cache = place.path().join("cache");
        image(place.path(), A);
        let program = place.path().join(format!("{A}.AppImage"));
        std::thread::scope(|scope| {
            let starts: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| unpacked(&Image::open(&program).unwrap(), &cache).map(|found| found.folder)))
                .collect();
            for start in starts {
                assert!(start.join().unwrap().unwrap().join("AppRun").exists());
            }
        });
        assert_eq!(names(&cache), [A]);
    }
}
