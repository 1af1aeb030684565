//! The file system that is appended to a program: where it begins, and reading it.

use anyhow::{Context, Result, bail, ensure};
use backhand::{FilesystemReader, InnerNode, Node, SquashfsFileReader};
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

/// The file of the image that names its content: a hash of everything else in it (`setup/appimage.mjs` writes it).
const ID: &str = "/.image-id";

/// Characters of an ID: it becomes the name of a folder.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 16..=64;

/// A squashfs file system behind a program.
pub struct Image {
    files: FilesystemReader<'static>,
}

impl Image {
    /// Opens the image behind a program.
    ///
    /// # Errors
    /// When the file is not an ELF program with a squashfs file system behind it.
    pub fn open(program: &Path) -> Result<Self> {
        let mut file = File::open(program).with_context(|| format!("{} cannot be read", program.display()))?;
        let offset = offset(&mut file)?;
        let files = FilesystemReader::from_reader_with_offset(BufReader::new(file), offset)
            .with_context(|| format!("{} is damaged: its files cannot be read", program.display()))?;
        Ok(Self { files })
    }

    /// What tells this image from every other: a hash of its content, as hexadecimal digits.
    ///
    /// # Errors
    /// When the image does not tell it.
    pub fn id(&self) -> Result<String> {
        let Some(InnerNode::File(file)) =
            self.nodes().find(|node| node.fullpath == Path::new(ID)).map(|node| &node.inner)
        else {
            bail!("the image does not tell its ID");
        };
        let mut text = String::new();
        self.files.file(file).reader_checked()?.take(1024).read_to_string(&mut text)?;
        let id = text.trim();
        ensure!(
            ID_LENGTHS.contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "the image's ID is damaged"
        );
        Ok(id.to_owned())
    }

    /// Writes all files into a folder that is there and empty.
    ///
    /// # Errors
    /// When a file cannot be read or written, or would lie elsewhere.
    pub fn extract(&self, folder: &Path) -> Result<()> {
        for node in self.nodes() {
            let path = inside(folder, &node.fullpath)?;
            self.write(node, &path).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(())
    }

    /// Files, folders and links; folders before what is in them.
    fn nodes(&self) -> impl Iterator<Item = &Node<SquashfsFileReader>> {
        self.files.files()
    }

    fn write(&self, node: &Node<SquashfsFileReader>, path: &Path) -> Result<()> {
        match &node.inner {
            InnerNode::Dir(_) => fs::create_dir_all(path)?,
            InnerNode::Symlink(link) => symlink(&link.link, path)?,
            InnerNode::File(file) => {
                let mut to = File::create_new(path)?;
                io::copy(&mut self.files.file(file).reader_checked()?, &mut to)?;
                to.set_permissions(Permissions::from_mode(u32::from(node.header.permissions) & 0o755))?;
            }
            _ => bail!("it is neither a file nor a folder nor a link"),
        }
        Ok(())
    }
}

/// Where the program ends and the image begins, in bytes: a linker writes the table of sections last.
///
/// # Errors
/// When the file is not a 64-bit little-endian ELF program, or nothing stands behind it.
pub fn offset(file: &mut File) -> Result<u64> {
    let mut head = [0; 64];
    file.rewind()?;
    file.read_exact(&mut head).context("it is not a program")?;
    // ELF, 64 bits, little-endian.
    ensure!(head.starts_with(b"\x7fELF\x02\x01"), "it is not a program that can carry an image");
    let number = |at: usize, bytes: usize| {
        head[at..at + bytes].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let end = number(0x28, 8).saturating_add(number(0x3a, 2) * number(0x3c, 2));
    let mut magic = [0; 4];
    file.seek(SeekFrom::Start(end))?;
    let carries = file.read_exact(&mut magic).is_ok() && &magic == b"hsqs";
    ensure!(carries, "there is no image behind this program");
    Ok(end)
}

/// A path of the image, below a folder. Nothing of an image lies outside.
fn inside(folder: &Path, path: &Path) -> Result<PathBuf> {
    let mut found = folder.to_path_buf();
    for part in path.components() {
        match part {
            Component::RootDir => {}
            Component::Normal(name) => found.push(name),
            _ => bail!("{} leads out of the image", path.display()),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn an_image_begins_where_the_program_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let program = fs::read(std::env::current_exe().unwrap()).unwrap();
        fs::write(&path, &program).unwrap();
        assert!(offset(&mut File::open(&path).unwrap()).is_err(), "nothing stands behind it");
        File::options().append(true).open(&path).unwrap().write_all(b"hsqs and so on").unwrap();
        assert_eq!(offset(&mut File::open(&path).unwrap()).unwrap(), program.len() as u64);
    }

    #[test]
    fn what_is_no_program_carries_no_image() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "hsqs".repeat(50)).unwrap();
        assert!(offset(&mut File::open(&path).unwrap()).is_err());
    }

    #[test]
    fn no_file_lies_outside_the_folder() {
        let folder = Path::new("/cache/image");
        assert_eq!(inside(folder, Path::new("/usr/bin/vitrine")).unwrap(), folder.join("usr/bin/vitrine"));
        assert!(inside(folder, Path::new("/usr/../../.bashrc")).is_err());
    }
}
