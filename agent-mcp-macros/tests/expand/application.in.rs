#[agent(name = "todo", title = "Todos", version = "2.0.0", model = Model, message = Message, principal = User)]
impl TodoAgent {
    /// What an agent may see.
    #[context]
    fn context(cx: &Context<Self>) -> Visible {
        Visible::of(cx.model())
    }

    /// All todos, newest first.
    #[resource(name = "all_todos", authorize = Self::may_read)]
    fn todos(cx: &Context<Self>) -> Vec<TodoView> {
        view(cx.model())
    }

    /// Delete the selected todo.
    #[capability(
        available  = |model| model.selected.is_some(),
        authorize  = |call| call.principal.may_delete,
        scopes = ["todo:write"],
        completion = |call, message| match message {
            Message::Deleted { request, .. } if *request == call.invocation.id => Completion::Done(()),
            _ => Completion::Pending,
        },
        timeout = "10s",
        destructive,
    )]
    fn delete_selected(cx: &Context<Self>) -> Message {
        Message::Delete
    }

    /// Waits for a state.
    #[capability(
        available = |model, user| user.admin,
        completion = when(|agent| agent.sync.clone(), is_synced),
        concurrency = 1,
        idempotent = false,
        open,
        coerce,
    )]
    async fn sync(&self, cx: &Context<Self>, #[args] args: SyncArgs) -> Result<Message, SyncError> {
        Ok(Message::Sync)
    }
}
