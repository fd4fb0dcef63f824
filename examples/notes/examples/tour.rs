//! Serves the sample notes in a process of its own and drives them with `rmcp`'s client.
//!
//!     cargo run --locked -p notes --example tour

use std::error::Error;
use std::path::Path;
use std::{env, fs, io};

use notes::{Folder, app};
use rmcp::model::{CallToolRequestParams, ProtocolVersion, ReadResourceRequestParams};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    match env::args_os().nth(1) {
        // This program, started by itself below.
        Some(folder) => Ok(app(Folder::open(folder)?).serve_stdio().await?),
        None => tour().await,
    }
}

async fn tour() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample").as_ref(), folder.path())?;

    let mut server = Command::new(env::current_exe()?);
    server.arg(folder.path());
    let newest =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = ().serve_with_lifecycle(TokioChildProcess::new(server)?, newest).await?;

    println!(
        "The notes are served over stdio by another process. This is what a client sees of them.\n"
    );
    println!("Tools");
    for tool in client.list_all_tools().await? {
        let description = tool.description.unwrap_or_default();
        println!("  {:<16} {}", tool.name, description.lines().next().unwrap_or_default());
    }
    println!("Resources");
    for resource in client.list_all_resources().await? {
        println!("  {:<16} {}", resource.uri, resource.description.as_deref().unwrap_or_default());
    }

    let calls = [
        ("search", json!({"query": "tea"})),
        ("append", json!({"path": "shopping.md", "text": "- bread"})),
        ("read", json!({"path": "shopping.md"})),
        ("read", json!({"path": "../../etc/passwd"})),
    ];
    for (name, arguments) in calls {
        println!("\n> {name} {arguments}");
        let Value::Object(arguments) = arguments else { continue };
        let call = CallToolRequestParams::new(name).with_arguments(arguments);
        let answer = serde_json::to_value(client.call_tool(call).await?)?;
        for block in answer["content"].as_array().into_iter().flatten() {
            let refused =
                if answer["isError"] == true { "(an error the agent can read) " } else { "" };
            println!("{refused}{}", block["text"].as_str().unwrap_or_default().trim_end());
        }
    }

    println!("\n> read the resource app://notes");
    let notes = client.read_resource(ReadResourceRequestParams::new("app://notes")).await?;
    println!(
        "{}",
        serde_json::to_value(notes)?["contents"][0]["text"].as_str().unwrap_or_default()
    );
    client.cancel().await?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
