package main

import (
	"context"
	"net"
	"testing"

	"echo_agent/acp/acp"
	"echo_agent/acp/acpv1"
)

// client refuses everything that it is asked for.
type client struct{}

func (client) SessionRequestPermission(context.Context, *acpv1.ClientCall, *acpv1.RequestPermissionRequest) (*acpv1.RequestPermissionResponse, error) {
	return &acpv1.RequestPermissionResponse{Outcome: &acpv1.RequestPermissionOutcomeCancelled{}}, nil
}

func TestThePromptIsEchoed(t *testing.T) {
	ctx := context.Background()
	agent, err := newAgent()
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	go agent.Serve(ctx, there)
	info := &acpv1.InitializeRequest{ClientInfo: acp.Some(&acpv1.Implementation{Name: "test", Version: "0.1.0"})}
	editor, err := acpv1.NewClient(client{}, info, nil)
	if err != nil {
		t.Fatal(err)
	}
	connected, err := editor.Connect(ctx, here)
	if err != nil {
		t.Fatal(err)
	}
	defer connected.Close()
	opened, err := connected.SessionNew(ctx, &acpv1.NewSessionRequest{Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	turn := connected.Session(opened.SessionID).Start(ctx, &acpv1.TextContent{Text: "Hello"})
	defer turn.Close()
	echoed := ""
	for turn.Next() {
		if chunk, ok := turn.Update().(*acpv1.SessionUpdateAgentMessageChunk); ok {
			echoed += chunk.Content.(*acpv1.TextContent).Text
		}
	}
	end, err := turn.Wait()
	if err != nil || end.StopReason != acpv1.StopReasonEndTurn || echoed != "Hello" {
		t.Error(end, err, echoed)
	}
}
