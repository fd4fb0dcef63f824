const _: fn() = || {
    use ::agent_mcp::__private as __p;
    use __p::probe::*;
    (&&__p::Header::<String>::new()).check();
    (&&&&__p::Member::<Item>::new()).check();
    (&&&&__p::Member::<Vec<Item>>::new()).check();
    #[cfg(feature = "extra")] (&&&&__p::Member::<Extra>::new()).check();
};
#[allow(unused_imports)]
use ::agent_mcp::__private::derived::*;
#[derive(
    ::agent_mcp::__private::serde::Serialize,
    ::agent_mcp::__private::serde::Deserialize,
    ::agent_mcp::__private::schemars::JsonSchema,
)]
#[serde(crate = "::agent_mcp::__private::serde")]
#[schemars(crate = "::agent_mcp::__private::schemars")]
/// An order.
#[derive(Clone)]
pub struct Order<T> {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    #[serde(with = "::agent_mcp::__private::Id::<Option < u64 >>")]
    number: Option<u64>,
    items: Vec<Item>,
    #[serde(default)]
    #[cfg(feature = "extra")]
    extra: Extra,
    #[serde(skip)]
    cache: Cache,
    more: Option<T>,
}
const _: fn() = || {
    use ::agent_mcp::__private as __p;
    use __p::probe::*;
    (&&&&__p::Member::<Holder>::new()).check();
    (&&&&__p::Member::<Box<Payment>>::new()).check();
    (&&&&__p::Member::<Share>::new()).check();
};
#[allow(unused_imports)]
use ::agent_mcp::__private::derived::*;
#[derive(
    ::agent_mcp::__private::serde::Serialize,
    ::agent_mcp::__private::serde::Deserialize,
    ::agent_mcp::__private::schemars::JsonSchema,
)]
#[serde(crate = "::agent_mcp::__private::serde")]
#[schemars(crate = "::agent_mcp::__private::schemars")]
#[serde(tag = "kind")]
pub(crate) enum Payment {
    Cash,
    Card { holder: Holder, number: String },
    Split(Box<Payment>, Share),
}
#[allow(unused_imports)]
use ::agent_mcp::__private::derived::*;
#[derive(
    ::agent_mcp::__private::serde::Serialize,
    ::agent_mcp::__private::serde::Deserialize,
    ::agent_mcp::__private::schemars::JsonSchema,
)]
#[serde(crate = "::agent_mcp::__private::serde")]
#[schemars(crate = "::agent_mcp::__private::schemars")]
struct Unit;
