//! The client of test/go/visitors/own.go.txt on the official Rust crate.

use agent_client_protocol::v1::{ConnectionTo, schema::*};
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::{Agent, Client, Error, Result, Stdio, on_receive_notification, on_receive_request};
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::sleep;

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ASKED: Mutex<usize> = Mutex::new(0);

fn see(update: SessionUpdate) {
    let seen = match update {
        SessionUpdate::AgentMessageChunk(ContentChunk { content: ContentBlock::Text(block), .. }) => block.text,
        SessionUpdate::UserMessageChunk(ContentChunk { content: ContentBlock::Text(block), .. }) => format!("user: {}", block.text),
        SessionUpdate::ToolCall(_) => "tool_call".into(),
        SessionUpdate::ToolCallUpdate(mut update) => match update.fields.status.take() {
            Some(ToolCallStatus::Completed) => "completed".into(),
            Some(ToolCallStatus::Failed) => "failed".into(),
            _ => return,
        },
        SessionUpdate::Plan(plan) => format!("plan of {}", plan.entries.len()),
        SessionUpdate::SessionInfoUpdate(update) => format!("title {}", update.title.take().unwrap_or_default()),
        _ => return,
    };
    SEEN.lock().unwrap().push(seen);
}

fn print<T>(name: &str, result: Result<T>, seen: impl FnOnce(T) -> String) {
    let text = result.map_or_else(|error| format!("error {}", error.code.value()), seen);
    eprintln!("{}", format!("{name}: {text}").trim_end());
}

fn seen() -> Vec<String> {
    std::mem::take(&mut SEEN.lock().unwrap())
}

async fn prompt(agent: &ConnectionTo<Agent>, id: &SessionId, text: &str) {
    seen();
    let request = PromptRequest::new(id.clone(), vec![text.into()]);
    let end = agent.send_request(request).block_task().await;
    print(text, end, |end| {
        let mut all = seen();
        all.push(serde_json::to_value(end.stop_reason).unwrap().as_str().unwrap().into());
        all.join(", ")
    });
}

async fn visit(agent: ConnectionTo<Agent>) -> Result<()> {
    let abilities = ClientCapabilities::new().fs(FileSystemCapabilities::new().read_text_file(true));
    let hello = InitializeRequest::new(ProtocolVersion::V1).client_info(Implementation::new("visitor", "1.0.0"));
    agent.send_request(hello.client_capabilities(abilities)).block_task().await?;
    print("authenticate", agent.send_request(AuthenticateRequest::new("key")).block_task().await, |_| String::new());
    print("locked", agent.send_request(NewSessionRequest::new("/locked")).block_task().await, |_| String::new());
    let opened = agent.send_request(NewSessionRequest::new("/work")).block_task().await?;
    let id = opened.session_id;
    print("new", Ok(opened.modes), |modes| modes.unwrap().current_mode_id.0.to_string());
    for text in [
        "say hello", "count 20", "ask", "ask", "read /a.txt", "read /none", "tool", "plan", "title Visit",
        "fail -32011 no", "throw secret",
    ] {
        prompt(&agent, &id, text).await;
    }
    let (other, cancelled) = (agent.clone(), id.clone());
    agent.spawn(async move {
        sleep(Duration::from_millis(100)).await;
        other.send_notification(CancelNotification::new(cancelled))
    })?;
    prompt(&agent, &id, "wait").await;
    let done = |name, result: Result<()>| print(name, result, |()| String::new());
    done("set mode", agent.send_request(SetSessionModeRequest::new(id.clone(), "code")).block_task().await.map(drop));
    let request = SetSessionConfigOptionRequest::new(id.clone(), "model", "large");
    print("set model", agent.send_request(request).block_task().await, |response| {
        let option = serde_json::to_value(&response.config_options[0]).unwrap();
        option["currentValue"].as_str().unwrap().into()
    });
    print("list", agent.send_request(ListSessionsRequest::new()).block_task().await, |found| found.sessions.len().to_string());
    done("resume", agent.send_request(ResumeSessionRequest::new(id.clone(), "/work")).block_task().await.map(drop));
    seen();
    print("load", agent.send_request(LoadSessionRequest::new(id.clone(), "/work")).block_task().await, |_| {
        let seen = seen();
        format!("{}, {}", seen.len(), seen[0])
    });
    done("close", agent.send_request(CloseSessionRequest::new(id)).block_task().await.map(drop));
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    Client
        .v1()
        .on_receive_notification(async |params: SessionNotification, _| {
            see(params.update);
            Ok(())
        }, on_receive_notification!())
        .on_receive_request(async |params: RequestPermissionRequest, responder, _| {
            let option = {
                let mut asked = ASKED.lock().unwrap();
                *asked += 1;
                params.options[usize::from(*asked > 1)].option_id.clone()
            };
            let chosen = RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option));
            responder.respond(RequestPermissionResponse::new(chosen))
        }, on_receive_request!())
        .on_receive_request(async |params: ReadTextFileRequest, responder, _| {
            if params.path.to_str() == Some("/none") { return Err(Error::new(-32002, "no such file")); }
            responder.respond(ReadTextFileResponse::new(format!("content of {}", params.path.display())))
        }, on_receive_request!())
        .connect_with(Stdio::new(), visit)
        .await
}
