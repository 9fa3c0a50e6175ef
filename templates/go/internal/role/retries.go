package role

import (
	"cmp"
	"context"
	"errors"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// mostRemembered is how many prompts of a session are remembered.
const mostRemembered = 1000

// A promptAnswer is what the handler of a prompt has returned. A prompt that is sent again with its
// idempotencyKey is answered as the first time, without its handler; after version 1.
type promptAnswer struct {
	done   chan struct{}
	result []byte
	err    error
}

// promptAnswers are those of a session, by the keys of the prompts.
type promptAnswers = recent[string, *promptAnswer]

// findRetry returns the handler of a prompt if it is a retry.
func (c *Conn) findRetry(request *rpc.Request, params []byte) rpc.Handler {
	var known *promptAnswer
	stored := c.storedAnswer(params)
	c.changeAnswers(params, func(answers *promptAnswers, key string) { known = cmp.Or(stored, answers.values[key]) })
	if known == nil {
		return nil
	}
	request.AfterResponse(func() {
		// Whoever retries may have missed the end of the work.
		c.turns.reportState(c.rpc.Context(), sessionOf(params), func() error { return nil })
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

// storedAnswer returns the answer of an earlier connection; nil if there is none.
func (c *Conn) storedAnswer(params []byte) *promptAnswer {
	key, hasKey := c.retryKey(params)
	store := c.role.options.SessionStore
	if store == nil || !hasKey {
		return nil
	}
	message := store.FindMessage(sessionOf(params), key)
	if message == "" {
		return nil
	}
	done := make(chan struct{})
	close(done)
	return &promptAnswer{done: done, result: codec.Set([]byte("{}"), codec.Quote(message), "messageId")}
}

// keepAnswer returns the handler of a prompt that remembers its answer.
func (c *Conn) keepAnswer(params []byte, handle rpc.Handler) rpc.Handler {
	answer := &promptAnswer{done: make(chan struct{}), err: errors.New("the handler of the prompt has not returned")}
	if !c.changeAnswers(params, func(answers *promptAnswers, key string) { answers.set(key, answer) }) {
		return handle
	}
	return func(ctx context.Context) ([]byte, error) {
		defer func() {
			isOpen := c.changeAnswers(params, func(answers *promptAnswers, key string) {
				if answer.err != nil {
					answers.remove(key)
				}
			})
			if store := c.role.options.SessionStore; isOpen && answer.err == nil && store != nil {
				key, _ := c.retryKey(params)
				message, _ := codec.Text(codec.Get(answer.result, "messageId"))
				store.KeepMessage(sessionOf(params), key, message)
			}
			close(answer.done)
		}()
		answer.result, answer.err = handle(ctx)
		return answer.result, answer.err
	}
}

// retryKey returns the key by which a prompt is recognized when it is sent again, if it has one.
func (c *Conn) retryKey(params []byte) (string, bool) {
	if c.resumptions == nil {
		return "", false
	}
	return codec.Text(codec.Get(params, "idempotencyKey"))
}

// changeAnswers calls a function with the answers of the session and the key of a prompt. It returns
// false, without the call, for a prompt without a key, and while the session is closed.
func (c *Conn) changeAnswers(params []byte, call func(answers *promptAnswers, key string)) bool {
	key, hasKey := c.retryKey(params)
	if !hasKey {
		return false
	}
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	one := c.sessions.of(sessionOf(params))
	if one.isClosed {
		return false
	}
	if one.answers == nil {
		one.answers = newRecent[string, *promptAnswer](mostRemembered)
	}
	call(one.answers, key)
	return true
}
