//! The agent under test for what is read: a library with templates of every kind.

use std::sync::Arc;

use agent_mcp::{
    Content, Context, Effects, Embedded, Failure, Image, Server, Store, agent,
    mcp::{Handler, HandlerOptions},
};

#[derive(Clone, Default)]
pub(crate) struct Library {
    pub(crate) books: Vec<Arc<str>>,
}

pub(crate) type Books = Store<Library, Vec<&'static str>>;

pub(crate) fn library() -> Books {
    Store::new(Library { books: vec!["Emma".into(), "Dune".into()] }, |_: &Library, books| {
        let books = Vec::into_iter(books).map(Into::into).collect();
        (Library { books }, Effects::none())
    })
}

#[agent_mcp::data]
#[derive(Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    Title,
    Cover,
}

#[agent_mcp::data]
pub(crate) struct Number(pub(crate) u64);

#[agent_mcp::data]
pub(crate) struct Book {
    title: String,
}

/// Says what it was called with.
#[derive(Default)]
pub(crate) struct Shelf;

/// A library.
#[agent(name = "shelf", model = Library, message = Vec<&'static str>)]
impl Shelf {
    /// One book.
    #[resource(uri = "book://{id}", title = "A book", mime_type = "application/vnd.book+json")]
    fn book(cx: &Context<Self>, id: u64) -> Option<Book> {
        let title = cx.model().books.get(usize::try_from(id).ok()?)?;
        Some(Book { title: title.to_string() })
    }

    /// How the shelf is sorted.
    #[resource(size = 5, audience(user, assistant), priority = 0.5)]
    fn order(&self) -> &'static str {
        "title"
    }

    /// What is missing; only there while something is.
    #[resource(uri = "shelf://missing", available = |library| library.books.is_empty())]
    fn missing(&self) -> String {
        "everything".to_owned()
    }

    /// The newest.
    #[resource(uri = "book://newest", audience(assistant))]
    fn newest(cx: &Context<Self>) -> Option<String> {
        cx.model().books.last().map(ToString::to_string)
    }

    /// A part of a book.
    #[resource(uri = "book://{number}/{part}", authorize = |call| call.input.part != Part::Cover || call.input.number.0 != 1)]
    async fn part(
        &self,
        cx: &Context<Self>,
        number: Number,
        part: Part,
    ) -> Result<Vec<Content>, Failure> {
        let index = usize::try_from(number.0)?;
        let Some(book) = cx.model().books.get(index).cloned() else {
            return Err(Failure::not_found());
        };
        Ok(match part {
            Part::Title => vec![book.to_string().into()],
            Part::Cover => vec![
                Image::png(vec![1, 2, 3]).into(),
                Embedded::text(format!("book://{index}/spine"), "spine")
                    .mime_type("text/x-spine")
                    .into(),
            ],
        })
    }

    /// Which shelves are open.
    #[resource(uri = "open://{shelf}", available = |library| library.books.len() > 1)]
    async fn open(&self, cx: &Context<Self>, shelf: String) -> Result<String, Failure> {
        tokio::task::yield_now().await;
        let _ = shelf;
        Ok(cx.model().books.len().to_string())
    }

    /// A file.
    #[resource(uri = "files:///{+path}", audience(user), priority = 1)]
    fn file(&self, path: String) -> Result<Option<String>, String> {
        match &*path {
            "gone.txt" => Ok(None),
            "locked.txt" => Err("it is locked".to_owned()),
            "nothing" => Ok(Some(String::new())),
            _ => Ok(Some(format!("file {path}"))),
        }
    }

    /// What has nothing in it.
    #[resource(uri = "empty://{id}")]
    fn empty(&self, id: String) -> Vec<Content> {
        let _ = id;
        Vec::new()
    }

    /// Never asked: `book` has its addresses.
    #[resource(uri = "book://{name}")]
    fn shadowed(&self, name: String) -> String {
        panic!("{name}")
    }
}

pub(crate) struct Served {
    pub(crate) handler: Handler<()>,
    pub(crate) books: Books,
}

pub(crate) fn serve() -> Served {
    serve_with(|_| {})
}

pub(crate) fn serve_with(change: impl FnOnce(&mut HandlerOptions)) -> Served {
    let books = library();
    let server = Server::bind(Shelf, books.clone()).protocol(change);
    Served { handler: server.handler().unwrap(), books }
}
