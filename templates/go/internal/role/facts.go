package role

import (
	"encoding/json"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// mostKeys is how many keys of a gate in a session are remembered.
const mostKeys = 1000

// recent is a map that forgets what was added first.
type recent[K comparable, V any] struct {
	values map[K]V
	order  []K
	limit  int
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{values: map[K]V{}, limit: limit}
}

// set adds a value, and returns whether another one was forgotten.
func (r *recent[K, V]) set(key K, value V) bool {
	if _, ok := r.values[key]; !ok {
		r.order = append(r.order, key)
	}
	r.values[key] = value
	if len(r.order) <= r.limit {
		return false
	}
	r.remove(r.order[0])
	return true
}

func (r *recent[K, V]) remove(key K) {
	if _, ok := r.values[key]; ok {
		delete(r.values, key)
		at := slices.Index(r.order, key)
		r.order = slices.Delete(r.order, at, at+1)
	}
}

// openKeys are the keys that open a gate in one session.
type openKeys struct {
	*recent[string, struct{}]
	// isPartial says that some were dropped, so that a missing key may be open as well.
	isPartial bool
}

func newKeys() *openKeys { return &openKeys{newRecent[string, struct{}](mostKeys), false} }

// facts are what the messages of a connection have shown of its sessions. A gate of a
// session that is not known, or of a list that was never received, is open.
type facts struct {
	gates    []*Gate
	itemIDs  map[string]string
	sessions *sessions
}

func newFacts(p *Protocol, of *sessions) *facts {
	f := &facts{itemIDs: map[string]string{}, sessions: of}
	for _, one := range p.Methods {
		if one.Gate != nil && one.Gate.Side == "session" {
			f.gates = append(f.gates, one.Gate)
		}
		for _, fact := range one.Facts {
			if fact.ID != "" {
				f.itemIDs[fact.Fact] = fact.ID
			}
		}
	}
	return f
}

// isOpen returns whether the session of the params allows a call, or may allow it.
func (f *facts) isOpen(gate *Gate, params []byte) bool {
	f.sessions.mu.Lock()
	defer f.sessions.mu.Unlock()
	keys := f.sessions.find(sessionOf(params)).keys[gate]
	if keys == nil || keys.isPartial {
		return true
	}
	var key string
	if gate.Kind == "entry" {
		key = entryKey(gate, func(_, path string) []byte { return at(params, path) })
	} else {
		key, _ = codec.Text(codec.Get(params, f.itemIDs[gate.Path[0]]))
	}
	_, ok := keys.values[key]
	return ok
}

// learn takes the facts of params, or of a result when there is one. A session that was closed or
// deleted is forgotten here.
func (f *facts) learn(m *Method, params, result []byte) {
	part, message := "params", params
	if result != nil {
		part, message = "result", result
	}
	f.sessions.mu.Lock()
	defer f.sessions.mu.Unlock()
	switch {
	case result == nil:
	case m.has(endsSession):
		f.sessions.close(sessionOf(params))
		return
	case m.has(loadsSession) || m.has(resumesSession):
		f.sessions.find(sessionOf(params)).isClosed = false
	}
	for _, fact := range m.Facts {
		if fact.Part == part {
			valuesAt(message, fact.Path, "", func(holder []byte, _ string) {
				f.record(fact, holder, params, result)
			})
		}
	}
}

func (f *facts) record(fact *Fact, holder, params, result []byte) {
	// The id of a new session is in the result.
	id := sessionOf(result)
	if id == "" {
		id = sessionOf(params)
	}
	if id == "" || !codec.IsObject(holder) {
		return
	}
	session := f.sessions.of(id)
	if session.keys == nil {
		session.keys = map[*Gate]*openKeys{}
		for _, gate := range f.gates {
			if gate.Kind == "capability" {
				session.keys[gate] = newKeys()
			}
		}
	}
	for _, gate := range f.gates {
		if gate.Path[0] != fact.Fact {
			continue
		}
		if gate.Kind == "entry" {
			learnList(session.keys, gate, holder, fact.Part)
		} else if fact.ID != "" {
			learnItem(session.keys[gate], gate, holder, fact.ID)
		}
	}
}

// learnList replaces the keys by those of a list; one that is too long makes them unknown.
func learnList(open map[*Gate]*openKeys, gate *Gate, holder []byte, part string) {
	list := codec.Get(holder, gate.Path...)
	if codec.IsNull(list) || list[0] != '[' {
		// A session that was opened without the list has no entries.
		if part == "result" && open[gate] == nil && codec.IsNull(codec.Get(holder, gate.Path[0])) {
			open[gate] = newKeys()
		}
		return
	}
	entries := codec.Items(list)
	if len(entries) > mostKeys {
		delete(open, gate)
		return
	}
	keys := newKeys()
	for _, entry := range entries {
		if !gate.excludes(entry) {
			if key := entryKey(gate, func(name, _ string) []byte { return codec.Get(entry, name) }); key != "" {
				keys.set(key, struct{}{})
			}
		}
	}
	open[gate] = keys
}

// learnItem updates one item: absent keeps it, null removes it, an object adds it.
func learnItem(keys *openKeys, gate *Gate, holder []byte, id string) {
	key, ok := codec.Text(codec.Get(holder, id))
	if !ok || codec.Get(holder, gate.Path[1]) == nil {
		return
	}
	keys.remove(key)
	if !codec.IsNull(codec.Get(holder, gate.Path[1:]...)) {
		keys.isPartial = keys.set(key, struct{}{}) || keys.isPartial
	}
}

// entryKey returns a key of the strings that identify an entry; empty if one is missing.
func entryKey(gate *Gate, read func(name, path string) []byte) string {
	names := make([]string, 0, len(gate.Entry))
	for name := range gate.Entry {
		names = append(names, name)
	}
	slices.Sort(names)
	values := make([]string, 0, len(names))
	for _, name := range names {
		value, ok := codec.Text(read(name, gate.Entry[name]))
		if !ok {
			return ""
		}
		values = append(values, value)
	}
	key, _ := json.Marshal(values)
	return string(key)
}

// sessionOf returns the id of the session that a message names; empty if there is none.
func sessionOf(message []byte) string {
	id, _ := codec.Text(codec.Get(message, "sessionId"))
	return id
}
