package role

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// The only method that is known by its name: the one before all others.
const initialize = "initialize"

// The sides, and the kinds of methods.
const (
	Agent        = "agent"
	Client       = "client"
	request      = "request"
	notification = "notification"
)

// A Trait is what a method does. Methods are found by their traits.
type Trait string

const (
	startsTurn         Trait = "starts-turn"
	cancelsTurn        Trait = "cancels-turn"
	updatesSession     Trait = "updates-session"
	createsSession     Trait = "creates-session"
	forksSession       Trait = "forks-session"
	loadsSession       Trait = "loads-session"
	resumesSession     Trait = "resumes-session"
	listsSessions      Trait = "lists-sessions"
	endsSession        Trait = "ends-session"
	acceptsClosed      Trait = "accepts-closed-session"
	requestsPermission Trait = "requests-permission"
	createsTerminal    Trait = "creates-terminal"
	releasesTerminal   Trait = "releases-terminal"
	setsMode           Trait = "sets-mode"
	setsConfigOption   Trait = "sets-config-option"
	setsTitle          Trait = "sets-title"
	changesAuth        Trait = "changes-authentication"
)

// A Protocol is a profile as data.
type Protocol struct {
	Version int
	Methods []*Method

	states *StateTable
	found  map[key]*Method
}

type key struct{ side, kind, name string }

// A Method is a request or a notification.
type Method struct {
	Name, Side, Kind string
	Params, Result   string
	Gate             *Gate
	Places           []*Place
	Facts            []*Fact
	Traits           []Trait
	CancelledResult  json.RawMessage
	ImpliedResult    json.RawMessage
	// Capabilities are what both sides can advertise, of the initialize method only.
	Capabilities []*Gate
	// Advertised is the value of the capability that a handler advertises.
	Advertised json.RawMessage
}

// A Gate is what a method or a value needs.
type Gate struct {
	Kind, Side    string
	Path          []string
	Test, Key     string
	Entry, Except map[string]string
	Strength      string
}

// A Place is a value in a message that needs a capability.
type Place struct {
	Part   string
	Path   []Step
	Tag    string
	Values []string
	Gate   *Gate
}

// A Fact is what a message shows of a session.
type Fact struct {
	Part string
	Path []Step
	Fact string
	// ID is the property that names an item of the session.
	ID string
}

// A Step is the name of a property, each item or value, or an object with one of some tags.
type Step struct {
	Name    string
	pointer string // of the name
	Each    string
	Tag     string
	Values  []string
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Step) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		err := json.Unmarshal(data, &s.Name)
		s.pointer = codec.PointerTo("", s.Name)
		return err
	}
	type plain Step
	return json.Unmarshal(data, (*plain)(s))
}

// NewProtocol returns the protocol that tables describe.
func NewProtocol(table string, states *StateTable) *Protocol {
	p := &Protocol{found: map[key]*Method{}, states: states.index()}
	if err := json.Unmarshal([]byte(table), p); err != nil {
		panic(fmt.Sprintf("the table of methods: %v", err))
	}
	for _, one := range p.Methods {
		for _, side := range []string{Agent, Client} {
			if one.Side == side || one.Side == "protocol" {
				p.found[key{side, one.Kind, one.Name}] = one
			}
		}
	}
	return p
}

// find returns the method that a side handles; nil if there is none.
func (p *Protocol) find(side, kind, name string) *Method { return p.found[key{side, kind, name}] }

// has returns whether a method of any side has a name.
func (p *Protocol) has(name string) bool {
	return slices.ContainsFunc(p.Methods, func(one *Method) bool { return one.Name == name })
}

// named returns the name of the first method of a kind with a trait; empty if there is none.
func (p *Protocol) named(trait Trait, kind string) string {
	for _, one := range p.Methods {
		if one.Kind == kind && one.has(trait) {
			return one.Name
		}
	}
	return ""
}

// closing returns the name of the request that closes a session; that which deletes one
// takes closed sessions as well. It is empty if there is none.
func (p *Protocol) closing() string {
	for _, one := range p.Methods {
		if one.Kind == request && one.has(endsSession) && !one.has(acceptsClosed) {
			return one.Name
		}
	}
	return ""
}

func (m *Method) has(trait Trait) bool { return slices.Contains(m.Traits, trait) }

// A Codec checks the texts of a definition.
type Codec interface {
	// Repair returns a text as it is decoded, leniently, and what the decoding notes.
	Repair(data []byte) ([]byte, []acp.Note, error)
}
