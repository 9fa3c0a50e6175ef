package codec

import (
	"maps"
	"strconv"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// maxIssues is how many issues are reported.
const maxIssues = 16

type walkMode uint8

const (
	// walkStrict reports errors.
	walkStrict walkMode = iota
	// walkSend also rejects names that are reserved for the protocol.
	walkSend
	// walkKeep repairs what may be repaired, and accepts values that are not listed.
	walkKeep
)

// check diagnoses a value. Its address is its identity.
type check struct{ run func(*diagnosis, found) }

// found is a value during a diagnosis; objects and lists are tracked. Without a node, it
// is missing.
type found struct {
	n *node
	t *tracked
}

func (f found) isMissing() bool   { return f.n == nil }
func (f found) is(kind kind) bool { return f.n != nil && f.n.kind == kind }

// diagnosis is one run over a value, with what it reports.
type diagnosis struct {
	mode     walkMode
	issues   []acp.Issue
	notes    []acp.Note
	failures int
	// holder is the object or list that was read last; key names the property or item.
	holder *tracked
	key    key
	// changes counts repairs and inserted defaults.
	changes int
	// isTrial says that the run only decides about a value, without effects.
	isTrial bool
}

// key is the name of a property, or the index of an item.
type key struct {
	name  string
	index int
}

func property(name string) key { return key{name, -1} }
func item(index int) key       { return key{"", index} }

func (k key) in(n *node) *node {
	if k.index < 0 {
		return n.get(k.name)
	}
	return n.items[k.index]
}

// tracked is an object or list during a diagnosis, with its changes. Its source is not
// modified.
type tracked struct {
	d      *diagnosis
	source *node
	parent *tracked
	key    key
	depth  int
	// declared are the properties that were read, which are those that are declared.
	declared []string
	// isOpen says that other properties are allowed.
	isOpen bool
	// isSuperseded says that a later tracked value for the same path replaces this one.
	isSuperseded bool
	changes      map[key]found
	memo         *trials
}

// trials are the results of trials at one path, and those at the paths inside.
type trials struct {
	inside  map[key]*trials
	results map[trialOf][]acp.Issue
}

type trialOf struct {
	c    *check
	mode walkMode
}

// run diagnoses a value and returns it, repaired where possible.
func (d *diagnosis) run(c *check, n *node) *node {
	holder := &tracked{d: d, source: &node{kind: kindList, items: []*node{n}}}
	c.run(d, d.read(holder, item(0)))
	// A run that fails may not have read every property.
	if d.mode == walkSend && d.failures == 0 {
		d.findRefused(holder)
	}
	return holder.build().items[0]
}

// findRefused reports the properties that a program has added and may not send.
func (d *diagnosis) findRefused(t *tracked) {
	for i, n := range t.source.items {
		k := item(i)
		if t.source.kind == kindObject {
			k = property(t.source.keys[i])
		}
		d.findRefused(&tracked{d: d, source: n, parent: t, key: k})
		if expected, ok := t.source.refused[k.name]; ok {
			d.holder, d.key = t, k
			d.reject("undeclared", expected, found{n: n})
		}
	}
}

// read reads a property or an item.
func (d *diagnosis) read(holder *tracked, k key) found {
	d.holder, d.key = holder, k
	n := k.in(holder.source)
	if n == nil || n.kind < kindList {
		return found{n: n}
	}
	if holder.depth < maxDepth {
		return found{n, &tracked{d: d, source: n, parent: holder, key: k, depth: holder.depth + 1}}
	}
	d.reject("depth", "depth "+strconv.Itoa(maxDepth), found{n: n})
	return found{}
}

func (t *tracked) get(name string) found {
	t.declared = append(t.declared, name)
	return t.d.read(t, property(name))
}

// reject reports an error at the path of a tracked value, or at the path read last.
func (d *diagnosis) reject(rule, expected string, f found) {
	d.failures++
	if len(d.issues) >= maxIssues {
		return
	}
	d.locate(f)
	if f.isMissing() {
		rule = "required"
	}
	d.issues = append(d.issues, acp.Issue{Pointer: d.pointer(), Rule: rule, Expected: expected, Found: render(f.n)})
}

// locate moves to the path of a tracked value.
func (d *diagnosis) locate(f found) {
	if f.t != nil && f.t.parent != nil {
		d.holder, d.key = f.t.parent, f.t.key
	}
}

// note reports a repair, or an unknown value that was kept, at the path read last.
func (d *diagnosis) note(rule, reason string) {
	if d.mode == walkKeep {
		d.notes = append(d.notes, acp.Note{Pointer: d.pointer(), Rule: rule, Reason: reason})
	}
}

// attempt runs a check; when it fails, or on request, it removes its reports. It returns
// the errors, and whether the value fits.
func (d *diagnosis) attempt(c *check, f found, discard bool) (errors []acp.Issue, fits bool) {
	failures, issues, noted := d.failures, d.issues, len(d.notes)
	d.issues = nil
	c.run(d, f)
	errors, d.issues = d.issues, issues
	fits = d.failures == failures
	d.failures = failures
	if !fits || discard {
		d.notes = d.notes[:noted]
	}
	return errors, fits
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON pointer of the property or item that was read last.
func (d *diagnosis) pointer() string {
	var tokens []string
	k := d.key
	// The list around the whole value is not part of the path.
	for t := d.holder; t.parent != nil; t = t.parent {
		token := k.name
		if k.index >= 0 {
			token = strconv.Itoa(k.index)
		}
		tokens = append(tokens, escapePointer.Replace(shorten(token)))
		k = t.key
	}
	var path strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		path.WriteByte('/')
		path.WriteString(tokens[i])
	}
	return path.String()
}

// trials returns the results of trials, which all tracked values for a path share.
func (t *tracked) trials() *trials {
	if t.memo != nil {
		return t.memo
	}
	t.memo = &trials{}
	if t.parent != nil {
		above := t.parent.trials()
		if own := above.inside[t.key]; own != nil {
			t.memo = own
			return own
		}
		if above.inside == nil {
			above.inside = map[key]*trials{}
		}
		above.inside[t.key] = t.memo
	}
	return t.memo
}

// change replaces a property or an item; a missing value removes it.
func (t *tracked) change(k key, to found) {
	if to.t == nil {
		t.d.changes++
	}
	if t.changes == nil {
		t.changes = map[key]found{}
	}
	t.changes[k] = to
	if t.parent != nil {
		t.parent.change(t.key, found{t.source, t})
	}
}

// retry returns a tracked value for the same path, to try another check.
func (t *tracked) retry() *tracked {
	next := &tracked{d: t.d, source: t.source, parent: t.parent, key: t.key, depth: t.depth, isOpen: t.isOpen}
	next.declared = append(next.declared, t.declared...)
	next.changes = maps.Clone(t.changes)
	t.isSuperseded = true
	if t.parent != nil {
		t.parent.change(t.key, found{t.source, next})
	}
	return next
}

func (f found) retry() found {
	if f.t == nil {
		return f
	}
	return found{f.n, f.t.retry()}
}

// build returns the source with all changes, or the source itself without changes.
func (t *tracked) build() *node {
	var out *node
	removed := map[key]bool{}
	for k, change := range t.changes {
		to := change.n
		if change.t != nil {
			to = change.t.build()
		}
		if to == k.in(t.source) {
			continue
		}
		if out == nil {
			out = t.source.clone()
		}
		switch {
		case to == nil:
			removed[k] = true
		case k.index >= 0:
			out.items[k.index] = to
		default:
			out.set(k.name, to)
		}
	}
	if out == nil {
		return t.source
	}
	if len(removed) == 0 {
		return out
	}
	return out.without(removed)
}

func (n *node) clone() *node {
	out := &node{kind: n.kind, isReceived: n.isReceived}
	out.items = append(out.items, n.items...)
	out.keys = append(out.keys, n.keys...)
	out.index = maps.Clone(n.index)
	return out
}

func (n *node) without(removed map[key]bool) *node {
	if n.kind == kindList {
		kept := &node{kind: kindList}
		for i, one := range n.items {
			if !removed[item(i)] {
				kept.items = append(kept.items, one)
			}
		}
		return kept
	}
	kept := newObject()
	kept.isReceived = n.isReceived
	for i, name := range n.keys {
		if !removed[property(name)] {
			kept.set(name, n.items[i])
		}
	}
	return kept
}

// isReceived returns whether the object around what was read last may be sent whatever
// it contains.
func (d *diagnosis) isReceived() bool {
	t := d.holder
	for t.source.kind == kindList && t.parent != nil {
		t = t.parent
	}
	return t.source.isReceived
}
