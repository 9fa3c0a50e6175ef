package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// abandoned is how much older than a new save a draft is that a process has left which died.
const abandoned = time.Hour

var (
	errNoSave = errors.New(sentences.SaveMissing)
	errNoFile = errors.New(sentences.SaveIsNoFile)

	currentName = regexp.MustCompile(`^([0-9a-f]{32})\.current$`)
	// draftName matches drafts of saves and sessions, and sessions that are being deleted.
	draftName = regexp.MustCompile(`^[0-9a-f]{32,64}\..*(json|draft|deleted)$`)
)

// Files returns a backend that keeps sessions in files, for processes that share a folder.
// The folder is created when it does not exist; only its owner can read it.
//
// A session is a folder. An empty file, <revision>.current, names its last save, which is the
// file saves/<revision>.json. A save writes its own file first, then renames the empty file from
// the revision that it is based on to its own. Of several processes, only one can do so, and
// only while that revision is the last one. Revisions are random, so that one that was read
// before a deletion never fits a session that was created afterwards. Other files are ignored.
// The bindings of other languages read and write the same files.
func Files(folder string) Backend { return files(folder) }

type files string

func currentIn(place, revision string) string { return filepath.Join(place, revision+".current") }

func saveIn(place, revision string) string { return filepath.Join(place, "saves", revision+".json") }

// Get implements Backend.
func (f files) Get(_ context.Context, owner, name string) ([]byte, string, error) {
	place := filepath.Join(string(f), owner, name)
	for last := "none"; ; {
		entries, err := os.ReadDir(place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", nil
		}
		if err != nil {
			return nil, "", unreadable(place, err)
		}
		revision := ""
		for _, one := range entries {
			if found := currentName.FindStringSubmatch(one.Name()); found != nil {
				revision = found[1]
			}
		}
		if revision != "" {
			path := saveIn(place, revision)
			// Reading a pipe would wait for a writer.
			if found, err := os.Stat(path); err == nil && !found.Mode().IsRegular() {
				return nil, "", unreadable(place, errNoFile)
			}
			value, err := os.ReadFile(path)
			if err == nil {
				return value, revision, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, "", unreadable(place, err)
			}
		}
		// A later save has renamed or replaced the file in the meantime, or the session was deleted.
		if revision == last {
			return nil, "", unreadable(place, errNoSave)
		}
		last = revision
	}
}

// unreadable returns the error of reading one session, unless it concerns all, such as that of
// too many open files.
func unreadable(place string, err error) error {
	for _, own := range []error{fs.ErrPermission, syscall.ENOTDIR, syscall.EISDIR, errNoSave, errNoFile} {
		if errors.Is(err, own) {
			return &unreadableError{place, err}
		}
	}
	return err
}

// Set implements Backend.
func (f files) Set(_ context.Context, owner, name string, value []byte, revision string) (string, error) {
	place := filepath.Join(string(f), owner, name)
	if revision == "" {
		return createSession(place, value)
	}
	next := newID()
	draft := saveIn(place, next)
	err := writeThrough(draft, value)
	if err == nil {
		err = os.Rename(currentIn(place, revision), currentIn(place, next))
	}
	if err != nil {
		_ = os.Remove(draft)
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return "", err
	}
	_ = os.Remove(saveIn(place, revision))
	removeAbandoned(draft)
	return next, nil
}

// createSession creates the folder of a session; the revision is empty when there is one.
func createSession(place string, value []byte) (string, error) {
	revision := newID()
	draft := place + "." + revision + ".draft"
	if err := os.MkdirAll(filepath.Join(draft, "saves"), 0o700); err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(draft) }()
	err := writeThrough(saveIn(draft, revision), value)
	if err == nil {
		err = writeThrough(currentIn(draft, revision), nil)
	}
	if err == nil {
		err = os.Rename(draft, place)
	}
	if err != nil {
		if _, taken := os.Lstat(place); taken == nil {
			return "", nil
		}
		return "", err
	}
	removeAbandoned(place)
	return revision, nil
}

// removeAbandoned removes what processes that died have left beside a new save. Such a draft is
// based on an earlier save, so it can no longer succeed. The new save does not fail with this.
func removeAbandoned(save string) {
	own, err := os.Stat(save)
	if err != nil {
		return
	}
	parent := filepath.Dir(save)
	entries, _ := os.ReadDir(parent)
	for _, one := range entries {
		if !draftName.MatchString(one.Name()) {
			continue
		}
		if found, err := one.Info(); err == nil && own.ModTime().Sub(found.ModTime()) > abandoned {
			_ = remove(filepath.Join(parent, one.Name()))
		}
	}
}

// writeThrough writes a file that is on the disk when this returns.
func writeThrough(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// Delete implements Backend.
func (f files) Delete(_ context.Context, owner, name string) error {
	return remove(filepath.Join(string(f), owner, name))
}

// remove removes a folder or a file from its name at once, and then from the disk.
func remove(path string) error {
	removed := path + "." + newID() + ".deleted"
	err := os.Rename(path, removed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, os.RemoveAll(removed))
}

// Names implements Backend.
func (f files) Names(_ context.Context, owner string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(string(f), owner))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	type dated struct {
		name string
		time time.Time
	}
	var found []dated
	for _, one := range entries {
		// Each save has renamed a file in the folder of its session, which changes the time;
		// drafts do not.
		if info, err := one.Info(); err == nil {
			found = append(found, dated{one.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b dated) int {
		return cmp.Or(b.time.Compare(a.time), cmp.Compare(b.name, a.name))
	})
	names := make([]string, len(found))
	for i, one := range found {
		names[i] = one.name
	}
	return names, nil
}
