package role

import (
	"encoding/json"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// mostEarly is how many sessions have a state before the answer with their id has come.
const mostEarly = 100

// states are the states of the sessions that a client has opened. Nil keeps none.
type states struct {
	version int

	mu    sync.Mutex
	names codec.Cache
	open  map[string]*state
	// early are those of sessions that are updated while opening calls of new ones, whose
	// ids are not known, are unanswered.
	early   map[string]*state
	opening int
	// calls has what the answer to a call does, by its id.
	calls *recent[string, func(isResult bool)]
}

func newStates(version int) *states {
	return &states{
		version: version, open: map[string]*state{}, early: map[string]*state{},
		calls: newRecent[string, func(bool)](mostPrompts),
	}
}

func (s *states) create() *state {
	return &state{version: s.version, names: &s.names, items: map[itemKey]*item{}}
}

// sent takes a call of this side.
func (s *states) sent(m *Method, id string, params []byte) {
	if s == nil || id == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sessionOf(params)
	switch known := s.open[session]; {
	case m.has(startsTurn) && s.version == 1 && known != nil:
		known.addPrompt(id, codec.Get(params, "prompt"))
		s.calls.set(id, func(isResult bool) { known.endPrompt(id, isResult) })
	case m.has(createsSession) || m.has(forksSession):
		s.opening++
		s.calls.set(id, func(bool) {
			if s.opening--; s.opening == 0 {
				clear(s.early)
			}
		})
	case m.has(loadsSession) || m.has(resumesSession):
		// A replay begins with an empty state. When the call fails, it is as before.
		own := known
		if known == nil || m.has(loadsSession) || !codec.IsNull(codec.Get(params, "replayFrom")) {
			own = s.create()
		}
		s.open[session] = own
		s.calls.set(id, func(isResult bool) {
			if !isResult && s.open[session] == own {
				if s.open[session] = known; known == nil {
					delete(s.open, session)
				}
			}
		})
	}
}

// answered takes the answer to a call, behind its result.
func (s *states) answered(id string, isResult bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if call := s.calls.values[id]; call != nil {
		s.calls.remove(id)
		call(isResult)
	}
}

// update takes the params of an update of a session.
func (s *states) update(session string, params []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.open[session]
	if known == nil && s.opening > 0 {
		if known = s.early[session]; known == nil && len(s.early) < mostEarly {
			known = s.create()
			s.early[session] = known
		}
	}
	if known != nil {
		known.apply(codec.Get(params, "update"))
	}
}

// result takes the result of a call: what opens a session, or changes it, is in its state.
func (s *states) result(m *Method, params, result []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sessionOf(params)
	known := s.open[session]
	switch {
	case m.has(createsSession) || m.has(forksSession):
		session = sessionOf(result)
		if session != "" && s.open[session] == nil {
			if known = s.early[session]; known == nil {
				known = s.create()
			}
			s.open[session] = known
			known.begin(result)
		}
	case m.has(endsSession):
		delete(s.open, session)
	case known == nil:
	case m.has(loadsSession) || m.has(resumesSession):
		known.begin(result)
	case m.has(setsMode):
		known.setMode(codec.Get(params, "modeId"))
	case m.has(setsConfigOption):
		known.learn("config_option_update", "configOptions", codec.Get(result, "configOptions"))
	case m.has(setsTitle):
		known.learn("session_info_update", "title", codec.Get(result, "title"))
	}
}

// begin takes what the answer that opens a session says of it.
func (s *state) begin(result []byte) {
	if modes := codec.Get(result, "modes"); !codec.IsNull(modes) && s.version == 1 {
		s.replace("modes", s.fieldsOf(modes))
		s.setMode(codec.Get(modes, "currentModeId"))
	}
	s.learn("config_option_update", "configOptions", codec.Get(result, "configOptions"))
	s.learn("available_commands_update", "availableCommands", codec.Get(result, "availableCommands"))
}

// setMode takes a mode. One that was reported already stays as it was reported.
func (s *state) setMode(id []byte) {
	known := s.items[itemKey{kind: "current_mode_update"}]
	if known == nil || !isSame(known.fields["currentModeId"], id) {
		s.learn("current_mode_update", "currentModeId", id)
	}
}

// learn applies what an answer says as the update that would say the same.
func (s *state) learn(tag, name string, value []byte) {
	if !codec.IsNull(value) {
		s.apply(fields{"sessionUpdate": codec.Quote(tag), name: value}.object())
	}
}

// An Item is an item of the state of a session.
type Item struct {
	// Kind is the tag of the update that reports the whole item, or "modes".
	Kind string

	// HasOrder says that the item is one of the timeline.
	HasOrder bool

	// Update is the update, and the others are what it says of a message.
	Update, Content []byte
	ID              string
	Meta            map[string]json.RawMessage
}

func (p *item) public() Item {
	kind := kinds[p.kind]
	shown := Item{Kind: p.kind, HasOrder: kind.list != "", Update: p.update(), Content: p.content()}
	shown.ID, _ = codec.Text(p.fields[kind.id])
	_ = json.Unmarshal(p.fields["_meta"], &shown.Meta)
	return shown
}

// State returns the items of the state of a session: those with an order, and others. A
// function decodes those that have changed; it returns nil for what it cannot decode.
func (c *Conn) State(session string, decode func(Item) any) (timeline, others []any) {
	if c.states == nil {
		return nil, nil
	}
	c.states.mu.Lock()
	defer c.states.mu.Unlock()
	known := c.states.open[session]
	if known == nil {
		return nil, nil
	}
	shown := func(items []*item) (all []any) {
		for _, one := range items {
			if one.shown == nil {
				one.shown = decode(one.public())
			}
			if one.shown != nil {
				all = append(all, one.shown)
			}
		}
		return all
	}
	return shown(known.timeline), shown(known.others)
}
