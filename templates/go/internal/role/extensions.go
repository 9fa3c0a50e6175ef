package role

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// extension returns the handler of a request that the protocol does not have.
func (c *Conn) extension(r *rpc.Request) (rpc.Handler, error) {
	found, ok := c.role.extensions[r.Method]
	if !ok || !found.IsRequest {
		return nil, methodNotFound(r.Method)
	}
	return func(ctx context.Context) ([]byte, error) {
		result, err := found.Handle(ctx, c.role.peer(c), r.Params)
		if err == nil && result == nil {
			result = []byte("null")
		}
		return result, err
	}, nil
}

// CallExtension implements acp.Peer.
func (c *Conn) CallExtension(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if err := c.checkExtension(method); err != nil {
		return nil, err
	}
	outcome := c.rpc.Call(ctx, method, params, rpc.CallOptions{})()
	defer outcome.Continue()
	return outcome.Result, outcome.Err
}

// NotifyExtension implements acp.Peer.
func (c *Conn) NotifyExtension(ctx context.Context, method string, params json.RawMessage) error {
	if err := c.checkExtension(method); err != nil {
		return err
	}
	return c.rpc.Notify(ctx, method, params, nil)
}

func (c *Conn) checkExtension(method string) error {
	if c.protocol.has(method) {
		return errors.New(sentences.NotAnExtension(method, sentences.CallByName))
	}
	return nil
}
