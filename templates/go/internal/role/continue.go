package role

import (
	"context"
	"errors"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// A Continuation is how a session was continued: by which of "resume", "load" and "new",
// under which id, and why other ways failed.
type Continuation struct {
	How, ID string
	Reasons []error
}

// refusals are the codes of agents that do not know a session, a method or its params, or
// that failed. For other errors, no other way is tried: the user may have to sign in.
var refusals = []int{acp.CodeResourceNotFound, acp.CodeMethodNotFound, acp.CodeInvalidParams, acp.CodeInternalError}

// Continue opens a session again, or a new one with the params. With replays, loading it is
// tried before resuming it.
func (c *Conn) Continue(ctx context.Context, session string, params []byte, replays bool) (found Continuation, err error) {
	again := codec.Set(params, codec.Quote(session), "sessionId")
	resume := c.protocol.named(resumesSession, request)
	type way struct {
		how, method string
		params      []byte
	}
	load := way{"load", c.protocol.named(loadsSession, request), again}
	if load.method == "" {
		load.method, load.params = resume, codec.Set(again, []byte(`{"type":"start"}`), "replayFrom")
	}
	ways := []way{{"resume", resume, again}, load}
	if replays {
		slices.Reverse(ways)
	}
	if session == "" {
		ways = nil
	}
	for _, one := range append(ways, way{"new", c.protocol.named(createsSession, request), params}) {
		result, proceed, err := c.invoke(ctx, one.method, one.params)
		defer proceed()
		if err == nil {
			if found.How, found.ID = one.how, session; one.how == "new" {
				found.ID = sessionOf(result)
			}
			return found, nil
		}
		var lacking *acp.CapabilityError
		var answer *acp.Error
		isRefused := errors.As(err, &lacking) || errors.As(err, &answer) && slices.Contains(refusals, answer.Code)
		if !isRefused || one.how == "new" {
			return found, err
		}
		proceed()
		found.Reasons = append(found.Reasons, err)
	}
	return found, nil
}
