package role

import (
	"maps"
	"slices"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// A cancelledTurn is a turn of a client whose questions are answered as cancelled, without the
// handler. It begins with the cancellation. It ends when the turn has ended and another prompt
// was sent, in whatever order.
//
// A turn ends in version 1 when all prompts that were open at the cancellation are
// answered, later when the session is idle as well; there it also begins again when the
// agent reports work. An agent that does not end it within the grace period counts as having
// ended it. A cancellation reaches the subagents of the session.
type cancelledTurn struct {
	prompts    map[string]bool // that are not answered
	hasEnded   bool
	deadline   time.Time
	isPrompted bool
	// endsTwice says that it also ends a prompt that was sent when an earlier one was still
	// ending, after version 1.
	endsTwice bool
}

// isCancelled returns whether the questions of a session are answered as cancelled.
func (s *sessions) isCancelled(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.path(id, false), func(one string) bool {
		known := s.find(one)
		known.reopen()
		return known.cancelled != nil
	})
}

// An ending says that a session was cancelled, or closed, so that no prompt is sent again.
type ending struct {
	done        chan struct{}
	isCancelled bool
}

// onEnd returns an ending whose channel is closed with the first one of a session, unless stop
// is called before.
func (s *sessions) onEnd(id string) (one *ending, stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one = &ending{done: make(chan struct{})}
	if s.endings == nil {
		s.endings = map[*ending]string{}
	}
	s.endings[one] = id
	return one, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.endings, one)
	}
}

// endPrompts ends what waits for it. The caller has locked the sessions.
func (s *sessions) endPrompts(id string, isCancelled bool) {
	for one, session := range s.endings {
		if session == id {
			one.isCancelled = isCancelled
			close(one.done)
			delete(s.endings, one)
		}
	}
}

// cancel takes a cancellation of the client, with the end of the grace period. It returns the
// turns of the session.
func (s *sessions) cancel(id string, deadline time.Time) []*Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endPrompts(id, true)
	one := s.of(id)
	earlier := one.cancelled
	one.cancelled = &cancelledTurn{
		prompts:   maps.Clone(one.prompts),
		hasEnded:  !one.isBusy && len(one.prompts) == 0,
		deadline:  deadline,
		endsTwice: earlier != nil && earlier.isPrompted && !earlier.isOver(),
	}
	return one.turns
}

// prompt takes a prompt of the client, with the id of the request.
func (s *sessions) prompt(session, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.of(session)
	if one.prompts == nil {
		one.prompts = map[string]bool{}
	}
	one.prompts[id] = true
	one.isBusy = one.isBusy || s.version > 1
	if one.cancelled != nil {
		one.cancelled.isPrompted = true
		one.reopen()
	}
}

// answered takes the answer to a request, which may be a prompt.
func (s *sessions) answered(session, id string, isResult bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.find(session)
	if !one.prompts[id] {
		return
	}
	delete(one.prompts, id)
	if one.cancelled != nil {
		delete(one.cancelled.prompts, id)
	}
	isRefused := !isResult && !one.isRunning && len(one.prompts) == 0
	if !one.isBusy || isRefused {
		one.becomeIdle()
	}
}

// setState takes the state that an update reports, after version 1.
func (s *session) setState(state string) {
	if state == "idle" {
		s.becomeIdle()
		return
	}
	s.isBusy, s.isRunning = true, true
	if one := s.cancelled; one != nil && one.isOver() {
		if one.endsTwice && !one.isPrompted {
			one.endsTwice, one.hasEnded = false, false
		} else {
			s.cancelled = nil
		}
	}
}

func (s *session) becomeIdle() {
	s.isBusy, s.isRunning = false, false
	// A prompt that was not answered may still begin work.
	if s.cancelled != nil && len(s.cancelled.prompts) == 0 {
		s.cancelled.hasEnded = true
		s.reopen()
	}
}

func (s *session) reopen() {
	if s.cancelled != nil && s.cancelled.isPrompted && s.cancelled.isOver() {
		s.cancelled = nil
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
