package role

import (
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// replays are the histories of a session that are received.
type replays struct {
	calls map[string]bool // the ids of the requests that are not answered
	left  int             // the histories whose end was not received
	// state is the last one that was received meanwhile.
	state   []byte
	decoded any
}

// isHistory returns whether an update is part of a history, and of no turn. The end of a
// history is as well.
func (c *Conn) isHistory(session string, params []byte, decoded any) bool {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	known := c.sessions.find(session).replays
	if known == nil || known.left == 0 {
		return false
	}
	if tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate")); tag == replayEnd {
		known.left--
	} else if tag == "state_update" {
		known.state, known.decoded = slices.Clone(params), decoded
	}
	return true
}

// replayFailed takes the end of a history that was not sent as a whole.
func (c *Conn) replayFailed(session, id string) {
	c.sessions.mu.Lock()
	known := c.sessions.find(session).replays
	isReplay := known != nil && known.calls[id]
	if isReplay {
		known.left = max(0, known.left-1)
	}
	c.sessions.mu.Unlock()
	if isReplay && known.state != nil {
		// It may have been that of a turn, and nothing repeats it.
		c.passOn(c.runningTurns(session), known.state, known.decoded)
	}
}
