use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[capability]
    async fn nothing(&self, #[header] tenant_id: String) {
        let _ = tenant_id;
    }

    /// Wrong.
    #[capability]
    async fn none(&self, #[header()] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn no_text(&self, #[header(Region)] region: String, #[header(5)] shard: u32) {
        let _ = (region, shard);
    }

    /// Wrong.
    #[capability]
    async fn pair(&self, #[header = "Region"] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn two(&self, #[header("Region", "Zone")] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn empty(&self, #[header("")] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn space(&self, #[header("Tenant Id")] tenant: String) {
        let _ = tenant;
    }

    /// Wrong.
    #[capability]
    async fn line(&self, #[header("Region\r\nHost: x")] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn letters(&self, #[header("é")] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn prefix(&self, #[header("mcp-param-Region")] region: String) {
        let _ = region;
    }

    /// Wrong.
    #[capability]
    async fn conditional(&self, #[cfg_attr(all(), header("a b"))] region: String) {
        let _ = region;
    }
}

fn main() {}
