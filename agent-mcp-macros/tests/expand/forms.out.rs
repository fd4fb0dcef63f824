struct Order {
    /// Who gets it.
    #[form(title = "Name", min_length = 1, format = "email")]
    name: String,
    #[form(min = 1, max = 9, default = 1)]
    count: u8,
    #[serde(default, rename = "express")]
    fast: bool,
    #[form(max_items = 2, enum_names)]
    sizes: Vec<Size>,
    note: Option<String>,
}
const _: () = {
    use ::agent_mcp::__private as __p;
    #[automatically_derived]
    impl __p::Form for Order {
        fn pass(__form: &mut __p::FormPass<'_>) -> ::core::option::Option<Self> {
            let __0 = __form
                .field::<
                    String,
                >(
                    "name",
                    |__field| {
                        let __field = __field.title("Name");
                        let __field = __field.format(__p::TextFormat::Email);
                        let __field = __field.min_length(1u32);
                        let __field = __field.description("Who gets it.");
                        __field
                    },
                );
            let __1 = __form
                .field::<
                    u8,
                >(
                    "count",
                    |__field| {
                        let __field = __field.min(1);
                        let __field = __field.max(9);
                        let __field = __field.default(1);
                        __field
                    },
                );
            let __2 = __form
                .field::<
                    bool,
                >(
                    "express",
                    |__field| {
                        let __field = __field.or(::core::default::Default::default());
                        __field
                    },
                );
            let __3 = __form
                .field::<
                    Vec<Size>,
                >(
                    "sizes",
                    |__field| {
                        let __field = __field.max_items(2u32);
                        let __field = __field.enum_names(true);
                        __field
                    },
                );
            let __4 = __form.field::<Option<String>>("note", |__field| { __field });
            ::core::option::Option::Some(Self {
                name: __0?,
                count: __1?,
                fast: __2?,
                sizes: __3?,
                note: __4?,
            })
        }
    }
};
#[serde(rename_all = "camelCase")]
enum Size {
    /// Small
    Small,
    #[form(title = "Large")]
    VeryLarge,
}
const _: () = {
    use ::agent_mcp::__private as __p;
    #[automatically_derived]
    impl __p::Choice for Size {
        const OPTIONS: &'static [__p::FormOption] = &[
            __p::FormOption::new("small", ::core::option::Option::Some("Small")),
            __p::FormOption::new("veryLarge", ::core::option::Option::Some("Large")),
        ];
        fn at(__place: usize) -> ::core::option::Option<Self> {
            match __place {
                0usize => ::core::option::Option::Some(Self::Small),
                1usize => ::core::option::Option::Some(Self::VeryLarge),
                _ => ::core::option::Option::None,
            }
        }
        fn place(&self) -> usize {
            match self {
                Self::Small { .. } => 0usize,
                Self::VeryLarge { .. } => 1usize,
            }
        }
    }
};
