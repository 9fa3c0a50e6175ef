package role

import (
	"bytes"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// changing are the traits of methods that change a session.
var changing = []Trait{startsTurn, cancelsTurn, endsSession, setsMode, setsConfigOption, setsTitle}

// update takes an update that was sent or received: of a subagent and, after version 1, of the
// state of a session, or of a message whose report precedes the work on it.
func (s *sessions) update(params []byte) {
	update := codec.Get(params, "update")
	tag, _ := codec.Text(codec.Get(update, "sessionUpdate"))
	isOfWork := s.version > 1 && (tag == "state_update" || tag == "user_message")
	if !isOfWork && tag != subagentUpdate {
		return
	}
	id := sessionOf(params)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch tag {
	case "user_message":
		one := s.find(id)
		one.isBusy = one.isBusy || len(one.prompts) > 0
	case "state_update":
		s.setBackground(id, update)
		if state, ok := codec.Text(codec.Get(update, "state")); ok {
			s.of(id).setState(state)
		}
	case subagentUpdate:
		child := sessionOf(update)
		one := s.of(child)
		if one.parent == "" {
			one.parent = id
		}
		if capabilities := codec.Get(update, "capabilities"); capabilities != nil {
			one.canCancel = !codec.IsNull(codec.Get(capabilities, "cancel"))
		}
		if state := codec.Get(update, "state"); state != nil {
			s.setBackground(child, state)
		}
	}
}

func (s *sessions) setBackground(id string, state []byte) {
	var background []byte
	if list := codec.Get(state, "background"); len(codec.Items(list)) > 0 {
		background = bytes.Clone(list)
	}
	s.of(id).background = background
}

// reaches returns whether the cancellation of a session reaches another one: itself and its
// subagents, except for those that it lists as background work, which only closing ends.
func (s *sessions) reaches(session, other string, isClosing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.path(other, isClosing), session)
}

// path returns the sessions whose cancellation reaches a session. The caller has locked the
// sessions.
func (s *sessions) path(session string, isClosing bool) []string {
	path := []string{session}
	for {
		child := path[len(path)-1]
		parent := s.find(child).parent
		if parent == "" || slices.Contains(path, parent) || !isClosing && s.find(parent).hasInBackground(child) {
			return path
		}
		path = append(path, parent)
	}
}

// Path returns the ids from the root of a tree of sessions to one of them.
func (c *Conn) Path(session string) []string {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	path := c.sessions.path(session, true)
	slices.Reverse(path)
	return path
}

// backgroundOf returns the list of background work in the last state of a session; nil if there
// is none.
func (s *sessions) backgroundOf(session string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(session).background
}

// isRefused returns whether a call would change a subagent that does not permit it.
func (s *sessions) isRefused(m *Method, params []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.find(sessionOf(params))
	isChange := one.parent != "" && slices.ContainsFunc(changing, m.has)
	return isChange && (m.Kind != notification || !one.canCancel)
}

func (s *session) hasInBackground(child string) bool {
	return slices.ContainsFunc(codec.Items(s.background), func(work []byte) bool {
		kind, _ := codec.Text(codec.Get(work, "type"))
		return kind == "subagent" && sessionOf(work) == child
	})
}
