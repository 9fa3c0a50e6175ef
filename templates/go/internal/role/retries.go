package role

import (
	"context"
	"errors"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// mostRemembered is how many prompts of a session are remembered.
const mostRemembered = 1000

// promptRetries answer a prompt that is sent again with its idempotencyKey as the first time,
// without its handler. Nil, in version 1, recognizes none.
type promptRetries struct {
	conn *Conn

	mu       sync.Mutex
	sessions *recent[string, *rememberedPrompts]
}

// rememberedPrompts are the prompts of a session, by their keys.
type rememberedPrompts struct {
	answers  *recent[string, *promptAnswer]
	isClosed bool
}

// A promptAnswer is what the handler of a prompt has returned.
type promptAnswer struct {
	done   chan struct{}
	result []byte
	err    error
}

func newPromptRetries(c *Conn) *promptRetries {
	return &promptRetries{conn: c, sessions: newRecent[string, *rememberedPrompts](mostSessions)}
}

// find returns the handler of a prompt if it is a retry.
func (r *promptRetries) find(request *rpc.Request, params []byte) rpc.Handler {
	known := r.change(params, func(prompts *rememberedPrompts, key string) *promptAnswer {
		if message := r.stored(sessionOf(params), key); message != "" {
			done := make(chan struct{})
			close(done)
			return &promptAnswer{done: done, result: codec.Set([]byte("{}"), codec.Quote(message), "messageId")}
		}
		return prompts.answers.values[key]
	})
	if known == nil {
		return nil
	}
	request.AfterResponse(func() {
		// Whoever retries may have missed the end of the work.
		r.conn.turns.reportState(r.conn.rpc.Context(), sessionOf(params), func() error { return nil })
	})
	return func(ctx context.Context) ([]byte, error) {
		select {
		case <-known.done:
			return known.result, known.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// stored returns the message of an earlier connection; empty if there is none.
func (r *promptRetries) stored(session, key string) string {
	if store := r.conn.role.options.SessionStore; store != nil {
		return store.FindMessage(session, key)
	}
	return ""
}

// keep returns the handler of a prompt that remembers its answer.
func (r *promptRetries) keep(params []byte, handle rpc.Handler) rpc.Handler {
	answer := &promptAnswer{done: make(chan struct{}), err: errors.New("the handler of the prompt has not returned")}
	kept := r.change(params, func(prompts *rememberedPrompts, key string) *promptAnswer {
		prompts.answers.set(key, answer)
		return answer
	})
	if kept == nil {
		return handle
	}
	return func(ctx context.Context) ([]byte, error) {
		defer func() {
			r.change(params, func(prompts *rememberedPrompts, key string) *promptAnswer {
				if answer.err != nil {
					prompts.answers.remove(key)
				} else if store := r.conn.role.options.SessionStore; store != nil {
					message, _ := codec.Text(codec.Get(answer.result, "messageId"))
					store.KeepMessage(sessionOf(params), key, message)
				}
				return nil
			})
			close(answer.done)
		}()
		answer.result, answer.err = handle(ctx)
		return answer.result, answer.err
	}
}

// change calls a function with the prompts of the session and the key of a prompt, if it has
// one and the session is not closed.
func (r *promptRetries) change(params []byte, call func(*rememberedPrompts, string) *promptAnswer) *promptAnswer {
	if r == nil {
		return nil
	}
	key, ok := codec.Text(codec.Get(params, "idempotencyKey"))
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	session := sessionOf(params)
	prompts := r.sessions.values[session]
	if prompts == nil {
		prompts = &rememberedPrompts{answers: newRecent[string, *promptAnswer](mostRemembered)}
		r.sessions.set(session, prompts)
	}
	if prompts.isClosed {
		return nil
	}
	return call(prompts, key)
}

// handled takes a method that was handled: a closed session has no prompts until it is resumed.
func (r *promptRetries) handled(m *Method, params []byte) {
	isClosed := m.has(endsSession)
	if r == nil || !isClosed && !m.has(resumesSession) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if prompts := r.sessions.values[sessionOf(params)]; prompts != nil {
		prompts.isClosed = isClosed
	}
}
