impl TodoAgent {
    /// What an agent may see.
    fn context(cx: &Context<Self>) -> Visible {
        Visible::of(cx.model())
    }
    /// All todos, newest first.
    fn todos(cx: &Context<Self>) -> Vec<TodoView> {
        view(cx.model())
    }
    /// Delete the selected todo.
    fn delete_selected(cx: &Context<Self>) -> Message {
        Message::Delete
    }
    /// Waits for a state.
    async fn sync(
        &self,
        cx: &Context<Self>,
        args: SyncArgs,
    ) -> Result<Message, SyncError> {
        Ok(Message::Sync)
    }
}
#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::needless_borrow,
    clippy::redundant_closure
)]
const _: () = {
    use ::agent_mcp::__private as __p;
    #[allow(unused_imports)]
    use __p::probe::*;
    #[automatically_derived]
    impl __p::Agent for TodoAgent {
        type Model = Model;
        type Message = Message;
        type Principal = User;
        type Needs = __p::HostOf<Self>;
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("todo");
            __d.version(::core::option::Option::Some("2.0.0"));
            __d.title("Todos");
            __d.context(
                    "What an agent may see.",
                    (&&&&(&&&&&&__d.returns::<Visible>()).find()).kind(),
                )
                .run_inline(|__agent, __cx, ()| {
                    let __out = Self::context(__p::lend::<Context<Self>, _>(&__cx));
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                });
            __d.resource(
                    "all_todos",
                    "All todos, newest first.",
                    {
                        let _ = (&&&&(&&&__d.returns::<TodoView>()).peel()).kind();
                        (&&&&(&&&&&&__d.returns::<Vec<TodoView>>()).find()).kind()
                    },
                )
                .authorize(|__call| __p::verdict(__call, |__c| (Self::may_read)(__c)))
                .run_inline(|__agent, __cx, ()| {
                    let __out = Self::todos(__p::lend::<Context<Self>, _>(&__cx));
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                });
            __p::dispatches((&&&&(&&&__d.returns::<Message>()).peel()).kind());
            __d.capability(
                    "delete_selected",
                    "Delete the selected todo.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<Message>()).peel()).kind(),
                )
                .destructive(true)
                .timeout(__p::Duration::from_millis(10000))
                .available(__p::by_model::<Self, _, _>(|model| model.selected.is_some()))
                .authorize(|__call| __p::verdict(
                    __call,
                    |call| call.principal.may_delete,
                ))
                .scopes(&["todo:write"])
                .completion(|call, message| match message {
                    Message::Deleted {
                        request,
                        ..
                    } if *request == call.invocation.id => Completion::Done(()),
                    _ => Completion::Pending,
                })
                .run_inline(|__agent, __cx, __in| {
                    let __out = Self::delete_selected(
                        __p::lend::<Context<Self>, _>(&__cx),
                    );
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            (&&&__p::Argument::<SyncArgs>::new()).check();
            __p::dispatches(
                (&&&&(&&&__d.returns::<Result<Message, SyncError>>()).peel()).kind(),
            );
            __d.capability(
                    "sync",
                    "Waits for a state.",
                    (&&__p::Input::<SyncArgs>::new()).codec(),
                    (&&&&(&&&__d.returns::<Result<Message, SyncError>>()).peel()).kind(),
                )
                .idempotent(false)
                .open()
                .coerce()
                .concurrency(1)
                .available(__p::by_caller::<Self, _, _>(|model, user| user.admin))
                .completion_of(
                    |agent| agent.sync.clone(),
                    |__c, __v| (is_synced)(__c, __v),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::sync(
                            &__agent,
                            __p::lend::<Context<Self>, _>(&__cx),
                            __in,
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};
