// Package sessions keeps the sessions of an agent, so that another process can open them.
//
// A [Store] has the state of each open session, and saves it in a [Backend] when a turn has
// ended, before its prompt is answered. A revision, not a lock, keeps two processes apart: the
// first one to end a turn wins, and the turn of the other one fails with a [ChangedError].
package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// A Store has the sessions of an agent, with a state of its own for each: a pointer or a map, which
// encoding/json can write and read. Its fields must not be changed after its first use. A state
// that is a [sync.Locker], as a struct with a [sync.Mutex] in it is, is locked while it is written:
// a turn that locks it defers the call of Unlock.
type Store[State any] struct {
	// Backend keeps the sessions. Without one, they are kept while they are open.
	Backend Backend

	// Principal is the caller whose sessions these are, such as that of remote.CallerOf; those
	// of others do not exist for the store.
	Principal string

	// Describe returns the working directory of a session, and its title if it has one, for
	// session/list. By default, they are the properties cwd and title of the state as JSON.
	Describe func(State) (cwd, title string)

	mu    sync.Mutex
	open  map[string]*session[State]
	count int // of the sessions that were ever open
}

type session[State any] struct {
	// saving is held while the backend is called: each save needs the revision of the one before.
	saving sync.Mutex

	// Guarded by the store.
	state    State
	number   int    // in the order in which they were opened
	revision string // empty before it was saved
	prompts  map[string]string
	turns    int
	// isClosed sessions are kept while turns run, which must not be in the way of one that is
	// opened again.
	isClosed, isDeleted bool
}

// Create opens a new session, which is saved when its first turn has ended. With an empty id, it
// gets a random one. It returns the id.
func (s *Store[State]) Create(id string, state State) string {
	if id == "" {
		id = newID()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.find(id); found != nil {
		found.state = state
	} else {
		s.set(id, &session[State]{state: state})
	}
	return id
}

// Get returns the state of an open session. The error of one that is not open is an
// [acp.Error], as in the other methods.
func (s *Store[State]) Get(id string) (state State, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.find(id); found != nil {
		return found.state, nil
	}
	return state, acp.SessionNotFound(id)
}

// Open opens a session for session/load and session/resume: as it is saved or, when nobody has
// changed it since, as it is in memory.
func (s *Store[State]) Open(ctx context.Context, id string) (state State, err error) {
	if s.Backend == nil {
		return s.Get(id)
	}
	for isStale := true; isStale; {
		state, isStale, err = s.tryOpen(ctx, id)
	}
	return state, err
}

// tryOpen opens a session, unless another call has changed meanwhile which one is open.
func (s *Store[State]) tryOpen(ctx context.Context, id string) (state State, isStale bool, err error) {
	s.mu.Lock()
	before := s.open[id]
	s.mu.Unlock()
	if before != nil {
		before.saving.Lock()
		defer before.saving.Unlock()
	}
	loaded, revision, err := load(ctx, s.Backend, s.Principal, id)
	if err != nil {
		return state, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.open[id]
	if known != before {
		return state, true, nil
	}
	if known != nil && known.revision == revision {
		known.isClosed = false
		return known.state, false, nil
	}
	delete(s.open, id)
	if loaded == nil {
		return state, false, acp.SessionNotFound(id)
	}
	if err := json.Unmarshal([]byte(*loaded.State), &state); err != nil {
		return state, false, err
	}
	s.set(id, &session[State]{state: state, revision: revision, prompts: loaded.Prompts})
	return state, false, nil
}

// Turn runs a turn with the state of an open session, and saves the session: answer the prompt
// after that, since the client may then open the session elsewhere. A turn that fails or panics,
// or whose context has ended, is saved as well.
func (s *Store[State]) Turn(ctx context.Context, id string, run func(State) error) (err error) {
	s.mu.Lock()
	own := s.find(id)
	if own == nil {
		s.mu.Unlock()
		return acp.SessionNotFound(id)
	}
	own.turns++
	state := own.state
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		own.turns--
		s.drop(id, own)
	}()
	defer func() {
		// The failure of the turn matters more than that of saving it.
		if saved := s.save(ctx, id, own); err == nil {
			err = saved
		}
	}()
	return run(state)
}

// Save saves an open session, after a change outside of a turn.
func (s *Store[State]) Save(ctx context.Context, id string) error {
	s.mu.Lock()
	own := s.find(id)
	s.mu.Unlock()
	if own == nil {
		return acp.SessionNotFound(id)
	}
	return s.save(ctx, id, own)
}

// List returns a page of session/list, the newest session first. An empty folder stands for
// all, and an empty cursor for the first page.
func (s *Store[State]) List(ctx context.Context, cwd, cursor string) (*Page, error) {
	if s.Backend != nil {
		return list(ctx, s.Backend, s.Principal, cwd, cursor)
	}
	if cursor != "" {
		return nil, invalidCursor()
	}
	type entry struct {
		id     string
		number int
		state  State
	}
	var open []entry
	s.mu.Lock()
	for id, own := range s.open {
		if !own.isClosed {
			open = append(open, entry{id, own.number, own.state})
		}
	}
	s.mu.Unlock()
	slices.SortFunc(open, func(one, other entry) int { return other.number - one.number })
	page := &Page{Sessions: []Info{}}
	for _, one := range open {
		found, err := s.describe(one.state)
		if err != nil {
			return nil, err
		}
		if cwd == "" || *found.Cwd == cwd {
			page.Sessions = append(page.Sessions, Info{ID: one.id, Cwd: *found.Cwd, Title: found.Title})
		}
	}
	return page, nil
}

// Close closes a session, if it is open. It can be opened again when it was saved.
func (s *Store[State]) Close(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.open[id]; own != nil {
		own.isClosed = true
		s.drop(id, own)
	}
}

// Delete deletes a session, if it exists. Turns of it that run are not saved.
func (s *Store[State]) Delete(ctx context.Context, id string) error {
	s.mu.Lock()
	own := s.open[id]
	delete(s.open, id)
	if own != nil {
		own.isDeleted = true
	}
	s.mu.Unlock()
	if s.Backend == nil {
		return nil
	}
	if own != nil {
		own.saving.Lock()
		defer own.saving.Unlock()
	}
	return s.Backend.Delete(ctx, hash(s.Principal), hash(id))
}

// FindMessage implements [acp.PromptMessages].
func (s *Store[State]) FindMessage(id, key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.find(id); own != nil {
		return own.prompts[key]
	}
	return ""
}

// KeepMessage implements [acp.PromptMessages]. The message is saved at the end of the turn.
func (s *Store[State]) KeepMessage(id, key, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.find(id); own != nil {
		if own.prompts == nil {
			own.prompts = map[string]string{}
		}
		own.prompts[key] = message
	}
}

// The following methods are called while the store is locked.

// find returns an open session; nil for another one.
func (s *Store[State]) find(id string) *session[State] {
	if own := s.open[id]; own != nil && !own.isClosed {
		return own
	}
	return nil
}

func (s *Store[State]) set(id string, own *session[State]) {
	if s.open == nil {
		s.open = map[string]*session[State]{}
	}
	s.count++
	own.number = s.count
	s.open[id] = own
}

// drop forgets a closed session without turns.
func (s *Store[State]) drop(id string, own *session[State]) {
	if own.isClosed && own.turns == 0 && s.open[id] == own {
		delete(s.open, id)
	}
}

// save saves a session, also when the context has ended: a save that was given up would leave it
// unknown which revision is kept. The store is not locked.
func (s *Store[State]) save(ctx context.Context, id string, own *session[State]) error {
	if s.Backend == nil {
		return nil
	}
	own.saving.Lock()
	defer own.saving.Unlock()
	s.mu.Lock()
	state, revision, prompts, isDeleted := own.state, own.revision, maps.Clone(own.prompts), own.isDeleted
	s.mu.Unlock()
	if isDeleted {
		return nil
	}
	found, err := s.describe(state)
	if err != nil {
		return err
	}
	found.Prompts = prompts
	revision, err = save(context.WithoutCancel(ctx), s.Backend, s.Principal, id, found, revision)
	s.mu.Lock()
	defer s.mu.Unlock()
	var changed *ChangedError
	if err == nil {
		own.revision = revision
	} else if errors.As(err, &changed) && s.open[id] == own {
		delete(s.open, id)
	}
	return err
}

// describe returns a session as it is saved now, without its prompts.
func (s *Store[State]) describe(state State) (*storedSession, error) {
	if lock, ok := any(state).(sync.Locker); ok {
		lock.Lock()
		defer lock.Unlock()
	}
	text, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	written, now := string(text), time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	found := &storedSession{State: &written, UpdatedAt: &now}
	if s.Describe != nil {
		cwd, title := s.Describe(state)
		found.Cwd, found.Title = &cwd, title
		return found, nil
	}
	var facts struct{ Cwd, Title string }
	if err := json.Unmarshal(text, &facts); err != nil || facts.Cwd == "" {
		return nil, errors.New("the state of a session has no cwd: give the store a function Describe")
	}
	found.Cwd, found.Title = &facts.Cwd, facts.Title
	return found, nil
}
