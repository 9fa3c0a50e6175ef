package acp

import (
	"context"
	"encoding/json"
)

// A Peer is the other side of a connection.
type Peer interface {
	// CallExtension calls a method that the protocol does not have.
	CallExtension(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

	// NotifyExtension sends a notification that the protocol does not have.
	NotifyExtension(ctx context.Context, method string, params json.RawMessage) error
}

// Call calls a method that the protocol does not have: a custom one, whose name begins with an
// underscore, or one of another version. Params and result are values for encoding/json; params
// that are nil are left out.
func Call[Result any](ctx context.Context, peer Peer, method string, params any) (result Result, err error) {
	sent, err := sentText(params)
	if err != nil {
		return result, err
	}
	received, err := peer.CallExtension(ctx, method, sent)
	if err != nil {
		return result, err
	}
	return result, json.Unmarshal(received, &result)
}

// Notify sends a notification that the protocol does not have; see Call.
func Notify(ctx context.Context, peer Peer, method string, params any) error {
	sent, err := sentText(params)
	if err != nil {
		return err
	}
	return peer.NotifyExtension(ctx, method, sent)
}

// sentText returns the text of params; nil for none, which JSON-RPC leaves out.
func sentText(params any) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if string(text) == "null" {
		return nil, err
	}
	return text, err
}

// An Extension handles a method that the protocol does not have. HandleRequest and
// HandleNotification make it.
type Extension struct {
	// Method is the name of the method.
	Method string

	// IsRequest says that the method has a result.
	IsRequest bool

	// Handle handles params that are JSON text, and returns the result as JSON text.
	Handle func(ctx context.Context, peer Peer, params json.RawMessage) (json.RawMessage, error)
}

// HandleRequest returns the handler of a request whose params and result are values for
// encoding/json. Params that encoding/json refuses are answered with CodeInvalidParams.
func HandleRequest[Params, Result any](method string, handle func(context.Context, Peer, Params) (Result, error)) Extension {
	return Extension{method, true, func(ctx context.Context, peer Peer, data json.RawMessage) (json.RawMessage, error) {
		params, err := paramsOf[Params](data)
		if err != nil {
			return nil, err
		}
		result, err := handle(ctx, peer, params)
		if err != nil {
			return nil, err
		}
		return json.Marshal(result)
	}}
}

// HandleNotification returns the handler of a notification; see HandleRequest.
func HandleNotification[Params any](method string, handle func(context.Context, Peer, Params) error) Extension {
	return Extension{method, false, func(ctx context.Context, peer Peer, data json.RawMessage) (json.RawMessage, error) {
		params, err := paramsOf[Params](data)
		if err != nil {
			return nil, err
		}
		return nil, handle(ctx, peer, params)
	}}
}

func paramsOf[Params any](data json.RawMessage) (params Params, err error) {
	if len(data) > 0 && json.Unmarshal(data, &params) != nil {
		// The text of the error repeats parts of the params.
		err = InvalidParams("Invalid params")
	}
	return params, err
}
