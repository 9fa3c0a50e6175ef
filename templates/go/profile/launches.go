package profile

import (
	"context"
	"os/exec"

	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// LoginCommand returns the command of a login in a terminal: that of the agent, with the
// arguments of the method behind its own, and the variables of the method over its own. It runs
// in the terminal of this process, unless its standard input and output are replaced, and
// succeeds when the user has logged in. Start the agent again afterwards, since it knows
// nothing of a login in another process. Another method is one for authenticate.
func LoginCommand(ctx context.Context, method AuthMethod, agent *exec.Cmd) (*exec.Cmd, error) {
	text, err := Encode(method)
	if err != nil {
		return nil, err
	}
	return role.LoginCommand(ctx, text, agent)
}

// MCPCommand returns the command that starts an MCP server over stdio, with its variables
// added to the environment of this process. The error of another server is one for the client;
// those with an address have a URL and headers.
func MCPCommand(ctx context.Context, server MCPServer) (*exec.Cmd, error) {
	text, err := Encode(server)
	if err != nil {
		return nil, err
	}
	return role.MCPCommand(ctx, text)
}
