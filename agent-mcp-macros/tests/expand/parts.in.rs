/// Instructions.
#[agent(parts(admin::Admin, Extra), dotted_names)]
impl Desk {
    /// Lists.
    #[cfg(unix)]
    #[capability(name = "desk.list", title = "List")]
    fn list() -> String {
        String::new()
    }
}

#[agent(part = Extra, coerce)]
impl Desk {
    /// Adds.
    #[capability(inline)]
    fn add(&self, a: u8) -> u8 {
        a
    }
}
