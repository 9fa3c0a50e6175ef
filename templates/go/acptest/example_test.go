package acptest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/acptest"
	"github.com/acp-codegen/acp-codegen/out/go/acpv1"
)

// A gateway connects editors with agents, each editor with one of its own. It reads nothing but the
// methods, so it passes on whatever later versions of the protocol bring.
type gateway struct {
	agents map[string]func() io.ReadWriteCloser

	mu   sync.Mutex
	seen map[string][]string // the methods of the editors, by agent
}

// open starts an agent for an editor, and returns the stream of the editor.
func (g *gateway) open(name string) io.ReadWriteCloser {
	agent := acp.Tap(g.agents[name](), func(line []byte, direction acp.Direction) {
		var message struct{ Method string }
		if direction == acp.Outgoing && json.Unmarshal(line, &message) == nil && message.Method != "" {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.seen[name] = append(g.seen[name], message.Method)
		}
	})
	here, there := net.Pipe()
	go pass(agent, here)
	go pass(here, agent)
	return there
}

// pass passes everything on, and the end of it.
func pass(to io.WriteCloser, from io.Reader) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// A window is the part of an editor that shows one agent.
type window struct{}

func (window) SessionUpdate(context.Context, *acpv1.ClientCall, *acpv1.SessionNotification) error {
	return nil
}

func (window) SessionRequestPermission(_ context.Context, _ *acpv1.ClientCall, params *acpv1.RequestPermissionRequest) (*acpv1.RequestPermissionResponse, error) {
	return &acpv1.RequestPermissionResponse{Outcome: &acpv1.SelectedPermissionOutcome{OptionID: params.Options[0].OptionID}}, nil
}

func Example() {
	ctx := context.Background()
	says := func(text string) func() io.ReadWriteCloser {
		agent := &acptest.Agent{Turn: func(turn *acptest.Turn) string {
			turn.Text(fmt.Sprintf("%s %s: %s", text, turn.Prompt, turn.Ask("Go on?")))
			return "end_turn"
		}}
		return agent.Connect
	}
	gate := &gateway{
		agents: map[string]func() io.ReadWriteCloser{"tea": says("Tea for"), "milk": says("Milk for")},
		seen:   map[string][]string{},
	}
	for _, name := range []string{"milk", "tea"} {
		// A client for each connection: the errors of another one have another function.
		options := &acp.Options{OnError: func(err error, method string) { fmt.Println(name, method, err) }}
		client, err := acpv1.NewClient(window{}, &acpv1.InitializeRequest{ClientInfo: acp.Some(&acpv1.Implementation{Name: "client", Version: "1"})}, options)
		if err != nil {
			panic(err)
		}
		agent, err := client.Connect(ctx, gate.open(name))
		if err != nil {
			panic(err)
		}
		opened, err := agent.SessionNew(ctx, &acpv1.NewSessionRequest{Cwd: "/"})
		if err != nil {
			panic(err)
		}
		session := agent.Session(opened.SessionID)
		if _, err := session.Prompt(ctx, &acpv1.TextContent{Text: "Ana"}); err != nil {
			panic(err)
		}
		_, err = acp.Call[any](ctx, agent, "_later/method", nil)
		timeline := session.State().Timeline
		fmt.Println(timeline[len(timeline)-1].Message.Text(), "/", err)
		_ = agent.Close()
		gate.mu.Lock()
		fmt.Println(name, gate.seen[name])
		gate.mu.Unlock()
	}
	// Output:
	// Milk for Ana: allow / _later/method: Method not found (-32601)
	// milk [initialize session/new session/prompt _later/method]
	// Tea for Ana: allow / _later/method: Method not found (-32601)
	// tea [initialize session/new session/prompt _later/method]
}
