package role

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// Gates knows what both sides advertised, and what that allows.
type Gates struct {
	protocol   *Protocol
	advertised map[string]json.RawMessage
	sessions   *facts
	closed     map[part]*closedPlaces
}

// part is the params or the result of a method.
type part struct {
	method *Method
	name   string
}

func newGates(p *Protocol, sessions *facts, advertised map[string]json.RawMessage) *Gates {
	g := &Gates{p, advertised, sessions, map[part]*closedPlaces{}}
	for _, one := range p.Methods {
		for _, name := range []string{"params", "result"} {
			var closed []*Place
			for _, place := range one.Places {
				if place.Part == name && place.Gate.Strength == "must" && g.missing(place.Gate, nil) != "" {
					closed = append(closed, place)
				}
			}
			if closed != nil {
				g.closed[part{one, name}] = newClosedPlaces(closed)
			}
		}
	}
	return g
}

// closedPlaces are the places in a message whose gates are closed. Where all of them
// depend on the tag of one object, as in updates, only those of its tag are looked at.
type closedPlaces struct {
	all   []*Place
	way   []string // to the tag
	byTag map[string][]*Place
}

func newClosedPlaces(places []*Place) *closedPlaces {
	c := &closedPlaces{all: places}
	byTag := map[string][]*Place{}
	for i, place := range places {
		way, values := place.selector()
		if i == 0 {
			c.way = way
		}
		if way == nil || !slices.Equal(way, c.way) {
			return c
		}
		for _, value := range values {
			byTag[value] = append(byTag[value], place)
		}
	}
	c.byTag = byTag
	return c
}

// selector returns the path to the first tag on the way to a place, and its values; nil if
// the place does not depend on one.
func (p *Place) selector() (way, values []string) {
	for _, step := range p.Path {
		switch {
		case step.Each != "":
			return nil, nil
		case step.Tag != "":
			return append(way, step.Tag), step.Values
		}
		way = append(way, step.Name)
	}
	if p.Tag == "" {
		return nil, nil
	}
	return append(way, p.Tag), p.Values
}

func (c *closedPlaces) in(message []byte) []*Place {
	if c == nil {
		return nil
	}
	if c.byTag == nil {
		return c.all
	}
	tag, _ := codec.Text(codec.Get(message, c.way...))
	return c.byTag[tag]
}

// missing returns the path of the capability that a gate lacks; empty when it is open.
// Without params, a gate with keys or entries is open when there is any.
func (g *Gates) missing(gate *Gate, params []byte) acp.Capability {
	if gate == nil || gate.Kind == "always" {
		return ""
	}
	path := pathText(gate.Path)
	if gate.Side == "session" {
		if params == nil || g.sessions.isOpen(gate, params) {
			return ""
		}
		return path
	}
	value := codec.Get(g.advertised[gate.Side], gate.Path...)
	isOpen := true
	switch gate.Kind {
	case "capability":
		isOpen = passes(gate.Test, value)
	case "key":
		if key, ok := codec.Text(at(params, gate.Key)); ok {
			isOpen = !codec.IsNull(codec.Get(value, key))
			path = pathText(append(slices.Clone(gate.Path), key))
			break
		}
		isOpen = false
		codec.Members(value, func(name, one []byte) { isOpen = isOpen || string(name) != "_meta" && !codec.IsNull(one) })
	case "entry":
		isOpen = params == nil || slices.ContainsFunc(codec.Items(value), func(entry []byte) bool {
			return gate.isEntry(entry, params) && !gate.excludes(entry)
		})
	}
	if isOpen {
		return ""
	}
	return path
}

// supports returns whether a side advertised a capability. That of a vendor, below _meta, may
// have any value besides null and false.
func (g *Gates) supports(capability acp.Capability, side string) bool {
	path, meant := stepsOf(capability), ""
	for _, one := range g.protocol.find(Agent, request, initialize).Capabilities {
		text := string(pathText(one.Path))
		switch {
		case one.Side != side:
		case slices.Equal(one.Path, path):
			return g.missing(one, nil) == ""
		case strings.HasSuffix(text, "."+string(capability)) || typos(text, string(capability)) <= mostTypos:
			meant = sentences.DidYouMean(text)
		}
	}
	if !slices.Contains(path, "_meta") {
		panic(sentences.UnknownCapability(string(capability), side, meant))
	}
	value := codec.Get(g.advertised[side], path...)
	return !codec.IsNull(value) && string(value) != "false"
}

func passes(test string, value []byte) bool {
	switch test {
	case "true":
		return string(value) == "true"
	case "filled":
		return len(codec.Items(value)) > 0
	}
	return !codec.IsNull(value)
}

// isEntry returns whether an entry is the one that the params name.
func (gate *Gate) isEntry(entry, params []byte) bool {
	if !codec.IsObject(entry) {
		return false
	}
	for name, path := range gate.Entry {
		if !isSame(codec.Get(entry, name), at(params, path)) {
			return false
		}
	}
	return true
}

// reason returns why a message with a closed gate is not sent.
func (g *Gates) reason(m *Method, path acp.Capability, params []byte) string {
	gate := m.Gate
	if gate.Kind != "entry" {
		return sentences.NotAdvertised(string(path), gate.Side)
	}
	excluded := gate.Side != "session" && slices.ContainsFunc(codec.Items(codec.Get(g.advertised[gate.Side], gate.Path...)), func(entry []byte) bool {
		return gate.isEntry(entry, params) && gate.excludes(entry)
	})
	if excluded {
		return sentences.TerminalLogin(m.Name)
	}
	return sentences.NotListed(gate.Side, string(path))
}

// lacking returns the error for a value whose capability was not advertised.
func lacking(method string, place *Place, pointer string) *acp.CapabilityError {
	path := pathText(place.Gate.Path)
	return &acp.CapabilityError{Method: method, Capability: path, Pointer: pointer, Reason: sentences.NotAdvertised(string(path), place.Gate.Side)}
}

// excludes returns whether an entry is of those that do not count.
func (gate *Gate) excludes(entry []byte) bool {
	for name, value := range gate.Except {
		if text, ok := codec.Text(codec.Get(entry, name)); ok && text == value {
			return true
		}
	}
	return false
}

// pointer returns the pointer to the value in the params that selects what a gate needs.
func (gate *Gate) pointer() string {
	path := gate.Key
	for _, one := range gate.Entry {
		path = one
	}
	_, names, ok := strings.Cut(path, ".")
	if !ok {
		return ""
	}
	return "/" + strings.ReplaceAll(names, ".", "/")
}

// unavailable returns the first value in a message that needs what was not advertised,
// and the pointer to it.
func (g *Gates) unavailable(m *Method, name string, message []byte) (found *Place, pointer string) {
	for _, place := range g.closed[part{m, name}].in(message) {
		valuesAt(message, place.Path, "", func(value []byte, where string) {
			if found == nil && place.has(value) {
				found, pointer = place, where
				if place.Tag != "" {
					pointer = codec.PointerTo(where, place.Tag)
				}
			}
		})
		if found != nil {
			break
		}
	}
	return found, pointer
}

func (p *Place) has(value []byte) bool {
	if p.Tag != "" {
		tag, ok := codec.Text(codec.Get(value, p.Tag))
		return ok && slices.Contains(p.Values, tag)
	}
	if codec.IsNull(value) || value[0] == '[' && len(codec.Items(value)) == 0 {
		return false
	}
	if p.Values == nil {
		return true
	}
	text, ok := codec.Text(value)
	return ok && slices.Contains(p.Values, text)
}

// valuesAt calls a function for each value that a path leads to, with its pointer.
func valuesAt(value []byte, path []Step, pointer string, call func(value []byte, pointer string)) {
	for i, step := range path {
		switch {
		case step.Each != "":
			for index, item := range codec.Items(value) {
				valuesAt(item, path[i+1:], codec.ItemOf(pointer, index), call)
			}
			codec.Members(value, func(name, item []byte) {
				valuesAt(item, path[i+1:], codec.PointerTo(pointer, string(name)), call)
			})
			return
		case step.Tag != "":
			tag, ok := codec.Text(codec.Get(value, step.Tag))
			if !ok || !slices.Contains(step.Values, tag) {
				return
			}
		default:
			if value = codec.Get(value, step.Name); value == nil {
				return
			}
			pointer += step.pointer
		}
	}
	call(value, pointer)
}

// at returns the value at the end of a path into params: `params.mode`.
func at(params []byte, path string) []byte {
	return codec.Get(params, strings.Split(path, ".")[1:]...)
}

// isSame compares two strings.
func isSame(one, other []byte) bool {
	text, isText := codec.Text(one)
	second, isSecond := codec.Text(other)
	return isText && isSecond && text == second || !isText && !isSecond && bytes.Equal(one, other)
}

var isWord = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// pathText returns the text of a path: names that are not words are quoted in brackets.
func pathText(path []string) acp.Capability {
	var text strings.Builder
	for _, name := range path {
		if isWord.MatchString(name) {
			text.WriteString("." + name)
		} else {
			text.WriteString(`["` + name + `"]`)
		}
	}
	return acp.Capability(strings.TrimPrefix(text.String(), "."))
}

var steps = regexp.MustCompile(`\["([^"]*)"\]|[^.\[\]"]+`)

// stepsOf returns the names in the text of a path.
func stepsOf(path acp.Capability) (names []string) {
	for _, step := range steps.FindAllStringSubmatch(string(path), -1) {
		names = append(names, cmp.Or(step[1], step[0]))
	}
	return names
}
