package role

import (
	"bytes"
	"slices"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// changing are the traits of methods that change a session.
var changing = []Trait{startsTurn, cancelsTurn, endsSession, setsMode, setsConfigOption, setsTitle}

// sessionTree has the sessions of a connection and their subagents, as updates report them.
type sessionTree struct {
	mu    sync.Mutex
	nodes *recent[string, *treeNode]
}

type treeNode struct {
	// parent is the session that has announced it as a subagent; empty for other sessions.
	parent string
	// canCancel is whether the client may cancel the work of a subagent.
	canCancel bool
	// background is the list of background work in its last state; nil if there is none.
	background []byte
}

func newSessionTree() *sessionTree {
	return &sessionTree{nodes: newRecent[string, *treeNode](mostSessions)}
}

// update takes an update that was sent or received.
func (t *sessionTree) update(params []byte) {
	update := codec.Get(params, "update")
	tag, _ := codec.Text(codec.Get(update, "sessionUpdate"))
	if tag != "state_update" && tag != "subagent_update" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if tag == "state_update" {
		t.setState(sessionOf(params), update)
		return
	}
	child := sessionOf(update)
	node := t.node(child)
	if node.parent == "" {
		node.parent = sessionOf(params)
	}
	if capabilities := codec.Get(update, "capabilities"); capabilities != nil {
		node.canCancel = !codec.IsNull(codec.Get(capabilities, "cancel"))
	}
	if state := codec.Get(update, "state"); state != nil {
		t.setState(child, state)
	}
}

// reaches returns whether the cancellation of a session reaches another one: itself and its
// subagents, except for those that it lists as background work, which only closing ends.
func (t *sessionTree) reaches(session, other string, isClosing bool) bool {
	return slices.Contains(t.path(other, isClosing), session)
}

// path returns the sessions whose cancellation reaches a session.
func (t *sessionTree) path(session string, isClosing bool) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	path := []string{session}
	for {
		child := path[len(path)-1]
		node := t.nodes.values[child]
		if node == nil || node.parent == "" || slices.Contains(path, node.parent) {
			return path
		}
		if !isClosing && t.isInBackground(child, node.parent) {
			return path
		}
		path = append(path, node.parent)
	}
}

// background returns the list of background work in the last state of a session; nil if there
// is none.
func (t *sessionTree) background(session string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if node := t.nodes.values[session]; node != nil {
		return node.background
	}
	return nil
}

// isRefused returns whether a call would change a subagent that does not permit it.
func (t *sessionTree) isRefused(m *Method, params []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	node := t.nodes.values[sessionOf(params)]
	if node == nil || node.parent == "" || !slices.ContainsFunc(changing, m.has) {
		return false
	}
	return m.Kind != notification || !node.canCancel
}

func (t *sessionTree) isInBackground(child, parent string) bool {
	node := t.nodes.values[parent]
	return node != nil && slices.ContainsFunc(codec.Items(node.background), func(work []byte) bool {
		kind, _ := codec.Text(codec.Get(work, "type"))
		return kind == "subagent" && sessionOf(work) == child
	})
}

func (t *sessionTree) setState(session string, state []byte) {
	var background []byte
	if list := codec.Get(state, "background"); len(codec.Items(list)) > 0 {
		background = bytes.Clone(list)
	}
	if background != nil || t.nodes.values[session] != nil {
		t.node(session).background = background
	}
}

func (t *sessionTree) node(session string) *treeNode {
	node := t.nodes.values[session]
	if node == nil {
		node = &treeNode{}
		t.nodes.set(session, node)
	}
	return node
}
