use agent_mcp::agent;

struct Desk;

#[agent_mcp::data]
struct Filter {
    #[header("Tenant")]
    tenant: String,
    #[header("TENANT")]
    owner: String,
}

#[agent]
impl Desk {
    /// Wrong.
    #[capability]
    async fn same(&self, #[header("Region")] region: String, #[header("Region")] zone: String) {
        let _ = (region, zone);
    }

    /// Wrong.
    #[capability]
    async fn case(&self, #[header("Region")] from: String, #[header("region")] region: String) {
        let _ = (from, region);
    }

    /// Wrong.
    #[capability]
    async fn both(
        &self,
        #[header("Region")]
        #[header("Zone")]
        region: String,
    ) {
        let _ = region;
    }
}

fn main() {}
