package main

import (
	"context"

	"echo_agent/acp/acp"
	"echo_agent/acp/acpv1"
	"echo_agent/acp/sessions"
)

// agent handles the methods of the protocol: add a model here.
type agent struct {
	sessions sessions.Store[string] // their folders
}

func newAgent() (*acpv1.Agent, error) {
	info := &acpv1.InitializeResponse{
		AgentInfo: acp.Some(&acpv1.Implementation{Name: "echo-agent", Version: "0.1.0"}),
	}
	return acpv1.NewAgent(&agent{}, info, nil)
}

func (a *agent) SessionNew(_ context.Context, _ *acpv1.AgentCall, params *acpv1.NewSessionRequest) (*acpv1.NewSessionResponse, error) {
	id := a.sessions.Create("", params.Cwd)
	return &acpv1.NewSessionResponse{SessionID: acpv1.SessionID(id)}, nil
}

func (a *agent) SessionPrompt(ctx context.Context, call *acpv1.AgentCall, params *acpv1.PromptRequest) (*acpv1.PromptResponse, error) {
	if _, err := a.sessions.Get(string(params.SessionID)); err != nil {
		return nil, err // there is no such session
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
