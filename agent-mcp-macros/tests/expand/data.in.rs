/// An order.
#[agent_mcp::data]
#[derive(Clone)]
pub struct Order<T> {
    #[header("Region")]
    region: String,
    #[id]
    number: Option<u64>,
    items: Vec<Item>,
    #[serde(default)]
    #[cfg(feature = "extra")]
    extra: Extra,
    #[serde(skip)]
    cache: Cache,
    more: Option<T>,
}

#[agent_mcp::data]
#[serde(tag = "kind")]
pub(crate) enum Payment {
    Cash,
    Card { holder: Holder, number: String },
    Split(Box<Payment>, Share),
}

#[agent_mcp::data]
struct Unit;
