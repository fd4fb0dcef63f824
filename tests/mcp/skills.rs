//! Skills (SEP-2640): listed with a digest of each file, read as resources, safe to point at a folder.

use std::{fs, path::Path};

use agent_mcp::{
    Server, agent,
    mcp::Handler,
    skills::{Skills, SkillsError},
};
use serde_json::{Value, json};

use crate::client::{ALL, Client, LEGACY, MODERN};

const MANIFEST: &str = "---\nname: refunds\ndescription: |\n  How to refund.\nmetadata:\n  since: 2024-01-02\n  on: yes\n  steps: [1, 2.5, true, null]\n---\n# Refunds\n";
const PIXEL: &[u8] = b"\x89PNG\xff";

struct Shop;

#[agent]
impl Shop {
    /// Buys.
    #[capability]
    async fn buy(&self) {}

    /// What is there.
    #[resource]
    async fn stock(&self) -> &'static str {
        "lamps"
    }
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("billing/refunds/SKILL.md", MANIFEST.into()),
        ("billing/refunds/examples/email to all.md", b"Dear all".to_vec()),
        ("billing/refunds/examples/deep/pixel.png", PIXEL.to_vec()),
        (
            "greet/SKILL.md",
            b"---\r\nname: greet\r\ndescription: How to greet.\r\n---\r\nHello".to_vec(),
        ),
    ]
}

fn serve(skills: Skills) -> Handler<()> {
    Server::new(Shop).skills(skills).handler().unwrap()
}

fn client() -> Client {
    Client::at(&serve(Skills::from_files(files()).unwrap()), MODERN)
}

fn uris(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["uri"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn sep_2640_skills_are_listed_with_what_they_say_and_each_file() {
    let list = client().result("skills/list", json!({})).await;
    assert_eq!(
        uris(&list["skills"]),
        ["skill://billing/refunds/SKILL.md", "skill://greet/SKILL.md"]
    );
    assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(60_000), &json!("public")));
    let refunds = &list["skills"][0];
    assert_eq!(
        refunds["frontmatter"],
        json!({
            "name": "refunds",
            "description": "How to refund.\n",
            "metadata": {"since": "2024-01-02", "on": "yes", "steps": [1, 2.5, true, null]},
        }),
        "as YAML 1.2 has it"
    );
    assert_eq!(
        uris(&refunds["resources"]),
        [
            "skill://billing/refunds/SKILL.md",
            "skill://billing/refunds/examples/deep/pixel.png",
            "skill://billing/refunds/examples/email%20to%20all.md",
        ]
    );
    let mail = &refunds["resources"][2];
    // `printf 'Dear all' | sha256sum`
    let digest = "sha256:5a405b2218e2dd97bd33c87af5a4c21ed6b3fa09d855d7d4b817b9d122cc9d59";
    assert_eq!(mail["size"], 8);
    assert_eq!(mail["digest"], digest);
}

#[tokio::test]
async fn sep_2640_one_skill_is_got_by_its_uri() {
    let client = client();
    let list = client.result("skills/list", json!({})).await;
    let got = client.result("skills/get", json!({"uri": "skill://greet/SKILL.md"})).await;
    assert_eq!(got["skill"], list["skills"][1]);
    assert_eq!((&got["ttlMs"], &got["cacheScope"]), (&json!(60_000), &json!("public")));
    assert!(got.get("nextCursor").is_none());
    for uri in ["skill://nobody/SKILL.md", "skill://greet", "app://stock", ""] {
        let error = client.error("skills/get", json!({ "uri": uri })).await;
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)));
    }
    assert_eq!(client.error("skills/get", json!({})).await["code"], -32602);
}

#[tokio::test]
async fn sep_2640_files_are_resources_for_every_client() {
    let handler = serve(Skills::from_files(files()).unwrap());
    for revision in ALL {
        let client = Client::at(&handler, revision);
        let list = client.result("resources/list", json!({})).await;
        let manifests =
            ["app://stock", "skill://billing/refunds/SKILL.md", "skill://greet/SKILL.md"];
        assert_eq!(uris(&list["resources"]), manifests, "what agents declare comes first");
        let entry = &list["resources"][2];
        assert_eq!(
            (&entry["name"], &entry["mimeType"]),
            (&json!("greet"), &json!("text/markdown"))
        );
        assert_eq!(entry["description"], "How to greet.");
        let read = async |uri: &str| {
            client.result("resources/read", json!({ "uri": uri })).await["contents"][0].clone()
        };
        let manifest = read("skill://billing/refunds/SKILL.md").await;
        assert_eq!(
            (&manifest["text"], &manifest["mimeType"]),
            (&json!(MANIFEST), &json!("text/markdown"))
        );
        let pixel = read("skill://billing/refunds/examples/deep/pixel.png").await;
        assert_eq!((&pixel["blob"], &pixel["mimeType"]), (&json!("iVBOR/8="), &json!("image/png")));
        assert_eq!(read("app://stock").await["text"], "lamps");
    }
}

#[tokio::test]
async fn sep_2640_folders_are_read_level_by_level() {
    let client = client();
    let read =
        async |uri: &str| client.ask("resources/directory/read", json!({ "uri": uri })).await;
    let root = read("skill://billing/refunds").await;
    assert_eq!(
        root["result"]["resources"],
        json!([
            {"uri": "skill://billing/refunds/SKILL.md", "name": "SKILL.md", "mimeType": "text/markdown", "size": MANIFEST.len()},
            {"uri": "skill://billing/refunds/examples", "name": "examples", "mimeType": "inode/directory"},
        ])
    );
    let examples = read("skill://billing/refunds/examples").await;
    assert_eq!(
        uris(&examples["result"]["resources"]),
        [
            "skill://billing/refunds/examples/deep",
            "skill://billing/refunds/examples/email%20to%20all.md"
        ]
    );
    for uri in [
        "skill://billing/refunds/SKILL.md",
        "skill://billing",
        "skill://",
        "skill://billing/refunds/..",
    ] {
        assert_eq!(read(uri).await["error"]["code"], -32602, "{uri}");
    }
}

#[tokio::test]
async fn sep_2640_long_lists_come_in_pages() {
    let server = Server::new(Shop).skills(Skills::from_files(files()).unwrap());
    let handler = server.limits(|limits| limits.page = 1).handler().unwrap();
    let client = Client::at(&handler, MODERN);
    let first = client.result("skills/list", json!({})).await;
    let next = client.result("skills/list", json!({"cursor": first["nextCursor"]})).await;
    assert_eq!(uris(&next["skills"]), ["skill://greet/SKILL.md"]);
    assert!(next.get("nextCursor").is_none());
}

#[tokio::test]
async fn ver_19_the_extension_is_there_where_it_was_asked_for_and_in_the_modern_era() {
    let client = client();
    let discover = client.result("server/discover", json!({})).await;
    let extensions = json!({"io.modelcontextprotocol/skills": {"directoryRead": true}});
    assert_eq!(discover["capabilities"]["extensions"], extensions);
    let without = Server::new(Shop).handler().unwrap();
    for method in ["skills/list", "skills/get", "resources/directory/read"] {
        assert_eq!(Client::at(&without, MODERN).error(method, json!({})).await["code"], -32601);
        let legacy = Client::at(&serve(Skills::from_files(files()).unwrap()), LEGACY[3]);
        assert_eq!(legacy.error(method, json!({"uri": "x"})).await["code"], -32601);
    }
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[tokio::test]
async fn sep_2640_a_folder_is_read_once_and_only_what_belongs_to_a_skill() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "team/refunds/SKILL.md", MANIFEST);
    write(folder.path(), "team/refunds/a.txt", "a");
    write(folder.path(), "team/refunds/.secret", "no");
    write(folder.path(), "team/notes.txt", "no");
    write(folder.path(), "README.md", "no");
    let skills = Skills::from_dir(folder.path()).unwrap();
    write(folder.path(), "team/refunds/later.txt", "no");
    let list = Client::at(&serve(skills), MODERN).result("skills/list", json!({})).await;
    assert_eq!(
        uris(&list["skills"][0]["resources"]),
        ["skill://team/refunds/SKILL.md", "skill://team/refunds/a.txt"]
    );
}

#[cfg(unix)]
#[test]
fn sep_2640_a_link_out_of_the_folder_is_not_followed() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(folder.path(), "refunds/SKILL.md", MANIFEST);
    write(outside.path(), "secret", "no");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("refunds/more")).unwrap();
    let error = Skills::from_dir(folder.path()).unwrap_err();
    assert!(matches!(error, SkillsError::Link { .. }), "{error}");
}

#[test]
fn sep_2640_what_is_no_skill_is_refused_with_the_reason() {
    let refused = |path: &str, text: &str| {
        Skills::from_files([(path.to_owned(), text.to_owned())]).unwrap_err().to_string()
    };
    let manifest = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    for (path, text, why) in [
        ("a/SKILL.md", "# A".to_owned(), "does not begin with front matter"),
        ("a/SKILL.md", "---\nname: a\n---\n".to_owned(), "no text `description`"),
        ("a/SKILL.md", "---\nname: [a\n---\n".to_owned(), "is no YAML"),
        ("a/SKILL.md", "---\n- a\n---\n".to_owned(), "no list of names"),
        ("a/SKILL.md", manifest("b"), "must be the same"),
        ("A/SKILL.md", manifest("A"), "small letters"),
        ("a--b/SKILL.md", manifest("a--b"), "small letters"),
        ("a/notes.md", "x".to_owned(), "there is no skill"),
        ("../a/SKILL.md", manifest("a"), "cannot be the path"),
        ("/a/SKILL.md", manifest("a"), "cannot be the path"),
        ("a\\b/SKILL.md", manifest("a"), "cannot be the path"),
        ("SKILL.md", manifest("a"), "cannot be the path"),
    ] {
        let error = refused(path, &text);
        assert!(error.contains(why), "{path}: {error}");
    }
    let bomb = "---\nname: a\ndescription: x\nb: &b [x, x, x, x, x, x, x, x, x]\n".to_owned()
        + &(0..12).fold(String::new(), |text, n| {
            let before = if n == 0 { "b".to_owned() } else { format!("c{}", n - 1) };
            text + &format!("c{n}: &c{n} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n")
        })
        + "---\n";
    assert!(refused("a/SKILL.md", &bomb).contains("is no YAML"), "SEC-5");
    let many: Vec<_> = (0..513)
        .map(|n| (format!("a/{n}"), String::new()))
        .chain([("a/SKILL.md".to_owned(), manifest("a"))])
        .collect();
    assert!(Skills::from_files(many).unwrap_err().to_string().contains("more than 512 files"));
    let stray = [("a/SKILL.md", manifest("a")), ("b/x", String::new())];
    assert!(Skills::from_files(stray).unwrap_err().to_string().contains("belongs to no skill"));
}
