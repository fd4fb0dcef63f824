//! Several agents in one server, and in-process calls through the same door (B22, N12).

use agent_mcp::{Context, Server, agent, host::Store, runtime::BuildError};
use serde_json::json;

use crate::desk::status;

struct Echo;

#[agent]
impl Echo {
    /// Says it back.
    #[capability]
    async fn echo(&self, text: String) -> String {
        text
    }
}

struct Tally;

#[derive(Clone)]
struct Add(u32);

#[agent(model = u32, message = Add)]
impl Tally {
    /// Adds to the tally.
    #[capability(available = |total| *total < 10)]
    fn add(_cx: &Context<Self>, amount: u32) -> Add {
        Add(amount)
    }

    /// The tally.
    #[resource]
    fn total(cx: &Context<Self>) -> u32 {
        *cx.model()
    }
}

fn tally() -> Store<u32, Add> {
    Store::new(0, |total: &u32, Add(amount)| (total + amount, agent_mcp::host::Effects::none()))
}

#[tokio::test]
async fn several_agents_make_one_contract_and_each_keeps_its_host() {
    let store = tally();
    let runtime =
        Server::new(Echo).with_bound(Tally, store.clone()).name("both").runtime().unwrap();
    let names: Vec<_> = runtime.contract().capabilities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["echo", "add"]);
    assert_eq!(runtime.contract().name, "both");
    let door = runtime.in_process();
    assert_eq!(door.call("echo", &json!({"text": "hi"})).await.summary("echo").text, "hi");
    assert!(door.call("add", &json!({"amount": 12})).await.is_ok());
    assert_eq!(*store.model(), 12);
    assert_eq!(runtime.available(&()), [true, false]);
    assert_eq!(
        status(&door.call("add", &json!({"amount": 1})).await),
        agent_mcp::runtime::Status::Unavailable
    );
    assert_eq!(door.read("app://total").await.json::<u32>().unwrap(), 12);
}

#[test]
fn b13_two_agents_with_one_capability_name_are_refused_when_the_server_is_built() {
    let refused = Server::new(Echo).with(Echo).runtime().err().unwrap();
    assert!(matches!(refused, BuildError::Contract(_)), "{refused}");
    assert!(refused.to_string().contains("echo"), "{refused}");
    // `fn main() -> agent_mcp::Result<()>` prints the `Debug` form.
    let printed = format!("{:?}", agent_mcp::Error::from(refused));
    assert!(printed.contains("echo") && !printed.contains("Build("), "{printed}");
}
