package role

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// longestTransport is how much of the type of an MCP server an error repeats.
const longestTransport = 100

// LoginCommand returns the command of a login in a terminal, for the JSON text of an entry of
// authMethods.
func LoginCommand(ctx context.Context, method []byte, agent *exec.Cmd) (*exec.Cmd, error) {
	if kind, _ := codec.Text(codec.Get(method, "type")); kind != "terminal" {
		return nil, errors.New(sentences.NoTerminalLogin)
	}
	if agent.Err != nil {
		return nil, agent.Err
	}
	cmd := exec.CommandContext(ctx, agent.Path)
	cmd.Args = append(agent.Args[:len(agent.Args):len(agent.Args)], texts(codec.Get(method, "args"))...)
	cmd.Env = append(agent.Environ(), environment(codec.Get(method, "env"))...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = agent.Dir, os.Stdin, os.Stdout, os.Stderr
	return cmd, nil
}

// MCPCommand returns the command of an MCP server over stdio, for the JSON text of an entry of
// mcpServers.
func MCPCommand(ctx context.Context, server []byte) (*exec.Cmd, error) {
	kind, hasType := codec.Text(codec.Get(server, "type"))
	command, ok := codec.Text(codec.Get(server, "command"))
	if !ok || hasType && kind != "stdio" {
		text := sentences.NoMCPTransport
		return nil, acp.NewError(acp.CodeInvalidParams, text, map[string]string{"type": cmp.Or(kind[:min(len(kind), longestTransport)], "stdio")})
	}
	cmd := exec.CommandContext(ctx, command, texts(codec.Get(server, "args"))...)
	cmd.Env = append(cmd.Environ(), environment(codec.Get(server, "env"))...)
	return cmd, nil
}

func texts(list []byte) (found []string) {
	for _, one := range codec.Items(list) {
		text, _ := codec.Text(one)
		found = append(found, text)
	}
	return found
}

// environment returns variables, which are an object or a list of names and values.
func environment(env []byte) (found []string) {
	codec.Members(env, func(name, value []byte) {
		text, _ := codec.Text(value)
		found = append(found, string(name)+"="+text)
	})
	for _, one := range codec.Items(env) {
		name, _ := codec.Text(codec.Get(one, "name"))
		value, _ := codec.Text(codec.Get(one, "value"))
		found = append(found, name+"="+value)
	}
	return found
}
