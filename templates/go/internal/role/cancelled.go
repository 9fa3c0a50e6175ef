package role

import (
	"slices"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// mostPrompts is how many prompts without an answer are remembered.
const mostPrompts = 1000

// cancelledTurns knows in which sessions of a client questions are answered as cancelled,
// without the handler. It begins with the cancellation. It ends when the turn has ended
// and another prompt was sent, in whatever order.
//
// A turn ends in version 1 when all prompts that were open at the cancellation are
// answered, later when the session is idle as well; there it also begins again when the
// agent reports work. An agent that does not end it within the grace period counts as having
// ended it. A cancellation reaches the subagents of the session.
type cancelledTurns struct {
	version int
	grace   time.Duration
	tree    *sessionTree

	mu        sync.Mutex
	cancelled *recent[string, *cancelledTurn]
	// prompts has the sessions of the prompts that are not answered, by their ids.
	prompts *recent[string, string]
	// busy has the sessions that are going to report the end of a turn, and whether
	// they have reported work; after version 1.
	busy *recent[string, bool]
}

type cancelledTurn struct {
	prompts    map[string]bool
	hasEnded   bool
	deadline   time.Time
	isPrompted bool
}

func newCancelledTurns(version int, grace time.Duration, tree *sessionTree) *cancelledTurns {
	return &cancelledTurns{
		version: version, grace: grace, tree: tree, cancelled: newRecent[string, *cancelledTurn](mostSessions),
		prompts: newRecent[string, string](mostPrompts), busy: newRecent[string, bool](mostSessions),
	}
}

// has returns whether the questions of a session are answered as cancelled.
func (c *cancelledTurns) has(session string) bool {
	path := c.tree.path(session, false)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(path, func(one string) bool {
		c.reopen(one)
		return c.cancelled.values[one] != nil
	})
}

// cancel takes a cancellation of the client.
func (c *cancelledTurns) cancel(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	turn := &cancelledTurn{prompts: map[string]bool{}, deadline: time.Now().Add(c.grace)}
	for id, one := range c.prompts.values {
		if one == session {
			turn.prompts[id] = true
		}
	}
	_, isBusy := c.busy.values[session]
	turn.hasEnded = !isBusy && len(turn.prompts) == 0
	c.cancelled.set(session, turn)
}

// prompt takes a prompt of the client.
func (c *cancelledTurns) prompt(id, session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prompts.set(id, session)
	if _, isBusy := c.busy.values[session]; c.version > 1 && !isBusy {
		c.busy.set(session, false)
	}
	if turn := c.cancelled.values[session]; turn != nil {
		turn.isPrompted = true
		c.reopen(session)
	}
}

// answered takes the answer to a request, which may be a prompt.
func (c *cancelledTurns) answered(id string, isResult bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	session, ok := c.prompts.values[id]
	if !ok {
		return
	}
	c.prompts.remove(id)
	if turn := c.cancelled.values[session]; turn != nil {
		delete(turn.prompts, id)
	}
	isRunning, isBusy := c.busy.values[session]
	isRefused := !isResult && !isRunning && !c.isPrompted(session)
	if !isBusy || isRefused {
		c.becomeIdle(session)
	}
}

func (c *cancelledTurns) isPrompted(session string) bool {
	for _, one := range c.prompts.values {
		if one == session {
			return true
		}
	}
	return false
}

// update takes an update of the agent, after version 1.
func (c *cancelledTurns) update(params []byte) {
	state, isState := stateOf(params)
	tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate"))
	if !isState && tag != "user_message" {
		return
	}
	session := sessionOf(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isState {
		if _, isBusy := c.busy.values[session]; !isBusy && c.isPrompted(session) {
			// The work on a message follows its report.
			c.busy.set(session, false)
		}
		return
	}
	if state == "idle" {
		c.becomeIdle(session)
		return
	}
	c.busy.set(session, true)
	if turn := c.cancelled.values[session]; turn != nil && turn.isOver() {
		c.cancelled.remove(session)
	}
}

// forget forgets a session that was closed or deleted.
func (c *cancelledTurns) forget(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == 1 && c.isPrompted(session) {
		// Work can ask until its prompt is answered.
		return
	}
	c.cancelled.remove(session)
	c.busy.remove(session)
}

func (c *cancelledTurns) becomeIdle(session string) {
	c.busy.remove(session)
	// A prompt that was not answered may still begin work.
	if turn := c.cancelled.values[session]; turn != nil && len(turn.prompts) == 0 {
		turn.hasEnded = true
		c.reopen(session)
	}
}

func (c *cancelledTurns) reopen(session string) {
	if turn := c.cancelled.values[session]; turn != nil && turn.isPrompted && turn.isOver() {
		c.cancelled.remove(session)
	}
}

func (t *cancelledTurn) isOver() bool { return t.hasEnded || !time.Now().Before(t.deadline) }

// stateOf returns the state that an update of a session reports, after version 1.
func stateOf(params []byte) (state string, ok bool) {
	update := codec.Get(params, "update")
	if tag, _ := codec.Text(codec.Get(update, "sessionUpdate")); tag != "state_update" {
		return "", false
	}
	return codec.Text(codec.Get(update, "state"))
}
