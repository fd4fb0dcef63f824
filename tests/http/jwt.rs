//! Tokens that an issuer has signed.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use agent_mcp::{
    Context, Principal, Server, agent,
    transport::http::{
        ProtectedResource,
        jwt::{Algorithm, Claims, Jwt},
    },
};
use jsonwebtoken::{EncodingKey, Header, jwk::Jwk};
use serde_json::{Value, json};

use crate::client::{Answer, Client, modern};

const ISSUER: &str = "https://login.example";
const RESOURCE: &str = "https://tools.example/mcp";

/// An issuer's private key of 32 bytes, all of them `seed`.
#[derive(Clone)]
struct Key {
    id: &'static str,
    algorithm: jsonwebtoken::Algorithm,
    key: EncodingKey,
}

impl Key {
    fn ed(id: &'static str, seed: u8) -> Self {
        let mut der = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20".to_vec();
        der.extend([seed; 32]);
        Self { id, algorithm: jsonwebtoken::Algorithm::EdDSA, key: EncodingKey::from_ed_der(&der) }
    }

    fn p256(id: &'static str, seed: u8) -> Self {
        let mut der =
            b"\x30\x41\x02\x01\x00\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\
            \x86\x48\xce\x3d\x03\x01\x07\x04\x27\x30\x25\x02\x01\x01\x04\x20"
                .to_vec();
        der.extend([seed; 32]);
        Self { id, algorithm: jsonwebtoken::Algorithm::ES256, key: EncodingKey::from_ec_der(&der) }
    }

    fn public(&self) -> Value {
        let mut jwk = Jwk::from_encoding_key(&self.key, self.algorithm).unwrap();
        jwk.common.key_id = Some(self.id.to_owned());
        serde_json::to_value(jwk).unwrap()
    }

    fn sign(&self, claims: &Value) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(self.id.to_owned());
        jsonwebtoken::encode(&header, claims, &self.key).unwrap()
    }
}

/// What a good token says, and what is different in this one; null leaves a claim out.
fn claims(different: &Value) -> Value {
    let mut claims = json!({
        "iss": ISSUER, "sub": "ada", "aud": RESOURCE, "exp": seconds(600), "scope": "desk:read desk:write",
    });
    for (name, value) in different.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    claims
}

/// The time in that many seconds.
fn seconds(from_now: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    i64::try_from(now).unwrap() + from_now
}

/// Where the keys come from.
#[derive(Clone)]
struct Source {
    set: Arc<Mutex<Result<Value, &'static str>>>,
    asked: Arc<AtomicUsize>,
}

impl Source {
    fn of(keys: &[&Key]) -> Self {
        let source = Self { set: Arc::new(Mutex::new(Err(""))), asked: Arc::default() };
        source.give(keys);
        source
    }

    fn give(&self, keys: &[&Key]) {
        let keys: Vec<_> = keys.iter().map(|key| key.public()).collect();
        *self.set.lock().unwrap() = Ok(json!({ "keys": keys }));
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn jwt(&self) -> Jwt {
        let source = self.clone();
        Jwt::new(ISSUER, RESOURCE, move || {
            source.asked.fetch_add(1, Ordering::SeqCst);
            let set = source.set.lock().unwrap().clone();
            async move { set.map(|set| set.to_string()) }
        })
    }
}

#[derive(Clone, Default)]
struct Desk {
    runs: Arc<AtomicUsize>,
}

/// A desk.
#[agent(principal = Claims)]
impl Desk {
    /// Who calls.
    #[capability(scopes = ["desk:read"])]
    async fn who(&self, cx: &Context<Self>) -> String {
        self.runs.fetch_add(1, Ordering::SeqCst);
        cx.principal().id().to_string()
    }
}

fn serve(jwt: Jwt) -> Client {
    let resource = ProtectedResource::new(RESOURCE).authorization_server(ISSUER);
    let server = Server::new(Desk::default()).http().authenticate(jwt.principal(Some));
    Client::of(server.protected_resource(resource))
}

async fn who(client: &Client, token: &str) -> Answer {
    let mut request = modern("tools/call", json!({"name": "who"}));
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    client.send(request).await
}

async fn status(client: &Client, token: &str) -> u16 {
    who(client, token).await.status.as_u16()
}

#[tokio::test]
async fn auth_41c_audience_and_scope_of_a_signed_token() {
    let key = Key::ed("one", 1);
    let (desk, source) = (Desk::default(), Source::of(&[&key]));
    let resource = ProtectedResource::new(RESOURCE).authorization_server(ISSUER);
    let http = Server::new(desk.clone()).http().authenticate(source.jwt().principal(Some));
    let client = Client::of(http.protected_resource(resource));
    for aud in [
        json!("https://other.example/mcp"),
        json!(["https://other.example"]),
        json!("https://tools.example"),
        json!("https://tools.example/mcp/more"),
        json!([]),
        json!(7),
        Value::Null,
    ] {
        let answer = who(&client, &key.sign(&claims(&json!({"aud": aud})))).await;
        assert_eq!(answer.error(401), -32600, "{aud}");
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(
            challenge.starts_with(r#"Bearer error="invalid_token", resource_metadata="https://"#)
        );
    }
    let answer = who(&client, &key.sign(&claims(&json!({"scope": "desk:write"})))).await;
    assert_eq!(answer.error(403), -32600);
    let challenge = answer.header("www-authenticate").unwrap();
    assert!(challenge.starts_with(r#"Bearer error="insufficient_scope", scope="desk:read", res"#));
    assert_eq!(desk.runs.load(Ordering::SeqCst), 0, "nothing has run");
    // auth-16b: an issuer may write the resource with its slash.
    for aud in [json!(RESOURCE), json!("https://tools.example/mcp/"), json!(["x", RESOURCE])] {
        let answer = who(&client, &key.sign(&claims(&json!({"aud": aud})))).await.result();
        assert_eq!(answer["content"][0]["text"], "https://login.example ada");
    }
}

#[tokio::test]
async fn auth_5_a_token_that_is_not_good_is_refused_in_safe_words() {
    let (key, other) = (Key::ed("one", 1), Key::ed("one", 2));
    let client = serve(Source::of(&[&key]).jwt());
    let with = |different: Value| key.sign(&claims(&different));
    let good = with(json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let payload = head.split_once('.').unwrap().1;
    // A public key is no secret.
    let secret = key.public()["x"].as_str().unwrap().to_owned();
    let mut hmac = Header::new(jsonwebtoken::Algorithm::HS256);
    hmac.kid = Some("one".to_owned());
    let secret = EncodingKey::from_secret(secret.as_bytes()).unwrap();
    let hmac = jsonwebtoken::encode(&hmac, &claims(&json!({})), &secret).unwrap();
    for (token, said) in [
        (with(json!({"exp": seconds(-120)})), "The token has expired"),
        (with(json!({"nbf": seconds(120)})), "The token is not valid yet"),
        (with(json!({"iss": "https://evil.example"})), "The token is from another issuer"),
        (with(json!({"aud": "https://evil.example"})), "The token is for another server"),
        (with(json!({"exp": null})), "The token is not valid"),
        (with(json!({"exp": "tomorrow"})), "The token is not valid"),
        (with(json!({"iss": null})), "The token is not valid"),
        (with(json!({"sub": null})), "The token is not valid"),
        (with(json!({"sub": ""})), "The token is not valid"),
        (other.sign(&claims(&json!({}))), "The token is not valid"),
        (
            format!("{head}.{}", signature.replace(|c: char| c != 'A', "A")),
            "The token is not valid",
        ),
        (format!("eyJhbGciOiJub25lIn0.{payload}."), "The token is not valid"),
        (format!("{head}."), "The token is not valid"),
        (hmac, "The token is not valid"),
        ("a.b.c".to_owned(), "The token is not valid"),
        ("opaque".to_owned(), "The token is not valid"),
    ] {
        let answer = who(&client, &token).await;
        assert_eq!(answer.error(401), -32600, "{said}");
        assert_eq!(answer.json()["error"]["message"], said);
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(challenge.starts_with(r#"Bearer error="invalid_token""#), "{challenge}");
    }
    // Clocks differ: a minute is forgiven, unless it is said otherwise.
    for late in [json!({"exp": seconds(-30)}), json!({"nbf": seconds(30)})] {
        assert_eq!(status(&client, &with(late.clone())).await, 200);
        let strict = serve(Source::of(&[&key]).jwt().leeway(Duration::ZERO));
        assert_eq!(status(&strict, &with(late)).await, 401);
    }
}

#[tokio::test]
async fn auth_5_only_allowed_algorithms_and_fitting_keys_count() {
    let (ed, ec) = (Key::ed("ed", 1), Key::p256("ec", 1));
    let source = Source::of(&[&ed, &ec]);
    let (all, one) = (serve(source.jwt()), serve(source.jwt().algorithms([Algorithm::Es256])));
    let (by_ed, by_ec) = (ed.sign(&claims(&json!({}))), ec.sign(&claims(&json!({}))));
    assert_eq!((status(&all, &by_ed).await, status(&all, &by_ec).await), (200, 200));
    assert_eq!((status(&one, &by_ed).await, status(&one, &by_ec).await), (401, 200));
    // A token that names no key is tried with all that fit.
    let (old, new) = (Key::ed("old", 3), Key::ed("new", 4));
    let several = serve(Source::of(&[&old, &ec, &new]).jwt());
    let nameless = |key: &Key| {
        let header = Header::new(key.algorithm);
        jsonwebtoken::encode(&header, &claims(&json!({})), &key.key).unwrap()
    };
    assert_eq!(status(&several, &nameless(&new)).await, 200);
    assert_eq!(status(&several, &nameless(&ed)).await, 401);
}

#[tokio::test(start_paused = true)]
async fn auth_5_keys_rotate_and_tokens_cannot_make_a_flood() {
    let (old, new) = (Key::ed("old", 1), Key::ed("new", 2));
    let source = Source::of(&[&old]);
    let client = serve(source.jwt());
    let (by_old, by_new) = (old.sign(&claims(&json!({}))), new.sign(&claims(&json!({}))));
    assert_eq!(status(&client, &by_old).await, 200);
    assert_eq!(status(&client, &by_old).await, 200);
    assert_eq!(source.asked(), 1, "known keys are not asked for");
    source.give(&[&new]);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(status(&client, &by_new).await, 200);
    assert_eq!((status(&client, &by_old).await, source.asked()), (401, 2));
    for seed in 3..50 {
        let stranger = Key::ed("stranger", seed).sign(&claims(&json!({})));
        assert_eq!(status(&client, &stranger).await, 401);
    }
    assert_eq!(source.asked(), 2, "strangers' tokens ask nobody");
    // A source that fails takes nothing away, and a key that is gone is gone after an hour.
    *source.set.lock().unwrap() = Err("no route to postgres://hunter2");
    tokio::time::advance(Duration::from_secs(3_601)).await;
    assert_eq!((status(&client, &by_new).await, source.asked()), (200, 3));
    source.give(&[&old]);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!((status(&client, &by_new).await, status(&client, &by_old).await), (401, 200));
}

#[tokio::test(start_paused = true)]
async fn auth_5_without_keys_it_is_the_servers_fault() {
    let key = Key::ed("one", 1);
    let source = Source::of(&[&key]);
    *source.set.lock().unwrap() = Err("no route to postgres://hunter2");
    let client = serve(source.jwt());
    let token = key.sign(&claims(&json!({})));
    for _ in 0..3 {
        let answer = who(&client, &token).await;
        assert_eq!(answer.error(500), -32603);
        assert!(!String::from_utf8_lossy(&answer.body).contains("hunter2"));
    }
    assert_eq!(source.asked(), 1);
    source.give(&[&key]);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(status(&client, &token).await, 200);
    // Broken keys beside good ones are left out.
    *source.set.lock().unwrap() = Ok(json!({"keys": [
        {"kty": "nonsense"}, 7, {"kty": "oct", "k": "c2VjcmV0", "kid": "one"}, key.public(),
    ]}));
    let client = serve(source.jwt());
    assert_eq!(status(&client, &token).await, 200);
}
