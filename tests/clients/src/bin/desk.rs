//! A travel desk that talks back to whoever calls it, in every way that there is. No example needs all of them.
//!
//!     desk [http ADDRESS]
//!
//! Without an address it serves over standard input and output.

use agent_mcp::{
    BoxError, Choice, Context, Form, LogLevel, Sampling, Server, Unanswered, agent, data,
    runtime::Suggested,
};
use tokio::sync::watch;

struct Desk {
    /// Whether the plan that is being made may be finished.
    may_finish: watch::Sender<bool>,
}

/// Who comes, and how.
#[derive(Form)]
struct Guest {
    /// How we call you.
    name: String,
    #[form(title = "Guests", min = 1, max = 9, default = 1)]
    people: u8,
    #[form(default = Board::Breakfast)]
    board: Board,
    #[form(max_items = 2)]
    extras: Vec<Extra>,
    note: Option<String>,
}

#[derive(Choice, Debug)]
#[serde(rename_all = "snake_case")]
enum Board {
    /// Breakfast only
    Breakfast,
    /// Three meals
    Full,
}

#[derive(Choice, Debug)]
#[serde(rename_all = "snake_case")]
enum Extra {
    Sauna,
    Bicycle,
    Parking,
}

/// What the model looks for in the timetable.
#[data]
struct Trip {
    /// Where it goes.
    city: String,
}

#[derive(Form)]
struct Wish {
    /// Where you want to go.
    city: String,
}

/// A travel desk. It asks back.
#[agent]
impl Desk {
    /// Say in one line what a text is about.
    #[capability(read_only)]
    async fn summarize(
        &self,
        cx: &Context<Self>,
        /// The text.
        text: String,
    ) -> Result<String, Unanswered> {
        Ok(cx.sample("summary", in_one_line(text)).await?.text())
    }

    /// Say how one gets somewhere. The model may look into the timetable.
    #[capability(read_only)]
    async fn connection(
        &self,
        cx: &Context<Self>,
        /// Where to.
        city: String,
    ) -> Result<String, Unanswered> {
        let question = Sampling::new(format!("How do I get to {city}?"))
            .tool::<Trip>("timetable", "Says when the next train to a city leaves.");
        let said = cx.sample("question", question.clone()).await?;
        let answers = said.tool_uses().map(|used| match used.read::<Trip>() {
            Ok(Trip { city }) => used.answer(format!("The train to {city} leaves at 8:05.")),
            Err(faults) => used.fail(faults.to_string()),
        });
        let question = question.answer(&said, answers);
        Ok(cx.sample("answer", question).await?.text())
    }

    /// Say where tickets can be looked for.
    #[capability(read_only)]
    async fn folders(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let folders = cx.roots().await?.into_iter();
        let folders =
            folders.map(|root| format!("{}: {}", root.name.unwrap_or_default(), root.uri));
        Ok(folders.collect::<Vec<_>>().join("\n"))
    }

    /// Book a room.
    #[capability]
    async fn book(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let guest: Guest = cx.ask("guest", "Who comes?").await?;
        let Guest { name, people, board, extras, note } = guest;
        Ok(format!("{name}, {people}, {board:?}, {extras:?}, {note:?}"))
    }

    /// Advise where to go: look at the folders and ask the model at the same time, then ask the person.
    #[capability(read_only)]
    async fn advise(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let advice = Sampling::new("Name a city.");
        let (folders, said) = tokio::join!(cx.roots(), cx.sample("advice", advice));
        let (folders, said) = (folders?.len(), said?.text());
        let Wish { city } = cx.ask("wish", format!("How about {said}?")).await?;
        Ok(format!("{said} was said, {city} is wished, {folders} folders"))
    }

    /// Say what happens, in three degrees.
    #[capability(read_only)]
    fn announce(cx: &Context<Self>) -> &'static str {
        cx.log(LogLevel::Debug, "The desk is looked for.");
        cx.log(LogLevel::Info, "The desk is open.");
        cx.log(LogLevel::Warning, "The desk closes soon.");
        "It is announced."
    }

    /// Plan a trip: half of it by itself, and the other half with the person, once the plan may be finished.
    #[capability(task = "optional")]
    async fn plan(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.begin_task().await;
        cx.progress().say(1.0, Some(2.0), "half of the plan is made");
        // The desk keeps the sender for as long as the plan is made.
        let _ = self.may_finish.subscribe().wait_for(|may| *may).await;
        let Wish { city } = cx.ask("wish", "Where do you want to go?").await?;
        Ok(format!("The plan for {city} is made."))
    }

    /// Say how many plans wait to be finished.
    #[capability(read_only)]
    fn plans(&self) -> String {
        format!("Plans that wait: {}.", self.may_finish.receiver_count())
    }

    /// Let the plan be finished.
    #[capability(idempotent)]
    fn finish(&self) {
        self.may_finish.send_replace(true);
    }

    /// Describe a place.
    #[prompt]
    fn describe(
        /// The country.
        #[suggest(|_, typed| countries(typed))]
        country: String,
        /// A city in it.
        #[suggest(|_, typed, chosen| cities(typed, chosen))]
        city: String,
    ) -> String {
        format!("Describe {city} in {country}.")
    }

    /// Interview the person.
    #[prompt]
    async fn interview(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let Wish { city } = cx.ask("wish", "What is it about?").await?;
        Ok(format!("Ask me what I know of {city}."))
    }
}

const COUNTRIES: [(&str, &[&str]); 2] =
    [("Austria", &["Graz", "Linz", "Vienna"]), ("Greece", &["Athens", "Volos"])];

fn countries(typed: &str) -> Vec<&'static str> {
    COUNTRIES.map(|(name, _)| name).into_iter().filter(|name| name.starts_with(typed)).collect()
}

/// The cities of the country that is chosen.
fn cities(typed: &str, chosen: &Suggested) -> Vec<&'static str> {
    let country = chosen.get("country").map(String::as_str);
    let cities = COUNTRIES.into_iter().filter(|(name, _)| Some(*name) == country);
    cities.flat_map(|(_, cities)| cities).copied().filter(|city| city.starts_with(typed)).collect()
}

fn in_one_line(text: String) -> Sampling {
    Sampling::new(text).system("Say in one line what this is about.").max_tokens(50)
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = Server::new(Desk { may_finish: watch::Sender::new(false) });
    match &arguments[..] {
        [] => server.serve_stdio().await?,
        [http, address] if http == "http" => {
            let listening = server.http().listen(address.as_str()).await?;
            println!("http://{}/mcp", listening.address()?);
            listening.serve().await?;
        }
        _ => return Err("say nothing, or `http ADDRESS`".into()),
    }
    Ok(())
}
