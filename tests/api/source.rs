//! The modules of a crate, as they are written.

use std::{collections::BTreeMap, fs, path::Path};

use syn::{Attribute, Ident, Item, UseTree};

/// The names of a module from the crate's root on.
pub(crate) type Place = Vec<String>;

/// A module, without its modules.
pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    /// The conditions of the module and those around it.
    pub(crate) cfg: Vec<Attribute>,
}

/// All modules of a crate.
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<Place, Module>,
}

impl Crate {
    /// Reads the crate with this root.
    pub(crate) fn read(root: &Path) -> Self {
        let mut krate = Self { modules: BTreeMap::new() };
        let items = syn::parse_file(&fs::read_to_string(root).unwrap()).unwrap().items;
        krate.add(Vec::new(), root.parent().unwrap(), items, Vec::new());
        krate
    }

    fn add(&mut self, place: Place, folder: &Path, items: Vec<Item>, cfg: Vec<Attribute>) {
        for item in &items {
            let Item::Mod(module) = item else { continue };
            let mut all = cfg.clone();
            all.extend(self::cfg(&module.attrs));
            if all.iter().any(is_test) {
                continue;
            }
            let name = module.ident.to_string();
            let inner = folder.join(&name);
            let items = match &module.content {
                Some((_, items)) => items.clone(),
                None => {
                    let files = [inner.with_extension("rs"), inner.join("mod.rs")];
                    let file = files.iter().find(|file| file.is_file()).unwrap();
                    syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap().items
                }
            };
            let mut place = place.clone();
            place.push(name);
            self.add(place, &inner, items, all);
        }
        self.modules.insert(place, Module { items, cfg });
    }

    /// Where what `path` names in `module` is written, and what it is called there. `None` for what another crate
    /// has.
    pub(crate) fn find(&self, module: &Place, path: &[String]) -> Option<(Place, String)> {
        let (name, prefix) = path.split_last()?;
        let mut at = match prefix.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super") => module[..module.len() - 1].to_vec(),
            Some("self") | None => module.clone(),
            Some(first) => self.module(module, first)?,
        };
        for next in prefix.iter().skip(1) {
            at =
                if next == "super" { at[..at.len() - 1].to_vec() } else { self.module(&at, next)? };
        }
        let items = &self.modules.get(&at)?.items;
        if items.iter().any(|item| ident(item).is_some_and(|it| it == name)) {
            return Some((at, name.clone()));
        }
        let leaves = items.iter().filter_map(|item| match item {
            Item::Use(item) => Some(leaves(&item.tree)),
            _ => None,
        });
        leaves.flatten().find_map(|(path, called)| match called.as_str() {
            "*" if !prefix.is_empty() => None,
            "*" => {
                let (_, glob) = path.split_last()?;
                self.find(&at, &[glob, std::slice::from_ref(name)].concat())
            }
            called if called == name && *path != [name.as_str()] => self.find(&at, &path),
            _ => None,
        })
    }

    /// The module that `name` is in `module`.
    fn module(&self, module: &Place, name: &str) -> Option<Place> {
        let inner = [&module[..], &[name.to_owned()]].concat();
        if self.modules.contains_key(&inner) {
            return Some(inner);
        }
        let used = self.modules.get(module)?.items.iter().find_map(|item| match item {
            Item::Use(item) => leaves(&item.tree).into_iter().find(|(_, called)| called == name),
            _ => None,
        })?;
        let (at, name) = self.find(module, &used.0)?;
        Some([at, vec![name]].concat())
    }
}

/// The paths that a `use` names, and what each is called; `*` stands for all.
pub(crate) fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(path) => {
            let mut found = leaves(&path.tree);
            for (leaf, _) in &mut found {
                leaf.insert(0, path.ident.to_string());
            }
            found
        }
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(to) => vec![(vec![to.ident.to_string()], to.rename.to_string())],
        UseTree::Glob(_) => vec![(vec!["*".to_owned()], "*".to_owned())],
    }
}

/// The name of what an item defines.
pub(crate) fn ident(item: &Item) -> Option<&Ident> {
    Some(match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    })
}

/// The conditions among attributes.
pub(crate) fn cfg(attrs: &[Attribute]) -> impl Iterator<Item = Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned()
}

fn is_test(attr: &Attribute) -> bool {
    attr.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}
