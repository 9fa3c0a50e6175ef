package profile_test

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	acpv1 "github.com/acp-codegen/acp-codegen/out/go/profile"
)

type exampleAgent struct{}

func (exampleAgent) SessionNew(ctx context.Context, call *acpv1.AgentCall, params *acpv1.NewSessionRequest) (*acpv1.NewSessionResponse, error) {
	return &acpv1.NewSessionResponse{SessionID: "session-1"}, nil
}

func (exampleAgent) SessionPrompt(ctx context.Context, call *acpv1.AgentCall, params *acpv1.PromptRequest) (*acpv1.PromptResponse, error) {
	session := call.Session()
	tool, err := session.ToolCall(ctx, acpv1.ToolCallUpdate{
		Title: acp.Some("Run the tests"),
		Kind:  acp.Some(acpv1.ToolKindExecute),
	})
	if err != nil {
		return nil, err
	}
	allowed, err := tool.Ask(ctx)
	if err != nil {
		return nil, err
	}
	text := "Then not."
	if allowed != nil {
		text = "All tests pass."
		err = tool.Run(ctx, func(context.Context) error { return nil })
	} else {
		err = tool.Fail(ctx, "rejected")
	}
	if err != nil {
		return nil, err
	}
	return &acpv1.PromptResponse{StopReason: acpv1.StopReasonEndTurn}, session.Text(ctx, text)
}

type exampleClient struct{}

func (exampleClient) SessionRequestPermission(ctx context.Context, call *acpv1.ClientCall, params *acpv1.RequestPermissionRequest) (*acpv1.RequestPermissionResponse, error) {
	chosen := &acpv1.SelectedPermissionOutcome{OptionID: params.Options[0].OptionID}
	return &acpv1.RequestPermissionResponse{Outcome: chosen}, nil
}

// An agent asks for permission, runs a tool and says what came out. The client of the
// same process follows the turn, and has the state of the session in the end.
func Example() {
	ctx := context.Background()
	agent, err := acpv1.NewAgent(exampleAgent{}, &acpv1.InitializeResponse{
		AgentInfo: acp.Some(&acpv1.Implementation{Name: "tester", Version: "1.0.0"}),
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := acpv1.NewClient(exampleClient{}, &acpv1.InitializeRequest{
		ClientInfo: acp.Some(&acpv1.Implementation{Name: "editor", Version: "1.0.0"}),
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	here, there := net.Pipe()
	go func() { _ = agent.Serve(ctx, there) }()
	connected, err := client.Connect(ctx, here)
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
	turn := session.Start(ctx, &acpv1.TextContent{Text: "Test it"})
	defer turn.Close()
	for turn.Next() {
		switch update := turn.Update().(type) {
		case *acpv1.ToolCall:
			fmt.Println(update.Title, update.Kind.Or("?"))
		case *acpv1.SessionUpdateToolCallUpdate:
			fmt.Println(update.Status.Or("?"))
		case *acpv1.SessionUpdateAgentMessageChunk:
			fmt.Println(update.Content.(*acpv1.TextContent).Text)
		}
	}
	end, err := turn.Wait()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(end.StopReason)
	for _, entry := range session.State().Timeline {
		switch {
		case entry.Message != nil:
			fmt.Printf("%s: %s\n", entry.Message.Kind, entry.Message.Text())
		case entry.ToolCall != nil:
			fmt.Println(entry.ToolCall.Title.Or("?"), entry.ToolCall.Status.Or("?"))
		}
	}
	// Output:
	// Run the tests execute
	// in_progress
	// completed
	// All tests pass.
	// end_turn
	// user_message: Test it
	// Run the tests completed
	// agent_message: All tests pass.
}

// What is not valid has a pointer and a rule.
func ExampleDecode() {
	_, _, err := acpv1.Decode[acpv1.ContentBlock]([]byte(`{"type":"text"}`))
	var invalid *acp.InvalidError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Issues[0].Pointer, invalid.Issues[0].Rule)
	}
	// Output: /text required
}
