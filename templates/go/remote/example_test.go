package remote_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/acpv1"
	"github.com/acp-codegen/acp-codegen/out/go/remote"
)

type agent struct{}

func (agent) SessionNew(ctx context.Context, _ *acpv1.AgentCall, _ *acpv1.NewSessionRequest) (*acpv1.NewSessionResponse, error) {
	return &acpv1.NewSessionResponse{SessionID: "session-1"}, nil
}

func (agent) SessionPrompt(ctx context.Context, call *acpv1.AgentCall, _ *acpv1.PromptRequest) (*acpv1.PromptResponse, error) {
	return &acpv1.PromptResponse{StopReason: acpv1.StopReasonEndTurn}, call.Session().Text(ctx, "Hello")
}

type client struct{}

func (client) SessionRequestPermission(context.Context, *acpv1.ClientCall, *acpv1.RequestPermissionRequest) (*acpv1.RequestPermissionResponse, error) {
	return &acpv1.RequestPermissionResponse{Outcome: &acpv1.RequestPermissionOutcomeCancelled{}}, nil
}

// A server of net/http serves an agent to callers with a token.
func Example() {
	ctx := context.Background()
	served, err := acpv1.NewAgent(agent{}, &acpv1.InitializeResponse{AgentInfo: acp.Some(&acpv1.Implementation{Name: "agent", Version: "1"})}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	handler := &remote.Handler{
		Serve: served.Serve,
		Authenticate: func(r *http.Request) (string, error) {
			user, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer key of ")
			return user, nil
		},
	}
	server := httptest.NewServer(handler)
	defer server.Close()

	c, err := acpv1.NewClient(client{}, &acpv1.InitializeRequest{ClientInfo: acp.Some(&acpv1.Implementation{Name: "client", Version: "1"})}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	connected, err := c.Connect(ctx, remote.HTTP(server.URL, &remote.Options{
		Header: http.Header{"Authorization": {"Bearer key of ana"}},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = connected.Close() }()
	opened, err := connected.SessionNew(ctx, &acpv1.NewSessionRequest{Cwd: "/"})
	if err != nil {
		fmt.Println(err)
		return
	}
	session := connected.Session(opened.SessionID)
	end, err := session.Prompt(ctx, &acpv1.TextContent{Text: "Hi"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.State().Timeline[1].Message.Text(), end.StopReason, handler.Connections())
	// Output: Hello end_turn 1
}
