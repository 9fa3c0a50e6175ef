// The agent of the behavior corpus on the Go SDK, version 1.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

type session struct {
	cwd, mode, model string
	history          []acp.ContentBlock
	// The functions that cancel the turns that run, by the number of the turn.
	turns map[int]context.CancelFunc
}

func (s *session) modes() *acp.SessionModeState {
	modes := []acp.SessionMode{{Id: "ask", Name: "ask"}, {Id: "code", Name: "code"}}
	return &acp.SessionModeState{CurrentModeId: acp.SessionModeId(s.mode), AvailableModes: modes}
}

func (s *session) options() []acp.SessionConfigOption {
	values := acp.SessionConfigSelectOptionsUngrouped{{Value: "small", Name: "small"}, {Value: "large", Name: "large"}}
	option := acp.NewSessionConfigOptionSelect(acp.SessionConfigValueId(s.model), acp.SessionConfigSelectOptions{Ungrouped: &values})
	option.Select.Id, option.Select.Name = "model", "Model"
	return []acp.SessionConfigOption{option}
}

func (s *session) cancel() {
	for _, cancel := range s.turns {
		cancel()
	}
}

type agent struct {
	conn     *acp.AgentSideConnection
	mu       sync.Mutex
	client   acp.ClientCapabilities
	sessions map[acp.SessionId]*session
	count    int
}

// with gives a session to a function, or says that there is none.
func (a *agent) with(id acp.SessionId, work func(*session)) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	found, ok := a.sessions[id]
	if !ok {
		return &acp.RequestError{Code: -32002, Message: "Session not found"}
	}
	work(found)
	return nil
}

func (a *agent) Initialize(_ context.Context, p acp.InitializeRequest) (acp.InitializeResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.client = p.ClientCapabilities
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber,
		AgentInfo:       &acp.Implementation{Name: "testee", Version: "1.0.0"},
		AgentCapabilities: acp.AgentCapabilities{LoadSession: true, SessionCapabilities: acp.SessionCapabilities{
			Close: &acp.SessionCloseCapabilities{}, List: &acp.SessionListCapabilities{}, Resume: &acp.SessionResumeCapabilities{},
		}},
		AuthMethods: []acp.AuthMethod{{Agent: &acp.AuthMethodAgent{Id: "key", Name: "Key"}}},
	}, nil
}

func (a *agent) Authenticate(_ context.Context, p acp.AuthenticateRequest) (r acp.AuthenticateResponse, err error) {
	if p.MethodId != "key" {
		err = acp.NewInvalidParams(nil)
	}
	return
}

func (a *agent) NewSession(ctx context.Context, p acp.NewSessionRequest) (r acp.NewSessionResponse, err error) {
	switch p.Cwd {
	case "/slow":
		time.Sleep(150 * time.Millisecond)
	case "/none":
		return r, &acp.RequestError{Code: -32002, Message: "There is no such folder"}
	case "/locked":
		return r, acp.NewAuthRequired(nil)
	}
	a.mu.Lock()
	a.count++
	id := acp.SessionId(fmt.Sprint("s", a.count))
	s := &session{cwd: p.Cwd, mode: "ask", model: "small", turns: map[int]context.CancelFunc{}}
	a.sessions[id] = s
	a.mu.Unlock()
	if p.Cwd == "/commands" { // Nothing can be sent behind a response.
		err = a.say(ctx, id, "unsupported")
	}
	return acp.NewSessionResponse{SessionId: id, Modes: s.modes(), ConfigOptions: s.options()}, err
}

func (a *agent) LoadSession(ctx context.Context, p acp.LoadSessionRequest) (r acp.LoadSessionResponse, err error) {
	var history []acp.ContentBlock
	if err = a.with(p.SessionId, func(s *session) {
		r.Modes, r.ConfigOptions, history = s.modes(), s.options(), slices.Clone(s.history)
	}); err != nil {
		return
	}
	for _, block := range history {
		if err = a.send(ctx, p.SessionId, acp.UpdateUserMessage(block)); err != nil {
			return
		}
	}
	return
}

func (a *agent) ResumeSession(_ context.Context, p acp.ResumeSessionRequest) (r acp.ResumeSessionResponse, err error) {
	err = a.with(p.SessionId, func(s *session) { r.Modes, r.ConfigOptions = s.modes(), s.options() })
	return
}

func (a *agent) ListSessions(context.Context, acp.ListSessionsRequest) (r acp.ListSessionsResponse, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r.Sessions = []acp.SessionInfo{}
	for id, s := range a.sessions {
		r.Sessions = append(r.Sessions, acp.SessionInfo{SessionId: id, Cwd: s.cwd})
	}
	return
}

func (a *agent) CloseSession(_ context.Context, p acp.CloseSessionRequest) (r acp.CloseSessionResponse, err error) {
	err = a.with(p.SessionId, (*session).cancel)
	return
}

func (a *agent) SetSessionMode(_ context.Context, p acp.SetSessionModeRequest) (r acp.SetSessionModeResponse, err error) {
	if p.ModeId != "ask" && p.ModeId != "code" {
		return r, acp.NewInvalidParams(nil)
	}
	err = a.with(p.SessionId, func(s *session) { s.mode = string(p.ModeId) })
	return
}

func (a *agent) SetSessionConfigOption(_ context.Context, p acp.SetSessionConfigOptionRequest) (r acp.SetSessionConfigOptionResponse, err error) {
	if p.ValueId == nil || p.ValueId.Value != "small" && p.ValueId.Value != "large" {
		return r, acp.NewInvalidParams(nil)
	}
	err = a.with(p.ValueId.SessionId, func(s *session) {
		s.model = string(p.ValueId.Value)
		r.ConfigOptions = s.options()
	})
	return
}

func (a *agent) Cancel(_ context.Context, p acp.CancelNotification) error {
	_ = a.with(p.SessionId, (*session).cancel)
	return nil
}

func (a *agent) Prompt(ctx context.Context, p acp.PromptRequest) (acp.PromptResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var turn int
	if err := a.with(p.SessionId, func(s *session) {
		a.count++
		turn = a.count
		s.turns[turn] = cancel
		s.history = append(s.history, p.Prompt...)
	}); err != nil {
		return acp.PromptResponse{}, err
	}
	defer a.with(p.SessionId, func(s *session) { delete(s.turns, turn) })
	reason, err := a.work(ctx, p.SessionId, p.Prompt)
	if ctx.Err() != nil {
		return acp.PromptResponse{StopReason: acp.StopReasonCancelled}, nil
	}
	return acp.PromptResponse{StopReason: reason}, err
}

func (a *agent) send(ctx context.Context, id acp.SessionId, update acp.SessionUpdate) error {
	return a.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: id, Update: update})
}

func (a *agent) say(ctx context.Context, id acp.SessionId, text string) error {
	return a.send(ctx, id, acp.UpdateAgentMessageText(text))
}

func failed(err error) string {
	var known *acp.RequestError
	if errors.As(err, &known) {
		return fmt.Sprint("failed ", known.Code)
	}
	return "failed " + err.Error()
}

// work does the work on a prompt: the first word of its text names it.
func (a *agent) work(ctx context.Context, id acp.SessionId, prompt []acp.ContentBlock) (reason acp.StopReason, err error) {
	var name, rest string
	if len(prompt) > 0 && prompt[0].Text != nil {
		name, rest, _ = strings.Cut(prompt[0].Text.Text, " ")
	}
	first, others, _ := strings.Cut(rest, " ")
	number, _ := strconv.Atoi(first)
	pause := time.Duration(number) * time.Millisecond
	reason = acp.StopReasonEndTurn
	send := func(update acp.SessionUpdate) error { return a.send(ctx, id, update) }
	switch name {
	case "say":
		err = a.say(ctx, id, rest)
	case "think":
		err = send(acp.UpdateAgentThoughtText(rest))
	case "count":
		for i := 0; i < number && err == nil; i++ {
			err = a.say(ctx, id, strconv.Itoa(i))
		}
	case "echo":
		for _, block := range prompt[1:] {
			err = errors.Join(err, send(acp.UpdateAgentMessage(block)))
		}
	case "wait":
		<-ctx.Done()
	case "sleep":
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	case "stubborn":
		<-ctx.Done()
		time.Sleep(pause)
		err = a.say(context.WithoutCancel(ctx), id, "late")
	case "throw":
		err = errors.New(rest)
	case "fail":
		err = &acp.RequestError{Code: number, Message: others}
	case "ask":
		err = a.ask(ctx, id)
	case "read":
		err = a.say(ctx, id, a.read(ctx, id, rest))
	case "call":
		answer, failure := a.conn.CallExtension(ctx, rest, map[string]any{})
		if failure != nil {
			answer = json.RawMessage(failed(failure))
		}
		err = a.say(ctx, id, string(answer))
	case "notify":
		err = a.conn.NotifyExtension(ctx, rest, map[string]any{})
	case "tool", "broken":
		err = send(acp.StartToolCall("t1", "Look", acp.WithStartKind(acp.ToolKindRead), acp.WithStartStatus(acp.ToolCallStatusPending)))
		status := map[string]acp.ToolCallStatus{"tool": acp.ToolCallStatusCompleted, "broken": acp.ToolCallStatusFailed}[name]
		err = errors.Join(err, send(acp.UpdateToolCall("t1", acp.WithUpdateStatus(status))))
	case "plan":
		entry := acp.PlanEntry{Content: "first", Priority: acp.PlanEntryPriorityMedium, Status: acp.PlanEntryStatusPending}
		second := entry
		second.Content = "second"
		err = send(acp.UpdatePlan(entry, second))
	case "title":
		err = send(acp.SessionUpdate{SessionInfoUpdate: &acp.SessionSessionInfoUpdate{Title: &rest}})
	case "mode":
		err = send(acp.SessionUpdate{CurrentModeUpdate: &acp.SessionCurrentModeUpdate{CurrentModeId: acp.SessionModeId(rest)}})
	case "thread":
		go func() {
			for i := range 10 {
				_ = a.say(context.WithoutCancel(ctx), id, fmt.Sprint("thread ", i))
				time.Sleep(20 * time.Millisecond)
			}
		}()
		time.Sleep(30 * time.Millisecond)
	case "exit":
		os.Exit(number)
	case "print":
		fmt.Println(rest)
	case "stop":
		reason = acp.StopReason(rest)
	default:
		err = a.say(ctx, id, "unsupported")
	}
	return
}

func (a *agent) ask(ctx context.Context, id acp.SessionId) error {
	call := acp.StartToolCall("t1", "Run", acp.WithStartKind(acp.ToolKindExecute), acp.WithStartStatus(acp.ToolCallStatusPending))
	if err := a.send(ctx, id, call); err != nil {
		return err
	}
	answer, err := a.conn.RequestPermission(ctx, acp.RequestPermissionRequest{
		SessionId: id,
		ToolCall:  acp.ToolCallUpdate{ToolCallId: "t1"},
		Options: []acp.PermissionOption{
			{OptionId: "allow", Name: "Allow", Kind: acp.PermissionOptionKindAllowOnce},
			{OptionId: "reject", Name: "Reject", Kind: acp.PermissionOptionKindRejectOnce},
		},
	})
	if err != nil {
		return err
	}
	status, text := acp.ToolCallStatusFailed, "not allowed"
	if chosen := answer.Outcome.Selected; chosen != nil && chosen.OptionId == "allow" {
		status, text = acp.ToolCallStatusCompleted, "allowed"
	}
	if err := a.send(ctx, id, acp.UpdateToolCall("t1", acp.WithUpdateStatus(status))); err != nil {
		return err
	}
	return a.say(ctx, id, text)
}

func (a *agent) read(ctx context.Context, id acp.SessionId, path string) string {
	if !a.client.Fs.ReadTextFile {
		return "failed: the client cannot read files"
	}
	answer, err := a.conn.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: id, Path: path})
	if err != nil {
		return failed(err)
	}
	return answer.Content
}

func main() {
	a := &agent{sessions: map[acp.SessionId]*session{}}
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	<-a.conn.Done()
}
