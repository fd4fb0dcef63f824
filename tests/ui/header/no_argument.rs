use agent_mcp::{Context, agent};

struct Desk;

#[agent_mcp::data]
struct Filter {
    region: String,
}

#[agent]
impl Desk {
    /// Wrong.
    #[capability]
    async fn context(&self, #[header("Region")] cx: &Context<Self>) {
        let _ = cx;
    }

    /// Wrong.
    #[capability]
    async fn whole(
        &self,
        #[args]
        #[header("Region")]
        filter: Filter,
    ) {
        let _ = filter;
    }

    /// Wrong.
    #[resource]
    async fn resource(&self, #[header("Region")] region: String) -> String {
        region
    }

    /// Wrong.
    #[capability]
    #[header("Region")]
    async fn method(&self, region: String) {
        let _ = region;
    }

    async fn plain(&self, #[header("Region")] region: String) {
        let _ = region;
    }
}

fn main() {}
