//! `completion/complete`: suggestions for the values of arguments (CMP-1 to CMP-5).

use serde::Deserialize;

use super::{
    asking::{About, Runs},
    envelope,
    error::RpcError,
    exchange::{Exchange, Received},
    prompts,
    reply::Reply,
    request::Request,
    state::Flight,
};
use crate::{
    contract::Contract,
    runtime::{Completes, Principal, Suggested},
    schema::nearest,
};

/// CMP-2: how many values are sent at most.
const MOST: usize = 100;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Reference {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Context {
    arguments: Suggested,
}

/// Suggests values.
pub(crate) fn complete<P: Principal>(
    request: &Request<'_, P>,
    flight: Flight,
) -> Result<Received, RpcError> {
    let params = request.params;
    let reference: Reference = read(
        params.reference,
        r#"`ref` must be {"type":"ref/prompt","name":..} or {"type":"ref/resource","uri":..}"#,
    )?;
    let Argument { name, value } =
        read(params.argument, "`argument` must hold `name` and `value`, both strings")?;
    let others = match envelope::given(params.context) {
        Some(_) => {
            read::<Context>(params.context, "`context.arguments` must be an object of strings")?
                .arguments
        }
        None => Suggested::new(),
    };
    let contract = request.handler.contract();
    let of = find(contract, reference, &name)?;
    let (Completes::Prompt(about) | Completes::Template(about)) = &of;
    let about = About {
        method: "completion/complete",
        name: about.clone(),
        arguments: bytes::Bytes::new(),
        once: false,
    };
    let runs = Runs::of(request, &flight, about)?;
    let invocation = (runs.invocation(), request.principal.clone());
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let looking = handler.runtime().suggest(&of, name, value, others, invocation);
    // The contract has it, so there is an agent that has it.
    let looking =
        looking.ok_or_else(|| RpcError::new(RpcError::INTERNAL, "nothing to complete"))?;
    let own_channel = request.own_channel;
    Ok(Received::Call(Exchange::new(flight.answer(), request.bytes.len(), async move {
        let found = looking.await;
        runs.notices.close();
        let id = flight.id.clone();
        (flight.land() || own_channel).then(|| match found {
            Ok(values) => {
                let mut reply = Reply::new(&id, handler.face(revision), 256);
                let completion = reply.key("completion").open('{');
                completion.key("values").value(&values[..values.len().min(MOST)]);
                completion.key("total").value(&values.len());
                completion.key("hasMore").value(&(values.len() > MOST));
                completion.close('}');
                reply.end().into()
            }
            Err(outcome) => prompts::refusal(&outcome).reply(Some(&id)).into(),
        })
    })))
}

fn read<'a, T: Deserialize<'a>>(raw: envelope::Raw<'a>, text: &'static str) -> Result<T, RpcError> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .ok_or_else(|| RpcError::invalid_params(text))
}

/// CMP-3: there must be such a thing, and it must have such an argument.
fn find(contract: &Contract, reference: Reference, argument: &str) -> Result<Completes, RpcError> {
    let (of, arguments): (_, Vec<&str>) = match reference {
        Reference::Prompt { name } => {
            let prompt = contract.prompt(&name).ok_or_else(|| {
                let names = contract.prompts.iter().map(|prompt| &*prompt.name);
                unknown("prompt", &name, nearest(&name, names))
            })?;
            let arguments = prompt.arguments.iter().map(|it| &*it.name).collect();
            (Completes::Prompt(name), arguments)
        }
        Reference::Resource { uri } => {
            let templates = || contract.resources.iter().filter(|it| it.is_template());
            let template = templates().find(|template| template.uri == uri).ok_or_else(|| {
                unknown("template", &uri, nearest(&uri, templates().map(|it| &*it.uri)))
            })?;
            let schema = template.variables.as_ref().and_then(|it| it["properties"].as_object());
            let arguments = schema.into_iter().flat_map(|it| it.keys().map(String::as_str));
            (Completes::Template(uri), arguments.collect())
        }
    };
    if arguments.contains(&argument) {
        return Ok(of);
    }
    Err(unknown("argument", argument, nearest(argument, arguments)))
}

fn unknown(what: &str, name: &str, meant: Option<&str>) -> RpcError {
    let mut text = format!("Unknown {what}: {name}");
    if let Some(meant) = meant {
        text.push_str(&format!("; did you mean `{meant}`?"));
    }
    RpcError::invalid_params(text)
}
