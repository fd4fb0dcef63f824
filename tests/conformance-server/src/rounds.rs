use agent_mcp::{Context, Form, Unanswered, agent, runtime::Sampling};

#[derive(Form)]
pub(crate) struct Name {
    pub(crate) name: String,
}

#[derive(Form)]
struct Agreed {
    ok: bool,
}

#[derive(Form)]
struct Color {
    color: String,
}

/// What takes several rounds: a call is made again with the answers.
pub(crate) struct Rounds;

#[agent]
impl Rounds {
    /// Greet the user by the name that they give.
    #[capability(read_only)]
    async fn test_input_required_result_elicitation(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let Name { name } = cx.ask("user_name", "What is your name?").await?;
        Ok(format!("Hello, {name}!"))
    }

    /// Pass on what the model of the client says.
    #[capability(read_only)]
    async fn test_input_required_result_sampling(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let question = Sampling::new("What is the capital of France?").max_tokens(100);
        Ok(format!("LLM response: {}", cx.sample("capital", question).await?.text()))
    }

    /// List the folders that the client works in.
    #[capability(read_only)]
    async fn test_input_required_result_list_roots(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let uris: Vec<_> = cx.roots().await?.into_iter().map(|root| root.uri).collect();
        Ok(format!("Roots: {}", uris.join(", ")))
    }

    /// Ask for consent and find the way back by the state of the request.
    #[capability(read_only)]
    async fn test_input_required_result_request_state(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        confirm(cx).await
    }

    /// Ask the user, the model and the client at once.
    #[capability(read_only)]
    async fn test_input_required_result_multiple_inputs(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let greeting = Sampling::new("Say hello.").max_tokens(50);
        let (name, said, roots) = tokio::join!(
            cx.ask::<Name>("user_name", "What is your name?"),
            cx.sample("greeting", greeting),
            cx.roots(),
        );
        Ok(format!("{}, {} of {} roots", said?.text(), name?.name, roots?.len()))
    }

    /// Ask one thing after the other.
    #[capability(read_only)]
    async fn test_input_required_result_multi_round(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        let Name { name } = cx.ask("step1", "Step 1: what is your name?").await?;
        let Color { color } = cx.ask("step2", "Step 2: what is your favorite color?").await?;
        Ok(format!("Hello {name}, your favorite color is {color}."))
    }

    /// Ask for consent with a state that nobody can forge.
    #[capability(read_only)]
    async fn test_input_required_result_tampered_state(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        confirm(cx).await
    }

    /// Ask by a way that the client has.
    #[capability(read_only)]
    async fn test_input_required_result_capabilities(
        &self,
        cx: &Context<Self>,
    ) -> Result<String, Unanswered> {
        if cx.means().form {
            return confirm(cx).await;
        }
        Ok(cx.sample("hello", Sampling::new("Say hello.").max_tokens(50)).await?.text())
    }
}

async fn confirm(cx: &Context<Rounds>) -> Result<String, Unanswered> {
    let Agreed { ok } = cx.ask("confirm", "Please confirm.").await?;
    Ok(if ok { "state-ok" } else { "state-ok, but not confirmed" }.to_owned())
}
