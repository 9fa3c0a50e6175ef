package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/acpv1"
)

// In an update, an absent property is unchanged, and null clears it.
func ExampleOpt() {
	var absent acp.Opt[string]
	for _, title := range []acp.Opt[string]{absent, acp.Null[string](), acp.Some("Notes")} {
		update := &acpv1.SessionInfoUpdate{Title: title}
		text, err := json.Marshal(update)
		fmt.Println(string(text), title.Or("Untitled"), err)
	}
	// Output:
	// {"sessionUpdate":"session_info_update"} Untitled <nil>
	// {"sessionUpdate":"session_info_update","title":null} Untitled <nil>
	// {"sessionUpdate":"session_info_update","title":"Notes"} Notes <nil>
}

func ExampleFileURI() {
	for _, path := range []string{"/home/ana/a b.go", `C:\Users\ana\a.go`} {
		uri, err := acp.FileURI(path)
		if err != nil {
			fmt.Println(err)
			return
		}
		back, err := acp.FilePath(uri)
		fmt.Println(uri, back, err)
	}
	// Output:
	// file:///home/ana/a%20b.go /home/ana/a b.go <nil>
	// file:///C:/Users/ana/a.go C:\Users\ana\a.go <nil>
}

type lockedAgent struct{}

func (lockedAgent) SessionNew(context.Context, *acpv1.AgentCall, *acpv1.NewSessionRequest) (*acpv1.NewSessionResponse, error) {
	return nil, acp.AuthRequired()
}

func (lockedAgent) SessionPrompt(context.Context, *acpv1.AgentCall, *acpv1.PromptRequest) (*acpv1.PromptResponse, error) {
	return nil, acp.AuthRequired()
}

type quietClient struct{}

func (quietClient) SessionRequestPermission(context.Context, *acpv1.ClientCall, *acpv1.RequestPermissionRequest) (*acpv1.RequestPermissionResponse, error) {
	return &acpv1.RequestPermissionResponse{Outcome: &acpv1.RequestPermissionOutcomeCancelled{}}, nil
}

// connect connects a client with an agent that handles a method of its own.
func connect() (*acpv1.ConnectedAgent, error) {
	agent, err := acpv1.NewAgent(lockedAgent{}, &acpv1.InitializeResponse{AgentInfo: acp.Some(&acpv1.Implementation{Name: "agent", Version: "1"})}, &acp.Options{Extensions: []acp.Extension{
		acp.HandleRequest("_example.com/add", func(_ context.Context, _ acp.Peer, params [2]int) (int, error) {
			return params[0] + params[1], nil
		}),
	}})
	if err != nil {
		return nil, err
	}
	client, err := acpv1.NewClient(quietClient{}, &acpv1.InitializeRequest{ClientInfo: acp.Some(&acpv1.Implementation{Name: "client", Version: "1"})}, nil)
	if err != nil {
		return nil, err
	}
	here, there := net.Pipe()
	go func() { _ = agent.Serve(context.Background(), there) }()
	return client.Connect(context.Background(), here)
}

// The error of a call has the code of the answer.
func ExampleError() {
	agent, err := connect()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = agent.Close() }()
	_, err = agent.SessionNew(context.Background(), &acpv1.NewSessionRequest{Cwd: "/"})
	var answer *acp.Error
	if errors.As(err, &answer) && answer.Code == acp.CodeAuthRequired {
		fmt.Println(answer)
	}
	// Output: session/new: Authentication required (-32000)
}

// Methods that the protocol does not have are typed by generics.
func ExampleCall() {
	agent, err := connect()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = agent.Close() }()
	sum, err := acp.Call[int](context.Background(), agent, "_example.com/add", [2]int{2, 3})
	fmt.Println(sum, err)
	// Output: 5 <nil>
}
