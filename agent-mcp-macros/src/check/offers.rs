//! An agent offers something.

use crate::{
    diag::{Bag, Mistake},
    model::{Agent, Role},
    parse::item::{Block, Item},
    recover::{self, conditional, helper},
};

/// Refuses a block without an entry, which would be served as an empty list. Macro calls in such a block
/// are dropped: they may hold the missing capability, whose attribute would complain once more.
pub(crate) fn check(agent: &Agent, block: &mut Block, bag: &mut Bag) {
    let offers = block.items.iter().any(|item| match item {
        Item::Method(method) => method.attrs.iter().any(|attr| {
            helper(attr.path(), &agent.krate).is_some()
                || conditional(attr).is_some_and(|(_, metas)| {
                    metas.iter().any(|meta| helper(meta.path(), &agent.krate).is_some())
                })
        }),
        Item::Macro(item) | Item::Other(item) => recover::stray(item, &agent.krate).is_some(),
    });
    if offers || matches!(&agent.role, Role::Main(main) if !main.parts.is_empty()) {
        return;
    }
    let in_macro = block.items.iter().find_map(|item| match item {
        Item::Macro(tokens) => Some(tokens),
        _ => None,
    });
    let mistake = match in_macro {
        Some(tokens) => {
            Mistake::at(tokens, "`#[agent]` cannot see capabilities that a macro makes")
                .help("write the methods out, or let the macro make the whole impl block")
        }
        None => Mistake::at(&agent.self_ty, "this agent offers nothing")
            .help("put `#[capability]` above a method that agents may call"),
    };
    bag.add(mistake);
    block.items.retain(|item| !matches!(item, Item::Macro(_)));
}
