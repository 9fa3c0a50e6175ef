package role

import (
	"slices"
	"sync"
	"time"
)

// mostSessions is how many sessions are remembered besides those in use.
const mostSessions = 1000

// sessions are those of a connection, by their ids.
type sessions struct {
	version int // of the protocol

	mu    sync.Mutex
	known map[string]*session
	order []string // in which they became known
	// endings are those that wait for the end of the prompts of a session, by its id.
	endings map[*ending]string
}

// A session is what a connection knows of one of its sessions. The table of sessions guards it.
type session struct {
	// isClosed is whether it was closed or deleted, and not opened again.
	isClosed bool

	// keys are those that open the gates of the session.
	keys map[*Gate]*openKeys

	// parent is the session that has announced it as a subagent; empty for other sessions.
	parent string
	// canCancel is whether the client may cancel the work of a subagent.
	canCancel bool
	// background is the list of background work in its last state; nil if there is none.
	background []byte

	// Of a client: the open turns, the number of unanswered requests that end the session, and
	// the histories that it receives, after version 1; nil if there are none.
	turns   []*Turn
	closing int
	replays *replays
	// rest is why a session ended its work that is idle, and has reported no work since, after
	// version 1; nil for others.
	rest *string
	// prompts has the ids of the unanswered prompts. Of a session that is going to report the end
	// of a turn, isBusy is set, and isRunning once it has reported work; after version 1.
	prompts           map[string]bool
	isBusy, isRunning bool
	// cancelled is the turn whose questions are answered as cancelled; nil if there is none.
	cancelled *cancelledTurn
	// givenUp has the turns for which nobody waits, but whose cancelled work may not have ended;
	// after version 1.
	givenUp []*Turn

	// Of an agent, after version 1: the turns that run, and the answers to prompts by their keys.
	running *sessionTurns
	answers *promptAnswers
}

// find returns a session; an empty one, which is not kept, if it is not known. The caller has
// locked the sessions.
func (s *sessions) find(id string) *session {
	if known := s.known[id]; known != nil {
		return known
	}
	return &session{}
}

// of returns a session, which is known from then on. The caller has locked the sessions.
func (s *sessions) of(id string) *session {
	known := s.known[id]
	if known != nil {
		return known
	}
	if s.known == nil {
		s.known = map[string]*session{}
	}
	if len(s.order) >= mostSessions {
		unused := slices.IndexFunc(s.order, func(id string) bool { return !s.known[id].isInUse() })
		if unused >= 0 {
			delete(s.known, s.order[unused])
			s.order = slices.Delete(s.order, unused, unused+1)
		}
	}
	known = &session{}
	s.known[id] = known
	s.order = append(s.order, id)
	return known
}

// quietTime is that in which work begins that a prompt has started; one without work has ended.
const quietTime = time.Second

// work notes that a session has reported work.
func (s *sessions) work(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).rest = nil
}

// takeRest notes the state of a session, and returns its rests before and after it: the same one
// when an idle state repeats the last one. It is then no completion, unless a prompt waits that
// turns out to start no work.
func (s *sessions) takeRest(id, state, reason string) (last, rest *string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state != "idle" {
		s.find(id).rest = nil
		return nil, nil
	}
	one := s.of(id)
	last, rest = one.rest, &reason
	if last != nil && (reason == "" || reason == *last) {
		rest = last
	}
	if !one.isClosed {
		one.rest = rest
	}
	return last, rest
}

// restOf returns the rest of a session; nil if it has none.
func (s *sessions) restOf(id string) *string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id).rest
}

func (s *session) isInUse() bool {
	isCancelled := s.cancelled != nil && !s.cancelled.isOver()
	return len(s.turns) > 0 || s.closing > 0 || s.replays != nil || s.running != nil || isCancelled
}

// Forget lets go of a session of a client, as if it was closed.
func (c *Conn) Forget(session string) {
	turns := c.openTurns(session)
	c.sessions.mu.Lock()
	c.sessions.close(session)
	c.sessions.mu.Unlock()
	c.states.forget(session)
	for _, one := range turns {
		one.closeSession()
	}
}

// close forgets a session that was closed or deleted, except for what has not ended, and for the
// answers to prompts that may be sent again when it is resumed. The caller has locked the sessions.
func (s *sessions) close(id string) {
	s.endPrompts(id, false)
	one := s.of(id)
	left := session{
		isClosed: true, turns: one.turns, closing: one.closing, replays: one.replays, prompts: one.prompts, running: one.running, answers: one.answers,
	}
	if s.version == 1 && len(one.prompts) > 0 {
		// Work can ask until its prompt is answered.
		left.cancelled = one.cancelled
	}
	*one = left
}
