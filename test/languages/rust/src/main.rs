//! A codec of the types alone: right about most valid values, silent about what it repairs.
use serde_json::{Value, json};
use std::io::{BufRead, Write, stdin, stdout};

#[allow(dead_code, clippy::all)]
#[path = "../generated/rust/v1.rs"]
mod v1;

fn main() {
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut answer = answer(&request);
        answer["id"] = request["id"].clone();
        writeln!(stdout(), "{answer}").unwrap();
    }
}

fn answer(request: &Value) -> Value {
    let text = |key: &str| request[key].as_str().unwrap().to_owned();
    let input = text("input");
    if serde_json::from_str::<Value>(&input).is_err() {
        return json!({ "verdict": "malformed" });
    }
    match v1::round_trip(&text("definition"), &input) {
        Err(_) => json!({ "verdict": "invalid", "issues": [] }),
        Ok(_) if text("op") == "validate" => json!({ "verdict": "ok" }),
        Ok(value) => json!({ "verdict": "ok", "value": value, "notes": [] }),
    }
}
