use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;

/// A folder of notes, beside a file that no agent may see.
fn notes() -> (TempDir, Notes) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("notes");
    fs::create_dir_all(root.join("ideas")).unwrap();
    fs::write(dir.path().join("secret.md"), "# Secret\n").unwrap();
    fs::write(root.join("shopping.md"), "# Shopping\n\n- tea\n- milk\n").unwrap();
    fs::write(root.join("ideas/garden.md"), "# Garden\n\nPlant tea, mint and more tea.\n").unwrap();
    fs::write(root.join("picture.png"), [0xff, 0xd8]).unwrap();
    let notes = Notes::new(Folder::open(root).unwrap());
    (dir, notes)
}

fn root(dir: &TempDir) -> std::path::PathBuf {
    dir.path().join("notes")
}

async fn read(notes: &Notes, path: &str) -> Result<String, NoteError> {
    notes.read(path.into()).await
}

async fn append(notes: &Notes, path: &str, text: &str) -> Result<Appended, NoteError> {
    notes.append(path.into(), text.into()).await
}

#[tokio::test]
async fn a_list_shows_folders_and_notes_and_nothing_else() {
    let (dir, notes) = notes();
    fs::create_dir(root(&dir).join(".git")).unwrap();
    let all = notes.list(None).await.unwrap();
    assert_eq!((all.folders, all.notes), (vec!["ideas".into()], vec!["shopping.md".into()]));
    let ideas = notes.list(Some("ideas".into())).await.unwrap();
    assert_eq!(ideas.notes, ["ideas/garden.md"]);
    assert!(matches!(notes.list(Some("none".into())).await, Err(NoteError::Missing)));
    let error = notes.list(Some("shopping.md".into())).await.unwrap_err();
    assert_eq!(error.to_string(), "this path is not a folder; `list` shows which is which");
}

#[tokio::test]
async fn an_appended_line_stands_alone() {
    let (dir, notes) = notes();
    fs::write(root(&dir).join("open.md"), "no end").unwrap();
    let appended = append(&notes, "open.md", "next").await.unwrap();
    assert_eq!(read(&notes, "open.md").await.unwrap(), "no end\nnext\n");
    assert_eq!((appended.created, appended.bytes), (false, 12));
}

#[tokio::test]
async fn a_new_note_is_created_with_its_folders() {
    let (_dir, notes) = notes();
    assert!(append(&notes, "a/b/new.md", "# New\n").await.unwrap().created);
    assert_eq!(read(&notes, "a/b/new.md").await.unwrap(), "# New\n");
    assert!(!append(&notes, "a/b/new.md", "more").await.unwrap().created);
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let (dir, notes) = notes();
    assert!(matches!(read(&notes, "none.md").await, Err(NoteError::Missing)));
    assert!(matches!(read(&notes, "shopping.md/none.md").await, Err(NoteError::Kind { .. })));
    assert!(matches!(read(&notes, "picture.png").await, Err(NoteError::NotMarkdown)));
    fs::write(root(&dir).join("bytes.md"), [0xff, 0xd8]).unwrap();
    assert!(matches!(read(&notes, "bytes.md").await, Err(NoteError::NotText)));
    fs::write(root(&dir).join("long.md"), vec![b'a'; LONGEST_NOTE as usize + 1]).unwrap();
    assert!(matches!(read(&notes, "long.md").await, Err(NoteError::TooLong { .. })));
    fs::create_dir(root(&dir).join("folder.md")).unwrap();
    for error in
        [read(&notes, "folder.md").await.err(), append(&notes, "folder.md", "x").await.err()]
    {
        assert!(matches!(error, Some(NoteError::Kind { expected: "note" })), "{error:?}");
    }
}

#[tokio::test]
async fn a_path_out_of_the_folder_reads_and_writes_nothing() {
    let (dir, notes) = notes();
    let secret = dir.path().join("secret.md");
    for path in ["../secret.md", "ideas/../../secret.md", secret.to_str().unwrap(), "..\\secret.md"]
    {
        assert!(matches!(read(&notes, path).await, Err(NoteError::Outside)), "{path}");
        assert!(matches!(append(&notes, path, "x").await, Err(NoteError::Outside)), "{path}");
    }
    assert!(matches!(notes.list(Some("..".into())).await, Err(NoteError::Outside)));
    assert_eq!(fs::read_to_string(secret).unwrap(), "# Secret\n");
}

#[cfg(unix)]
fn link(target: impl AsRef<Path>, link: impl AsRef<Path>) {
    std::os::unix::fs::symlink(target, link).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_out_of_the_folder_reads_and_writes_nothing() {
    let (dir, notes) = notes();
    link(dir.path(), root(&dir).join("up"));
    link(dir.path().join("secret.md"), root(&dir).join("link.md"));
    for path in ["up/secret.md", "link.md", "up/new.md", "up/new/new.md"] {
        assert!(matches!(read(&notes, path).await, Err(NoteError::Outside)), "{path}");
        assert!(matches!(append(&notes, path, "x").await, Err(NoteError::Outside)), "{path}");
    }
    // Creating a file through a link to nothing would create it on the other side.
    link(dir.path().join("created.md"), root(&dir).join("dangling.md"));
    link(dir.path().join("nowhere"), root(&dir).join("hole"));
    for path in ["dangling.md", "hole/new.md"] {
        assert!(matches!(append(&notes, path, "x").await, Err(NoteError::Outside)), "{path}");
    }
    assert!(!dir.path().join("created.md").exists() && !dir.path().join("nowhere").exists());
    assert!(matches!(notes.list(Some("up".into())).await, Err(NoteError::Outside)));
    // What goes through all notes does not follow them either, not even into one that goes round.
    link(root(&dir), root(&dir).join("ideas/again"));
    let all = notes.all().await.unwrap();
    assert_eq!(all, ["ideas/garden.md", "shopping.md"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_inside_the_folder_is_a_note_like_any_other() {
    let (dir, notes) = notes();
    link("ideas/garden.md", root(&dir).join("best.md"));
    assert!(read(&notes, "best.md").await.unwrap().starts_with("# Garden"));
}

#[tokio::test]
async fn a_wait_ends_with_the_change() {
    let (_dir, notes) = notes();
    // Which change the wait sees first is the file system's business, so there are changes until it ends.
    let changes = async {
        loop {
            append(&notes, "shopping.md", "- bread").await.unwrap();
        }
    };
    let text = tokio::select! {
        text = notes.wait_for_change("shopping.md".into()) => text.unwrap(),
        () = changes => unreachable!(),
    };
    assert!(text.starts_with("# Shopping\n\n- tea\n- milk\n- bread\n"));
    assert!(matches!(notes.wait_for_change("none.md".into()).await, Err(NoteError::Missing)));
}
