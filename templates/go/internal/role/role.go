package role

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// logged is how many errors of messages are logged. A peer can cause any number of them.
const logged = 20

// A Role is an agent or a client with its handlers.
type Role struct {
	protocol *Protocol
	side     string
	other    string
	// hello is what the initialize message of this side says.
	hello      []byte
	options    acp.Options
	handlers   map[key]handler
	extensions map[string]acp.Extension
	// initialize has the codecs of the params and of the result.
	initialize [2]Codec
	// peer returns the other side as the application calls it.
	peer     func(*Conn) acp.Peer
	logCount atomic.Int64
}

// handler handles a method of the protocol.
type handler struct {
	// decode checks params in the order of the wire, and returns them for run.
	decode func(params []byte) (any, []acp.Note, error)
	encode func(params any) ([]byte, error) // of a notification
	run    func(ctx context.Context, call Call, params any) ([]byte, error)
}

// A Setup is a role that gets its handlers.
type Setup struct{ role *Role }

// NewSetup returns a role without handlers. The codecs are those of the initialize message.
func NewSetup(p *Protocol, side string, params, result Codec, peer func(*Conn) acp.Peer) *Setup {
	other := Agent
	if side == Agent {
		other = Client
	}
	return &Setup{&Role{protocol: p, side: side, other: other, handlers: map[key]handler{}, initialize: [2]Codec{params, result}, peer: peer}}
}

// MissingHandler returns the error for a role without any handler.
func (s *Setup) MissingHandler() error {
	return errors.New(sentences.MissingSetting("the handler", s.role.side))
}

// Role returns the role, which advertises what its handlers need besides what its
// initialize message says. An error names what is wrong with the handler, which may implement
// some interfaces, with the message, whose property info names the implementation unless it is
// empty, or with an option.
func (s *Setup) Role(handler any, known []reflect.Type, info string, hello []byte, err error, options *acp.Options) (*Role, error) {
	r := s.role
	if err != nil {
		return nil, fmt.Errorf("the initialize message of the %s: %w", r.side, err)
	}
	if info != "" && codec.IsNull(codec.Get(hello, info)) {
		return nil, errors.New(sentences.MissingSetting(strings.ToUpper(info[:1])+info[1:], r.side))
	}
	if options != nil {
		r.options = *options
	}
	if err := cmp.Or(checkOptions(&r.options), checkMethods(handler, known)); err != nil {
		return nil, err
	}
	r.extensions = map[string]acp.Extension{}
	for _, one := range r.options.Extensions {
		if r.protocol.has(one.Method) {
			return nil, errors.New(sentences.NotAnExtension(one.Method, "handle it in the handler"))
		}
		r.extensions[one.Method] = one
	}
	r.hello = codec.Set(hello, fmt.Appendf(nil, "%d", r.protocol.Version), "protocolVersion")
	for _, one := range r.own() {
		gate := one.Gate
		if r.handles(one) && gate.Kind == "capability" && gate.Side == r.side && one.Advertised != nil &&
			codec.Get(r.hello, gate.Path...) == nil {
			r.hello = codec.Set(r.hello, one.Advertised, gate.Path...)
		}
	}
	return r, r.check(func(m *Method) string { return handlerName(m.Name, handler, known) })
}

// own returns the methods that this side handles.
func (r *Role) own() []*Method {
	return slices.DeleteFunc(slices.Clone(r.protocol.Methods), func(m *Method) bool {
		return m.Side != r.side || m.Name == initialize || m.Gate == nil
	})
}

func (r *Role) handles(m *Method) bool {
	return r.handlers[key{r.side, m.Kind, m.Name}].run != nil
}

// check returns an error for a capability without its handler, or for the reverse where
// the capability does not follow from the handler.
func (r *Role) check(nameOf func(*Method) string) error {
	gates := newGates(r.protocol, newFacts(r.protocol, &sessions{}), map[string]json.RawMessage{r.side: r.hello})
	for _, one := range r.own() {
		gate := one.Gate
		if gate.Side != r.side || gate.Kind == "always" {
			continue
		}
		isMissing := gates.missing(gate, nil) != ""
		has, path := r.handles(one), pathText(gate.Path)
		if gate.Kind == "entry" {
			entries := codec.Items(codec.Get(r.hello, gate.Path...))
			if has && len(entries) == 0 {
				return errors.New(sentences.HandlerWithoutEntries(nameOf(one), string(path)))
			}
			isMissing = !slices.ContainsFunc(entries, func(entry []byte) bool {
				return codec.IsObject(entry) && !gate.excludes(entry)
			})
		}
		isOptional := one.Kind == notification && slices.ContainsFunc(r.own(), func(m *Method) bool {
			return m.Kind == request && pathText(m.Gate.Path) == path
		})
		if has && isMissing && (gate.Kind == "key" || gate.Kind == "capability" && one.Advertised != nil) {
			return errors.New(sentences.HandlerWithoutCapability(nameOf(one), string(path)))
		}
		if !has && !isMissing && !isOptional {
			return errors.New(sentences.CapabilityWithoutHandler(string(path), nameOf(one)))
		}
	}
	// A capability may require another one.
	message := r.protocol.find(Agent, request, initialize)
	part := "result"
	if r.side == Client {
		part = "params"
	}
	place, pointer := gates.unavailable(message, part, r.hello)
	if place != nil && place.Gate.Side == r.side {
		return errors.New(sentences.CapabilityWithoutOther(strings.ReplaceAll(pointer[1:], "/", "."), string(pathText(place.Gate.Path))))
	}
	return nil
}

// report gives an error to the application.
func (r *Role) report(err error, method string) {
	if r.options.OnError != nil {
		rpc.Guard(func() { r.options.OnError(err, method) }, func(failed error) { slog.Error("acp: OnError: " + failed.Error()) })
		return
	}
	if _, isOfMessage := err.(*acp.MessageError); isOfMessage && r.logCount.Add(1) > logged {
		return
	}
	slog.Warn("acp: "+err.Error(), "method", method)
}

func (r *Role) note(notes []acp.Note, method string) {
	if len(notes) > 0 && r.options.OnNotes != nil {
		rpc.Guard(func() { r.options.OnNotes(notes, method) }, func(failed error) { r.report(failed, method) })
	}
}
