package main

import (
	"context"
	"fmt"
	"sync"

	"echo_agent/acp/acp"
	"echo_agent/acp/acpv1"
)

// agent handles the methods of the protocol: add a model here.
type agent struct {
	mu       sync.Mutex
	sessions map[acpv1.SessionID]string // their folders
}

func newAgent() (*acpv1.Agent, error) {
	info := &acpv1.InitializeResponse{
		AgentInfo: acp.Some(&acpv1.Implementation{Name: "echo-agent", Version: "0.1.0"}),
	}
	return acpv1.NewAgent(&agent{sessions: map[acpv1.SessionID]string{}}, info, nil)
}

func (a *agent) SessionNew(_ context.Context, _ *acpv1.AgentCall, params *acpv1.NewSessionRequest) (*acpv1.NewSessionResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := acpv1.SessionID(fmt.Sprintf("session-%d", len(a.sessions)+1))
	a.sessions[id] = params.Cwd
	return &acpv1.NewSessionResponse{SessionID: id}, nil
}

func (a *agent) SessionPrompt(ctx context.Context, call *acpv1.AgentCall, params *acpv1.PromptRequest) (*acpv1.PromptResponse, error) {
	a.mu.Lock()
	_, ok := a.sessions[params.SessionID]
	a.mu.Unlock()
	if !ok {
		return nil, acp.SessionNotFound(string(params.SessionID))
	}
	for _, block := range params.Prompt {
		text, ok := block.(*acpv1.TextContent)
		if !ok {
			continue
		}
		if err := call.Session().Text(ctx, text.Text); err != nil {
			return nil, err
		}
	}
	return &acpv1.PromptResponse{StopReason: acpv1.StopReasonEndTurn}, nil
}
