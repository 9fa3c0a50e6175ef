package profile

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

var protocol = sync.OnceValue(func() *role.Protocol { return role.NewProtocol(methodTable, stateTable()) })

// An Agent serves clients.
type Agent struct{ role *role.Role }

// Serve serves a client until the client ends the connection, or the context ends. It returns
// when handlers have ended, for which it waits for [acp.Limits.EndGrace] at most.
func (a *Agent) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	return a.role.NewConn(stream).Serve(ctx)
}

// ServeStdio serves the client that has started this process; see [acp.Stdio].
func (a *Agent) ServeStdio(ctx context.Context) error { return a.Serve(ctx, acp.Stdio()) }

// ProtocolVersion returns the version of the protocol; see [acp.Agents].
func (a *Agent) ProtocolVersion() int { return Version }

// A Client connects to agents.
type Client struct{ role *role.Role }

// Connect completes the handshake with an agent. An error is an [*acp.VersionError] when the
// agent speaks another version. The context is that of the handshake only.
func (c *Client) Connect(ctx context.Context, stream io.ReadWriteCloser) (*ConnectedAgent, error) {
	conn := c.role.NewConn(stream)
	conn.Start()
	if err := conn.Connect(ctx); err != nil {
		_ = conn.Close(true)
		return nil, err
	}
	return &ConnectedAgent{peer{conn: conn, waits: true}}, nil
}

// Start starts an agent as a process and connects to it; see [acp.StartProcess]. The agent
// ends with the connection, together with the processes that it has started.
func (c *Client) Start(ctx context.Context, cmd *exec.Cmd) (*ConnectedAgent, error) {
	process, err := acp.StartProcess(cmd)
	if err != nil {
		return nil, err
	}
	return c.Connect(ctx, process)
}

// An AgentCall is a message in its handler of an agent.
type AgentCall struct{ call role.Call }

func newAgentCall(call role.Call) *AgentCall { return &AgentCall{call} }

// Client returns the client that has sent the message.
func (c *AgentCall) Client() *ConnectedClient { return &ConnectedClient{peer{conn: c.call.Conn}} }

// AfterResponse calls a function right after the response, unless that is an error.
func (c *AgentCall) AfterResponse(call func()) { c.call.AfterResponse(call) }

// A ClientCall is a message in its handler of a client.
type ClientCall struct{ call role.Call }

func newClientCall(call role.Call) *ClientCall { return &ClientCall{call} }

// Agent returns the agent that has sent the message.
func (c *ClientCall) Agent() *ConnectedAgent { return &ConnectedAgent{peer{conn: c.call.Conn}} }

// AfterResponse calls a function right after the response, unless that is an error.
func (c *ClientCall) AfterResponse(call func()) { c.call.AfterResponse(call) }

// A ConnectedClient is the client as an agent calls it.
type ConnectedClient struct{ peer }

func newConnectedClient(conn *role.Conn) acp.Peer { return &ConnectedClient{peer{conn: conn}} }

// A ConnectedAgent is the agent as a client calls it.
type ConnectedAgent struct{ peer }

func newConnectedAgent(conn *role.Conn) acp.Peer { return &ConnectedAgent{peer{conn: conn}} }

// A peer has what both sides call.
type peer struct {
	conn  *role.Conn
	waits bool // for handlers, since it is not of one
}

// Close ends the connection, and waits for handlers as Serve does. That of the peer that a
// handler gets from its call waits for nothing, since it would wait for its own handler.
func (p *peer) Close() error { return p.conn.Close(p.waits) }

// Done is closed when the connection and its handlers have ended.
func (p *peer) Done() <-chan struct{} { return p.conn.Done() }

// Err returns why the connection has ended; nil if it has in the regular way.
func (p *peer) Err() error { return p.conn.Err() }

// Stats returns what was received and could not be used, such as what an agent prints.
func (p *peer) Stats() acp.Stats { return p.conn.Stats() }

// Supports returns whether the other side has advertised a capability, which is one of the
// schema or one below _meta. It panics for another one.
func (p *peer) Supports(capability acp.Capability) bool { return p.conn.Supports(capability) }

// CallExtension implements [acp.Peer]; use [acp.Call].
func (p *peer) CallExtension(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	return p.conn.CallExtension(ctx, method, params)
}

// NotifyExtension implements [acp.Peer]; use [acp.Notify].
func (p *peer) NotifyExtension(ctx context.Context, method string, params json.RawMessage) error {
	return p.conn.NotifyExtension(ctx, method, params)
}
