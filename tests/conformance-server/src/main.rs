//! Serves what the official conformance suite asks for.
//!
//!     conformance-server stdio
//!     conformance-server http 127.0.0.1:8001
//!
//! Port 0 takes a free one. The address is printed when the server listens: `http://127.0.0.1:8001/mcp`.
//! `--always-stream` after it answers every request with a stream of events.

use std::process::ExitCode;

use agent_mcp::BoxError;
use conformance_server::server;

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (address, always_stream) = match arguments[..] {
        ["stdio"] => return Ok(server()?.serve_stdio().await?),
        ["http", address] => (address, false),
        ["http", address, "--always-stream"] => (address, true),
        _ => return Err("say `stdio`, or `http ADDRESS` as in `http 127.0.0.1:8001`".into()),
    };
    let mut http = server()?.http();
    if always_stream {
        http = http.always_stream();
    }
    let listening = http.listen(address).await?;
    println!("http://{}/mcp", listening.address()?);
    listening.serve().await?;
    Ok(())
}
