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
	type way struct {
		how, method string
		params      []byte
	}
	again := codec.Set(params, codec.Quote(session), "sessionId")
	resume := way{"resume", c.protocol.named(resumesSession, request), again}
	load := way{"load", c.protocol.named(loadsSession, request), again}
	if load.method == "" {
		load.method, load.params = resume.method, codec.Set(again, []byte(`{"type":"start"}`), "replayFrom")
	}
	ways := []way{resume, load}
	if replays {
		slices.Reverse(ways)
	}
	for _, one := range ways {
		if session == "" || one.method == "" {
			continue
		}
		_, proceed, err := c.invoke(ctx, one.method, one.params, nil)()
		if err == nil {
			defer proceed()
			return Continuation{one.how, session, found.Reasons}, nil
		}
		proceed()
		var lacking *acp.CapabilityError
		var answer *acp.Error
		if !errors.As(err, &lacking) && (!errors.As(err, &answer) || !slices.Contains(refusals, answer.Code)) {
			return found, err
		}
		found.Reasons = append(found.Reasons, err)
	}
	create := c.protocol.named(createsSession, request)
	result, proceed, err := c.invoke(ctx, create, params, nil)()
	defer proceed()
	found.How, found.ID = "new", sessionOf(result)
	if err == nil && found.ID == "" {
		err = errors.New(create + " was answered without a session")
	}
	return found, err
}
