package acptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// message is a request, a notification or a response.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

type failure struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// A peer is one side of a connection.
type peer struct {
	stream io.ReadWriteCloser
	// handle handles a request or a notification. What it returns is called in a goroutine of its
	// own, and is the answer to a request; nil answers -32601.
	handle func(method string, params json.RawMessage) func() (any, error)

	mu      sync.Mutex
	calls   []message
	waiting map[string]chan message
	isOver  bool
	writing sync.Mutex
}

// Calls returns the params of the requests and notifications of a method that were received.
func (p *peer) Calls(method string) (params []json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.calls {
		if one.Method == method {
			params = append(params, one.Params)
		}
	}
	return params
}

// errUnconnected is the error of a fake that is used before its Connect.
var errUnconnected = errors.New("the fake is not connected: call Connect first")

// Close ends the connection.
func (p *peer) Close() error {
	if p.stream == nil {
		return errUnconnected
	}
	return p.stream.Close()
}

// Call calls a method of the other side. Params and result are values for encoding/json; a result
// that is nil is left out.
func (p *peer) Call(ctx context.Context, method string, params, result any) error {
	answer := make(chan message, 1)
	p.mu.Lock()
	if p.waiting == nil {
		p.waiting = map[string]chan message{}
	}
	id := fmt.Sprint(len(p.waiting) + 1)
	p.waiting[id] = answer
	isOver := p.isOver
	p.mu.Unlock()
	if isOver {
		return io.ErrClosedPipe
	}
	if err := p.send(message{ID: json.RawMessage(id), Method: method, Params: textOf(params)}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case found, ok := <-answer:
		switch {
		case !ok:
			return io.ErrUnexpectedEOF
		case found.Error != nil:
			return acp.NewError(found.Error.Code, found.Error.Message, found.Error.Data)
		case result == nil:
			return nil
		}
		return json.Unmarshal(found.Result, result)
	}
}

// Notify sends a notification.
func (p *peer) Notify(method string, params any) error {
	return p.send(message{Method: method, Params: textOf(params)})
}

func (p *peer) send(one message) error {
	if p.stream == nil {
		return errUnconnected
	}
	one.JSONRPC = "2.0"
	p.writing.Lock()
	defer p.writing.Unlock()
	return json.NewEncoder(p.stream).Encode(one)
}

// serve reads until the connection ends.
func (p *peer) serve() {
	decoder := json.NewDecoder(p.stream)
	for {
		var one message
		if decoder.Decode(&one) != nil {
			break
		}
		if one.Method == "" {
			p.mu.Lock()
			answer := p.waiting[string(one.ID)]
			p.waiting[string(one.ID)] = nil
			p.mu.Unlock()
			if answer != nil {
				answer <- one
			}
			continue
		}
		p.mu.Lock()
		p.calls = append(p.calls, one)
		p.mu.Unlock()
		run := p.handle(one.Method, one.Params)
		if one.ID == nil {
			continue
		}
		go p.answer(one.ID, run)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isOver = true
	for _, answer := range p.waiting {
		if answer != nil {
			close(answer)
		}
	}
	p.waiting = map[string]chan message{}
}

func (p *peer) answer(id json.RawMessage, run func() (any, error)) {
	one := message{ID: id, Error: &failure{Code: acp.CodeMethodNotFound, Message: "Method not found"}}
	if run != nil {
		result, err := run()
		if one = (message{ID: id, Result: textOf(result)}); err != nil {
			one = message{ID: id, Error: &failure{Code: acp.CodeInternalError, Message: err.Error()}}
		}
	}
	_ = p.send(one)
}

// textOf returns the JSON text of a value. A test does not give one that has none.
func textOf(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// object is a JSON object.
type object = map[string]any
