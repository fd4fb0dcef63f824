/// Weather for any city.
impl Weather {
    /// Current conditions in a city.
    async fn current(
        &self,
        city: String,
        units: Units,
    ) -> Result<Conditions, WeatherError> {
        self.look_up(city, units).await
    }
    /// Forgets what was looked up.
    fn forget(&self) {
        self.cache.clear();
    }
    async fn look_up(
        &self,
        city: String,
        units: Units,
    ) -> Result<Conditions, WeatherError> {
        todo!()
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
    #[allow(unused_imports)]
    use ::core::option::Option::Some;
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __CurrentInput<__T0> {
        /// City name, in any language.
        city: __T0,
        #[serde(default = "__p::default::<Units>")]
        units: Units,
    }
    #[automatically_derived]
    impl __p::Agent for Weather {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("weather");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            __d.instructions("Weather for any city.");
            (&&&__p::Argument::<String>::new()).check();
            (&&&__p::Argument::<Units>::new()).check();
            __d.capability(
                    "current",
                    "Current conditions in a city.",
                    (&&__p::Input::<__CurrentInput<String>>::new()).codec(),
                    (&&&&(&&&__d.returns::<Result<Conditions, WeatherError>>()).peel())
                        .kind(),
                )
                .read_only(true)
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::current(&__agent, __in.city, __in.units).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.capability(
                    "forget",
                    "Forgets what was looked up.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .run_blocking(|__agent, __cx, __in| {
                    let __out = Self::forget(&__agent);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            __d
        }
    }
};
