package role

import (
	"context"
	"errors"
	"fmt"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A signIn is shared by the calls that fail while it runs.
type signIn struct {
	done chan struct{}
	err  error
}

// signingIn is the key of a context whose calls are part of the sign-in of a connection.
type signingIn struct{ conn *Conn }

// callSignedIn sends a request, and sends it once more if the client has signed in for it.
func (c *Conn) callSignedIn(ctx context.Context, m *Method, params []byte, options rpc.CallOptions) func() rpc.Outcome {
	if c.role.options.OnAuthRequired == nil || m.has(changesAuth) {
		return c.rpc.Call(ctx, m.Name, params, options)
	}
	hold := options.Hold
	if hold == nil {
		hold = func(_ rpc.Outcome, wait func()) { wait() }
	}
	first := options
	first.Hold = func(outcome rpc.Outcome, wait func()) {
		if authRequired(outcome.Err) != nil {
			wait()
			return
		}
		hold(outcome, wait)
	}
	c.mu.Lock()
	before := c.signIns
	c.mu.Unlock()
	own, stop := &ending{}, func() {}
	if m.has(startsTurn) {
		own, stop = c.sessions.onEnd(sessionOf(params))
	}
	answer := c.rpc.Call(ctx, m.Name, params, first)
	return func() rpc.Outcome {
		defer stop()
		outcome := answer()
		required := authRequired(outcome.Err)
		if required == nil {
			return outcome
		}
		outcome.Continue()
		outcome.Err = c.signInAgain(ctx, required, before, own.done)
		end := refused
		select {
		case <-own.done:
			outcome.Err = errors.New(sentences.ClosedInTurn)
			if own.isCancelled {
				outcome.Err, end = required, kept
			}
		case <-ctx.Done():
			end = kept
		case <-c.rpc.Context().Done():
			end = kept
		default:
		}
		if outcome.Err == nil && c.isClosed(m, params) {
			outcome.Err = inClosedSession(m, params)
		}
		if outcome.Err != nil {
			if m.has(startsTurn) {
				c.states.notSentAgain(params, end)
			}
			hold(outcome, func() {})
			return outcome
		}
		return c.rpc.Call(ctx, m.Name, params, options)()
	}
}

// authRequired returns the error of a call before which the client has to sign in; nil for another one.
func authRequired(err error) *acp.Error {
	var answer *acp.Error
	if errors.As(err, &answer) && answer.Code == acp.CodeAuthRequired {
		return answer
	}
	return nil
}

// signInAgain lets the client sign in, or waits while it does, unless it has signed in for
// another call since there were so many logins. It waits no longer than the prompt may be sent.
func (c *Conn) signInAgain(ctx context.Context, required *acp.Error, before int, ended <-chan struct{}) error {
	if ctx.Value(signingIn{c}) != nil {
		return required
	}
	select {
	case <-ended:
		return required
	default:
	}
	c.mu.Lock()
	if c.signIns != before {
		c.mu.Unlock()
		return nil
	}
	running := c.signIn
	if running == nil {
		running = &signIn{done: make(chan struct{})}
		c.signIn = running
		c.rpc.Go(func() {
			rpc.Run(func() error {
				ctx := context.WithValue(c.rpc.Context(), signingIn{c}, true)
				return c.role.options.OnAuthRequired(ctx, c.role.peer(c), required)
			}, func(err error) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.signIn, running.err = nil, err
				if err == nil {
					c.signIns++
				}
				close(running.done)
			})
		})
	}
	c.mu.Unlock()
	select {
	case <-running.done:
		if authRequired(running.err) != nil {
			return required
		}
		return running.err
	case <-ended:
		return required
	case <-c.rpc.Context().Done():
		return c.rpc.EndError(required.Method)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", required.Method, context.Cause(ctx))
	}
}
