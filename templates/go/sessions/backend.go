package sessions

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A Backend keeps values, and sets one only if nobody else has changed it: the table of a
// database, a bucket, a folder. [Memory] and [Files] are backends. A value is found by an owner
// and a name, which have 64 hexadecimal digits each. The bindings of other languages keep the
// same values.
type Backend interface {
	// Get returns a value with its revision, which is empty if there is none.
	Get(ctx context.Context, owner, name string) (value []byte, revision string, err error)

	// Set sets a value, if its revision is still the given one; that of a value that must not
	// exist yet is empty. It returns a revision that no value of this name has had, not even
	// before a deletion, or an empty one if the value has another revision than the given one.
	Set(ctx context.Context, owner, name string, value []byte, revision string) (string, error)

	// Delete removes a value; one that does not exist is not an error.
	Delete(ctx context.Context, owner, name string) error

	// Names returns the names of all values of an owner, the one that was set last first.
	Names(ctx context.Context, owner string) ([]string, error)
}

// A ChangedError is the error of a session that was not saved: another process has changed or
// deleted it since it was opened. The client is answered with an [acp.Error] that says so.
type ChangedError struct{ SessionID string }

func (e *ChangedError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error for the client.
func (e *ChangedError) Unwrap() error {
	data := map[string]string{"reason": "session_changed", "sessionId": e.SessionID}
	return acp.NewError(acp.CodeInternalError, sentences.SessionChanged, data)
}

// A Page is a page of session/list, whose result is its JSON text.
type Page struct {
	Sessions   []Info `json:"sessions"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// Info is a session in a list.
type Info struct {
	ID        string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
	UpdatedAt string `json:"updatedAt,omitempty"`
}

const (
	// pageSize is the number of sessions in a page; with a filter, there may be up to readAtOnce more.
	pageSize = 200
	// readAtOnce is how many sessions a list reads at the same time.
	readAtOnce = 20
	// A cursor consists of the beginnings of the last names of a page.
	cursorNames, cursorDigits = 16, 16
)

var (
	valueName = regexp.MustCompile(`^[0-9a-f]{64}$`)
	cursors   = regexp.MustCompile(`^(?:[0-9a-f]{16}){1,16}$`)
)

// A stored is what a value contains.
type stored struct {
	Principal string         `json:"principal"`
	SessionID *string        `json:"sessionId"`
	Session   *storedSession `json:"session"`
	// Save makes each value another one, for backends whose revisions are hashes.
	Save string `json:"save"`
}

type storedSession struct {
	Cwd       *string           `json:"cwd"`
	Title     string            `json:"title,omitempty"`
	UpdatedAt *string           `json:"updatedAt"`
	State     *string           `json:"state"`
	Prompts   map[string]string `json:"prompts,omitempty"`
}

// An unreadableError is the error of a value that is not a session: it is damaged, or another
// program has written it.
type unreadableError struct {
	place string
	cause error
}

func (e *unreadableError) Error() string {
	return sentences.StoredUnreadable(e.place, e.cause.Error())
}

func (e *unreadableError) Unwrap() error { return e.cause }

// reported has the errors of unreadable sessions that were logged.
var reported sync.Map

// load returns a session and its revision; nil if there is none.
func load(ctx context.Context, b Backend, principal, id string) (*storedSession, string, error) {
	_, session, revision, err := read(ctx, b, hash(principal), hash(id))
	return session, revision, err
}

func read(ctx context.Context, b Backend, owner, name string) (id string, session *storedSession, revision string, err error) {
	text, revision, err := b.Get(ctx, owner, name)
	if err != nil || revision == "" {
		return "", nil, "", err
	}
	var value stored
	err = json.Unmarshal(text, &value)
	session = value.Session
	if err == nil && (value.SessionID == nil || session == nil || session.Cwd == nil || session.UpdatedAt == nil || session.State == nil) {
		err = errors.New(sentences.ValueIsNoSession)
	}
	if err != nil {
		return "", nil, "", &unreadableError{owner + "/" + name + " with revision " + revision, err}
	}
	return *value.SessionID, session, revision, nil
}

// save stores a session, and returns its new revision.
func save(ctx context.Context, b Backend, principal, id string, session *storedSession, revision string) (string, error) {
	text, err := json.Marshal(stored{principal, &id, session, newID()})
	if err != nil {
		return "", err
	}
	next, err := b.Set(ctx, hash(principal), hash(id), text, revision)
	if err == nil && next == "" {
		err = &ChangedError{id}
	}
	return next, err
}

// list returns a page. A session that does not change while a client reads the pages is listed
// once; one that changes moves to the front.
func list(ctx context.Context, b Backend, principal, cwd, cursor string) (*Page, error) {
	owner := hash(principal)
	names, err := b.Names(ctx, owner)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !valueName.MatchString(name) })
	at, err := placeBehind(cursor, names)
	if err != nil {
		return nil, err
	}
	page := &Page{Sessions: []Info{}}
	for at < len(names) && len(page.Sessions) < pageSize {
		part := names[at:min(at+readAtOnce, len(names))]
		found, err := readInfos(ctx, b, owner, part)
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			if one != nil && (cwd == "" || one.Cwd == cwd) {
				page.Sessions = append(page.Sessions, *one)
			}
		}
		at += len(part)
	}
	if at < len(names) {
		for _, name := range names[max(0, at-cursorNames):at] {
			page.NextCursor += name[:cursorDigits]
		}
	}
	return page, nil
}

// readInfos reads sessions at the same time; what is not a session is nil, and logged once.
func readInfos(ctx context.Context, b Backend, owner string, names []string) ([]*Info, error) {
	found, errs := make([]*Info, len(names)), make([]error, len(names))
	var reads sync.WaitGroup
	for i, name := range names {
		reads.Add(1)
		go func() {
			defer reads.Done()
			id, session, _, err := read(ctx, b, owner, name)
			var unreadable *unreadableError
			switch {
			case errors.As(err, &unreadable):
				if _, isKnown := reported.LoadOrStore(err.Error(), true); !isKnown {
					slog.Warn("acp: " + err.Error())
				}
			case err != nil:
				errs[i] = err
			case session != nil:
				found[i] = &Info{id, *session.Cwd, session.Title, *session.UpdatedAt}
			}
		}()
	}
	reads.Wait()
	return found, errors.Join(errs...)
}

// placeBehind returns the index behind the names of a cursor. Sessions that have changed since
// are in front of all others, so the last name that is found belongs to one that has not.
func placeBehind(cursor string, names []string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	if !cursors.MatchString(cursor) {
		return 0, invalidCursor()
	}
	listed := map[string]bool{}
	for ; cursor != ""; cursor = cursor[cursorDigits:] {
		listed[cursor[:cursorDigits]] = true
	}
	for at := len(names); at > 0; at-- {
		if listed[names[at-1][:cursorDigits]] {
			return at, nil
		}
	}
	return 0, nil
}

func invalidCursor() *acp.Error {
	return acp.NewError(acp.CodeInvalidParams, "Invalid cursor", map[string]string{"pointer": "/cursor"})
}

// hash returns the SHA-256 of a string in JSON, as all languages compute it.
func hash(text string) string {
	sum := sha256.Sum256(codec.Quote(text))
	return hex.EncodeToString(sum[:])
}

func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	return hex.EncodeToString(id[:])
}
