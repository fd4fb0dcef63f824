//! Tools: the outcomes of a call at each revision (TOOL-*, B118 to B123, output-*, args-*, errors-*).

use agent_mcp::mcp::FaultStyle;
use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, MODERN, request, tool},
    desk::{serve, serve_with},
};

fn text(result: &Value) -> &str {
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1);
    assert_eq!(content[0]["type"], "text");
    content[0]["text"].as_str().unwrap()
}

fn outcome(result: &Value) -> [&str; 3] {
    let code = &result["_meta"]["agent-mcp/outcome"];
    ["kind", "dispatched", "status"].map(|key| code[key].as_str().unwrap())
}

#[tokio::test]
async fn output_802_number_as_return_value() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let list = client.result("tools/list", json!({})).await;
        let schema = tool(&list, "count").get("outputSchema").cloned();
        let result = client.call("count", json!({})).await;
        assert_eq!(text(&result), "42", "the text is never wrapped");
        let structured = result.get("structuredContent").cloned();
        match revision {
            "2024-11-05" | "2025-03-26" => assert_eq!((schema, structured), (None, None)),
            MODERN => {
                assert_eq!(structured, Some(json!(42)));
                assert_eq!(schema.unwrap()["type"], "integer");
            }
            _ => {
                assert_eq!(structured, Some(json!({"result": 42})));
                let schema = schema.unwrap();
                assert_eq!(schema["type"], "object");
                assert_eq!(schema["properties"]["result"]["type"], "integer");
                assert_eq!(schema["required"], json!(["result"]));
            }
        }
    }
}

#[tokio::test]
async fn tool_8_lists_are_wrapped_like_numbers() {
    let served = serve();
    for (revision, expected) in
        [("2025-06-18", json!({"result": ["a", "b"]})), (MODERN, json!(["a", "b"]))]
    {
        let result = Client::at(&served.handler, revision).call("names", json!({})).await;
        assert_eq!(result["structuredContent"], expected);
        assert_eq!(text(&result), r#"["a","b"]"#);
    }
}

// B122.
#[tokio::test]
async fn output_8ab_struct_as_return_value() {
    let served = serve();
    for revision in ["2025-06-18", "2025-11-25", MODERN] {
        let result = Client::at(&served.handler, revision).call("card", json!({})).await;
        assert_eq!(result["structuredContent"], json!({"name": "Ada", "points": 3}));
        let told: Value = serde_json::from_str(text(&result)).unwrap();
        assert_eq!(told, result["structuredContent"]);
        assert_eq!(outcome(&result), ["value", "yes", "ok"]);
        assert_eq!(result.get("isError"), None);
    }
}

#[tokio::test]
async fn schema_42e_long_integers_keep_their_digits() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let message = client.request(json!(1), "tools/call", json!({"name": "row"}));
    let agent_mcp::mcp::Received::Call(exchange) = client.receive(&message) else { panic!() };
    let reply = exchange.await.unwrap();
    let reply = std::str::from_utf8(&reply).unwrap();
    assert_eq!(reply.matches("9007199254740993").count(), 2, "{reply}");
}

#[tokio::test]
async fn output_a23_failing_tool_that_has_an_output_schema() {
    let served = serve();
    for revision in ALL {
        let result = Client::at(&served.handler, revision).call("lost_card", json!({})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(text(&result), "no stock");
        assert_eq!(result.get("structuredContent"), None);
        assert_eq!(outcome(&result), ["failed", "yes", "failed"]);
    }
}

#[tokio::test]
async fn output_d78_line_breaks_in_results() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let lines = "a\nb\r\nc\u{2028}d\u{85}e\\n\"f\"";
    // The client checks that each message is one line.
    assert_eq!(text(&client.call("echo", json!({"text": lines})).await), lines);
    let card = client.call("lines", json!({})).await;
    assert_eq!(card["structuredContent"]["name"], "a\u{2028}b\nc");
    assert_eq!(serde_json::from_str::<Value>(text(&card)).unwrap(), card["structuredContent"]);
    let id = client.send(&client.request(json!(lines), "ping", json!({}))).await;
    assert_eq!(id.unwrap()["id"], lines);
}

#[tokio::test]
async fn args_755_arguments_left_out() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for params in [
            json!({"name": "list_items"}),
            json!({"name": "list_items", "arguments": null}),
            json!({"name": "list_items", "arguments": {}}),
        ] {
            assert_eq!(text(&client.result("tools/call", params).await), "None");
        }
        assert_eq!(text(&client.call("list_items", json!({"limit": 7})).await), "Some(7)");
    }
}

#[tokio::test]
async fn b119_absent_arguments_must_fit_the_schema() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let result = client.result("tools/call", json!({"name": "echo"})).await;
    assert_eq!(outcome(&result), ["refused", "no", "invalid_input"]);
}

#[tokio::test]
async fn args_5f7_arguments_of_the_wrong_shape() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for arguments in [json!([1, 2]), json!("text"), json!(5), json!(true)] {
            let params = json!({"name": "close", "arguments": arguments});
            let error = client.error("tools/call", params).await;
            assert_eq!(error["code"], -32602);
            assert!(error["message"].as_str().unwrap().contains("object"));
        }
    }
    assert!(served.shop.model().open, "it was not run");
}

#[tokio::test]
async fn b118_a_call_without_a_name() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for params in [json!({}), json!({"name": 5}), json!({"name": null})] {
            assert_eq!(client.error("tools/call", params).await["code"], -32602);
        }
        // The place among the calls in flight is given up.
        client.error("tools/call", json!({})).await;
    }
}

#[tokio::test]
async fn errors_f05_unknown_tool() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let error = client.error("tools/call", json!({"name": "no_such_tool"})).await;
        assert_eq!(error["code"], -32602);
        assert_eq!(error["message"], "Unknown tool: no_such_tool");
    }
}

#[tokio::test]
async fn tool_9_the_tool_that_was_meant_is_named_if_it_exists_for_the_caller() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        for (name, meant) in [("fnid", "find"), ("Find", "find")] {
            let error = client.error("tools/call", json!({"name": name})).await;
            assert_eq!(error["code"], -32602);
            assert_eq!(error["message"], format!("Unknown tool: {name}, did you mean `{meant}`?"));
        }
    }
}

#[tokio::test]
async fn args_555_missing_required_argument() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let params = json!({"name": "find", "arguments": {}});
        if ["2025-11-25", MODERN].contains(&revision) {
            let result = client.result("tools/call", params).await;
            assert_eq!(result["isError"], true);
            assert!(text(&result).contains("city"), "{result}");
            assert_eq!(outcome(&result), ["refused", "no", "invalid_input"]);
        } else {
            let error = client.error("tools/call", params).await;
            assert_eq!(error["code"], -32602);
            assert!(error["message"].as_str().unwrap().contains("city"), "{error}");
            assert!(error["data"]["faults"].is_array());
        }
    }
}

#[tokio::test]
async fn tool_10_the_form_of_faults_can_be_chosen() {
    let params = json!({"name": "find", "arguments": {}});
    let served = serve_with(|options| options.faults = FaultStyle::Result);
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        assert_eq!(client.result("tools/call", params.clone()).await["isError"], true);
    }
    let served = serve_with(|options| options.faults = FaultStyle::Error);
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        assert_eq!(client.error("tools/call", params.clone()).await["code"], -32602);
    }
}

#[tokio::test]
async fn errors_8ca_business_errors_and_errors_of_the_protocol() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    assert_eq!(text(&client.call("lost_card", json!({})).await), "no stock");
    let strict = client.error("tools/call", json!({"name": "strict"})).await;
    assert_eq!(strict, json!({"code": -31000, "message": "not like this"}));
}

#[tokio::test]
async fn dynamic_93b_hidden_means_not_callable() {
    let served = serve();
    served.shop.send(crate::desk::Message::Open(false)).unwrap();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        assert!(!client.tools().await.contains(&"sell".to_owned()));
        // B36: before the arguments are looked at, which would not fit.
        let result = client.call("sell", json!({"garbage": 1})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(outcome(&result), ["refused", "no", "unavailable"]);
    }
}

#[tokio::test]
async fn dynamic_113_client_with_an_old_list() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    assert!(client.tools().await.contains(&"sell".to_owned()));
    client.call("close", json!({})).await;
    let result = client.call("sell", json!({"what": "lamp"})).await;
    assert_eq!(result["isError"], true, "B121: not an unknown tool");
    let words = text(&result);
    assert!(words.contains("not available now") && words.contains("List the tools again"));
}

#[tokio::test]
async fn b120_who_may_not_is_told_so_in_a_result() {
    let served = serve();
    for revision in ALL {
        let result = Client::at(&served.handler, revision).call("forbidden", json!({})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(outcome(&result), ["refused", "no", "unauthorized"]);
        assert!(text(&result).contains("not today"));
    }
}

#[tokio::test]
async fn runtime_c51_panic_in_a_handler() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let result = client.call("panics", json!({})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(outcome(&result)[0], "defect");
        assert!(text(&result).contains("`panics`") && !text(&result).contains("secret"));
        assert_eq!(text(&client.call("count", json!({})).await), "42", "the next call works");
    }
}

#[tokio::test]
async fn b78_a_dispatched_and_a_completed_message() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let closed = client.call("close", json!({})).await;
        let said = json!({"capability": "close", "status": "dispatched"});
        assert_eq!(serde_json::from_str::<Value>(text(&closed)).unwrap(), said);
        assert_eq!(outcome(&closed), ["dispatched", "yes", "dispatched"]);
        let opened = client.call("open", json!({})).await;
        assert_eq!(outcome(&opened), ["completed", "yes", "completed"]);
        if !["2024-11-05", "2025-03-26"].contains(&revision) {
            assert_eq!(closed["structuredContent"], said);
            assert_eq!(opened["structuredContent"]["status"], "completed");
        }
    }
}

#[tokio::test]
async fn what_returns_nothing_answers_ok() {
    let served = serve();
    let result = Client::at(&served.handler, MODERN).call("nothing", json!({})).await;
    assert_eq!(text(&result), "ok");
    assert_eq!(result.get("structuredContent"), None);
}

#[tokio::test]
async fn b125_an_identity_in_the_params_is_ignored() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let params = json!({
        "name": "forbidden", "principal": "admin", "user": {"admin": true},
        "_meta": {"principal": "admin"},
    });
    let result = client.result("tools/call", params).await;
    assert_eq!(outcome(&result)[2], "unauthorized");
}

#[tokio::test]
async fn limits_a_result_that_is_too_long_is_a_failed_one() {
    let (desk, shop) = (crate::desk::Desk::default(), crate::desk::shop());
    let server = agent_mcp::Server::bind(desk, shop).limits(|limits| limits.result = 100);
    let client = Client::at(&server.handler().unwrap(), "2025-11-25");
    let result = client.call("echo", json!({"text": "x".repeat(101)})).await;
    assert_eq!(result["isError"], true);
    let words = text(&result);
    assert!(
        words.contains("101") && words.contains("100") && words.contains("`result`"),
        "{words}"
    );
    assert_eq!(text(&client.call("echo", json!({"text": "x".repeat(100)})).await).len(), 100);
}

#[test]
fn a_call_is_not_run_before_it_is_polled() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let message = request(json!(1), "tools/call", json!({"name": "close"}));
    let agent_mcp::mcp::Received::Call(exchange) = client.receive(&message) else { panic!() };
    assert!(exchange.size() > message.to_string().len());
    assert!(!exchange.is_stream());
    drop(exchange);
    assert!(served.shop.model().open);
    // The caller of a dropped exchange went away, so its id is free.
    assert!(client.reply(&request(json!(1), "ping", json!({})))["result"].is_object());
}
