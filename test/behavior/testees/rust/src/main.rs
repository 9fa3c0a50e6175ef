//! The agent of the behavior corpus on the official Rust crate, version 1.

use agent_client_protocol::v1::{ConnectionTo, schema, schema::*};
use agent_client_protocol::{Agent, Client, Error, Result, Stdio, UntypedMessage, on_receive_notification, on_receive_request};
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::Duration;
use tokio::{sync::watch, time::sleep};

struct Session {
    cwd: PathBuf,
    mode: SessionModeId,
    model: SessionConfigValueId,
    history: Vec<ContentBlock>,
    /// Tells the turns of the session that it was cancelled.
    cancels: watch::Sender<()>,
}

static SESSIONS: LazyLock<Mutex<HashMap<SessionId, Session>>> = LazyLock::new(Mutex::default);
static CLIENT: OnceLock<ClientCapabilities> = OnceLock::new();

/// Gives a session to a function, or says that there is none.
fn session<T>(id: &SessionId, work: impl FnOnce(&mut Session) -> T) -> Result<T> {
    let mut sessions = SESSIONS.lock().unwrap();
    let found = sessions.get_mut(id).ok_or_else(|| schema::Error::session_not_found(id.clone()))?;
    Ok(work(found))
}

impl Session {
    fn modes(&self) -> SessionModeState {
        SessionModeState::new(self.mode.clone(), ["ask", "code"].map(|id| SessionMode::new(id, id)).to_vec())
    }
    fn options(&self) -> Vec<SessionConfigOption> {
        let values = ["small", "large"].map(|value| SessionConfigSelectOption::new(value, value)).to_vec();
        vec![SessionConfigOption::select("model", "Model", self.model.clone(), values)]
    }
}

async fn create(cwd: PathBuf) -> Result<NewSessionResponse> {
    match cwd.to_str() {
        Some("/slow") => sleep(Duration::from_millis(150)).await,
        Some("/none") => return Err(Error::new(-32002, "There is no such folder")),
        Some("/locked") => return Err(Error::auth_required()),
        _ => {}
    }
    let (cancels, history) = (watch::Sender::new(()), Vec::new());
    let created = Session { cwd, mode: "ask".into(), model: "small".into(), history, cancels };
    let mut sessions = SESSIONS.lock().unwrap();
    let id = SessionId::new(format!("s{}", sessions.len() + 1));
    let response = NewSessionResponse::new(id.clone()).modes(created.modes()).config_options(created.options());
    sessions.insert(id, created);
    Ok(response)
}

struct Turn {
    client: ConnectionTo<Client>,
    id: SessionId,
    stop: watch::Receiver<()>,
    /// What follows the answer to the prompt.
    after: Option<SessionUpdate>,
}

impl Turn {
    fn send(&self, update: SessionUpdate) -> Result<()> {
        self.client.send_notification(SessionNotification::new(self.id.clone(), update))
    }
    fn say(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.send(SessionUpdate::AgentMessageChunk(ContentChunk::new(content.into())))
    }
    fn tell(&self, answer: Result<String>) -> Result<()> {
        self.say(answer.unwrap_or_else(|error| format!("failed {}", error.code.value())))
    }
    fn announce(&self, title: &str, kind: ToolKind) -> Result<()> {
        self.send(SessionUpdate::ToolCall(ToolCall::new("t1", title).kind(kind).status(ToolCallStatus::Pending)))
    }
    fn end_tool(&self, status: ToolCallStatus) -> Result<()> {
        self.send(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new("t1", ToolCallUpdateFields::new().status(status))))
    }
    async fn ask(&self) -> Result<bool> {
        let options = [("allow", "Allow", PermissionOptionKind::AllowOnce), ("reject", "Reject", PermissionOptionKind::RejectOnce)];
        let options = options.map(|(id, name, kind)| PermissionOption::new(id, name, kind)).to_vec();
        let call = ToolCallUpdate::new("t1", ToolCallUpdateFields::new());
        let request = RequestPermissionRequest::new(self.id.clone(), call, options);
        let response = self.client.send_request(request).block_task().await?;
        Ok(matches!(response.outcome, RequestPermissionOutcome::Selected(chosen) if &*chosen.option_id.0 == "allow"))
    }
    async fn read(&self, path: &str) -> Result<String> {
        if !CLIENT.get().is_some_and(|capabilities| capabilities.fs.read_text_file) {
            return Err(Error::method_not_found());
        }
        let request = ReadTextFileRequest::new(self.id.clone(), path);
        Ok(self.client.send_request(request).block_task().await?.content)
    }

    /// The work on a prompt: the first word of its text names it.
    async fn work(&mut self, prompt: Vec<ContentBlock>) -> Result<StopReason> {
        let text = if let Some(ContentBlock::Text(first)) = prompt.first() { first.text.clone() } else { String::new() };
        let (name, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let number: u64 = rest.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
        match name {
            "say" => self.say(rest)?,
            "think" => self.send(SessionUpdate::AgentThoughtChunk(ContentChunk::new(rest.into())))?,
            "count" => for i in 0..number { self.say(i.to_string())?; },
            "echo" => for block in &prompt[1..] { self.say(block.clone())?; },
            "wait" => { let _ = self.stop.changed().await; return Ok(StopReason::Cancelled); }
            "sleep" => tokio::select! {
                () = sleep(Duration::from_millis(number)) => {}
                _ = self.stop.changed() => return Ok(StopReason::Cancelled),
            },
            "stubborn" => {
                let _ = self.stop.changed().await;
                sleep(Duration::from_millis(number)).await;
                self.say("late")?;
                return Ok(StopReason::Cancelled);
            }
            "throw" => return Err(Error::into_internal_error(std::io::Error::other(rest))),
            "fail" => {
                let (code, message) = rest.split_once(' ').unwrap_or((rest, ""));
                return Err(Error::new(code.parse::<i32>().unwrap_or(0), message));
            }
            "ask" => {
                self.announce("Run", ToolKind::Execute)?;
                let allowed = self.ask().await?;
                self.end_tool(if allowed { ToolCallStatus::Completed } else { ToolCallStatus::Failed })?;
                self.say(if allowed { "allowed" } else { "not allowed" })?;
            }
            "read" => { let content = self.read(rest).await; self.tell(content)?; }
            "call" => {
                let request = UntypedMessage::new(rest, json!({}))?;
                let answer = self.client.send_request(request).block_task().await;
                self.tell(answer.map(|value| value.to_string()))?;
            }
            "notify" => self.client.send_notification(UntypedMessage::new(rest, json!({}))?)?,
            "tool" | "broken" => {
                self.announce("Look", ToolKind::Read)?;
                self.end_tool(if name == "tool" { ToolCallStatus::Completed } else { ToolCallStatus::Failed })?;
            }
            "plan" => {
                let entries = ["first", "second"].map(|text| PlanEntry::new(text, PlanEntryPriority::Medium, PlanEntryStatus::Pending));
                self.send(SessionUpdate::Plan(Plan::new(entries.to_vec())))?;
            }
            "title" => self.send(SessionUpdate::SessionInfoUpdate(SessionInfoUpdate::new().title(rest)))?,
            "after" => self.after = Some(SessionUpdate::SessionInfoUpdate(SessionInfoUpdate::new().title(rest))),
            "mode" => self.send(SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(rest.to_owned())))?,
            "thread" => {
                let turn = Turn { client: self.client.clone(), id: self.id.clone(), stop: self.stop.clone(), after: None };
                tokio::spawn(async move {
                    for i in 0..10 {
                        let _ = turn.say(format!("thread {i}"));
                        sleep(Duration::from_millis(20)).await;
                    }
                });
                sleep(Duration::from_millis(30)).await;
            }
            "exit" => std::process::exit(number as i32),
            "print" => println!("{rest}"),
            "stop" => return Ok(serde_json::from_value(json!(rest))?),
            _ => self.say("unsupported")?,
        }
        Ok(if self.stop.has_changed().unwrap_or(true) { StopReason::Cancelled } else { StopReason::EndTurn })
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let abilities = SessionCapabilities::new()
        .close(SessionCloseCapabilities::new())
        .list(SessionListCapabilities::new())
        .resume(SessionResumeCapabilities::new());
    let abilities = AgentCapabilities::new().load_session(true).session_capabilities(abilities);
    Agent
        .v1()
        .on_receive_request(async move |p: InitializeRequest, responder, _| {
            let _ = CLIENT.set(p.client_capabilities);
            let key = AuthMethod::Agent(AuthMethodAgent::new("key", "Key"));
            let response = InitializeResponse::new(p.protocol_version).agent_info(Implementation::new("testee", "1.0.0"));
            responder.respond(response.agent_capabilities(abilities.clone()).auth_methods(vec![key]))
        }, on_receive_request!())
        .on_receive_request(async |p: AuthenticateRequest, responder, _| {
            if &*p.method_id.0 != "key" { return Err(Error::invalid_params()); }
            responder.respond(AuthenticateResponse::new())
        }, on_receive_request!())
        .on_receive_request(async |p: NewSessionRequest, responder, client| {
            client.clone().spawn(async move {
                let has_commands = p.cwd.to_str() == Some("/commands");
                let result = create(p.cwd).await;
                let id = result.as_ref().ok().map(|response| response.session_id.clone());
                responder.respond_with_result(result)?;
                if let Some(id) = id && has_commands {
                    let update = AvailableCommandsUpdate::new(vec![AvailableCommand::new("plan", "Plans")]);
                    client.send_notification(SessionNotification::new(id, SessionUpdate::AvailableCommandsUpdate(update)))?;
                }
                Ok(())
            })
        }, on_receive_request!())
        .on_receive_request(async |p: LoadSessionRequest, responder, client| {
            let (history, response) = session(&p.session_id, |found| {
                (found.history.clone(), LoadSessionResponse::new().modes(found.modes()).config_options(found.options()))
            })?;
            for content in history {
                let update = SessionUpdate::UserMessageChunk(ContentChunk::new(content));
                client.send_notification(SessionNotification::new(p.session_id.clone(), update))?;
            }
            responder.respond(response)
        }, on_receive_request!())
        .on_receive_request(async |p: ResumeSessionRequest, responder, _| {
            responder.respond(session(&p.session_id, |found| {
                ResumeSessionResponse::new().modes(found.modes()).config_options(found.options())
            })?)
        }, on_receive_request!())
        .on_receive_request(async |_: ListSessionsRequest, responder, _| {
            let sessions = SESSIONS.lock().unwrap();
            let found = sessions.iter().map(|(id, one)| SessionInfo::new(id.clone(), one.cwd.clone()));
            responder.respond(ListSessionsResponse::new(found.collect()))
        }, on_receive_request!())
        .on_receive_request(async |p: CloseSessionRequest, responder, _| {
            session(&p.session_id, |found| found.cancels.send_replace(()))?;
            responder.respond(CloseSessionResponse::new())
        }, on_receive_request!())
        .on_receive_request(async |p: SetSessionModeRequest, responder, _| {
            if !["ask", "code"].contains(&&*p.mode_id.0) { return Err(Error::invalid_params()); }
            session(&p.session_id, |found| found.mode = p.mode_id)?;
            responder.respond(SetSessionModeResponse::new())
        }, on_receive_request!())
        .on_receive_request(async |p: SetSessionConfigOptionRequest, responder, _| {
            let Some(value) = p.value.as_value_id().filter(|value| ["small", "large"].contains(&&*value.0)) else {
                return Err(Error::invalid_params());
            };
            let options = session(&p.session_id, |found| { found.model = value.clone(); found.options() })?;
            responder.respond(SetSessionConfigOptionResponse::new(options))
        }, on_receive_request!())
        .on_receive_notification(async |p: CancelNotification, _| {
            let _ = session(&p.session_id, |found| found.cancels.send_replace(()));
            Ok(())
        }, on_receive_notification!())
        .on_receive_request(async |p: PromptRequest, responder, client| {
            let stop = session(&p.session_id, |found| {
                found.history.extend(p.prompt.clone());
                found.cancels.subscribe()
            })?;
            let cancellation = responder.cancellation();
            let mut turn = Turn { client: client.clone(), id: p.session_id, stop, after: None };
            client.spawn(async move {
                let reason = cancellation.run_until_cancelled(turn.work(p.prompt)).await;
                responder.respond_with_result(reason.map(PromptResponse::new))?;
                if let Some(update) = turn.after.take() { turn.send(update)?; }
                Ok(())
            })
        }, on_receive_request!())
        .connect_to(Stdio::new())
        .await
}
