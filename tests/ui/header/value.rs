use std::collections::BTreeMap;

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[capability]
    async fn fraction(&self, #[header("Price")] price: f64) {
        let _ = price;
    }

    /// Wrong.
    #[capability]
    async fn optional(&self, #[header("Share")] share: Option<f32>) {
        let _ = share;
    }

    /// Wrong.
    #[capability]
    async fn list(&self, #[header("Regions")] regions: Vec<String>) {
        let _ = regions;
    }

    /// Wrong.
    #[capability]
    async fn map(&self, #[header("Labels")] labels: BTreeMap<String, String>) {
        let _ = labels;
    }
}

fn main() {}
