package role

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// Connect initializes the agent. An error is a *acp.VersionError when it speaks another version.
func (c *Conn) Connect(ctx context.Context) error {
	outcome := c.rpc.Call(ctx, initialize, c.role.hello, rpc.CallOptions{})()
	defer outcome.Continue()
	if own := (*acp.Error)(nil); errors.As(outcome.Err, &own) && own.Code == acp.CodeUnsupportedVersion {
		newest := int64(0)
		for _, one := range codec.Items(codec.Get(own.Data, "supported")) {
			if version, ok := codec.Int(one); ok {
				newest = max(newest, version)
			}
		}
		return &acp.VersionError{Wanted: c.protocol.Version, Offered: int(newest)}
	}
	if outcome.Err != nil {
		return outcome.Err
	}
	version, ok := codec.Int(codec.Get(outcome.Result, "protocolVersion"))
	if ok && int(version) != c.protocol.Version {
		return &acp.VersionError{Wanted: c.protocol.Version, Offered: int(version)}
	}
	_, notes, err := c.role.initialize[1].Repair(outcome.Result)
	if err != nil {
		return invalidAnswer(initialize, err)
	}
	c.role.note(notes, initialize)
	return nil
}

// answerHandshake answers the handshake. Version 1 allows to repeat it; later versions
// only before other requests.
func (c *Conn) answerHandshake(params []byte) ([]byte, error) {
	version := c.protocol.Version
	if c.isUsed.Load() && version > 1 {
		return nil, acp.NewError(acp.CodeInvalidRequest, sentences.InitializeFirst, nil)
	}
	requested, ok := codec.Int(codec.Get(params, "protocolVersion"))
	if ok && version > 1 && requested < int64(version) {
		data := json.RawMessage(fmt.Sprintf(`{"requested":%d,"supported":[%d]}`, requested, version))
		return nil, acp.NewError(acp.CodeUnsupportedVersion, sentences.UnsupportedVersion, data)
	}
	params, notes, err := c.role.initialize[0].Repair(params)
	if err != nil {
		return nil, invalid(initialize, "params", err)
	}
	c.role.note(notes, initialize)
	answer := c.role.hello
	gates := newGates(c.protocol, c.facts, map[string]json.RawMessage{Client: params})
	for _, place := range c.protocol.find(Agent, request, initialize).Places {
		if place.Part == "result" && place.Gate.Side == Client && gates.missing(place.Gate, nil) != "" {
			answer = place.withoutEntries(answer)
		}
	}
	c.agree(params, answer)
	return answer, nil
}

// Handshake returns the initialize message of the peer, which the handshake has checked.
func Handshake[M any](c *Conn, schema *codec.Schema[M]) M {
	message, _, _ := schema.Decode(c.gates.Load().advertised[c.role.other])
	return message
}

// withoutEntries removes the entries of a list that need what the client did not advertise.
func (p *Place) withoutEntries(message []byte) []byte {
	var path []string
	for _, step := range p.Path {
		if step.Name != "" {
			path = append(path, step.Name)
		}
	}
	list := codec.Get(message, path...)
	if last := len(p.Path) - 1; last != len(path) || p.Path[last].Each == "" || list == nil {
		return message
	}
	kept := []byte{'['}
	for _, entry := range codec.Items(list) {
		value := entry
		if p.Tag != "" {
			value = codec.Get(entry, p.Tag)
		}
		if text, ok := codec.Text(value); ok && slices.Contains(p.Values, text) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, entry...)
	}
	return codec.Set(message, append(kept, ']'), path...)
}

// agree completes the handshake with both initialize messages.
func (c *Conn) agree(client, agent []byte) {
	c.gates.Store(newGates(c.protocol, c.facts, map[string]json.RawMessage{Client: client, Agent: agent}))
}

// invalid returns the error for params or a result that the schema or a gate refuses: the
// pointer and the rule, never the value, since the peer receives it.
func invalid(method, part string, err error) *acp.Error {
	pointer, rule := placeOf(err)
	code := acp.CodeInternalError
	if part == "params" {
		code = acp.CodeInvalidParams
	}
	e := acp.NewError(code, sentences.InvalidPart(part, pointer, rule), map[string]string{"pointer": pointer, "rule": rule})
	e.Method = method
	return e
}

// placeOf returns the pointer and the rule of what the schema or a gate refuses.
func placeOf(err error) (pointer, rule string) {
	var broken *acp.InvalidError
	var lacking *acp.CapabilityError
	switch {
	case errors.As(err, &broken):
		pointer, rule = codec.ShortPointer(broken.Issues[0].Pointer), broken.Issues[0].Rule
	case errors.As(err, &lacking):
		pointer, rule = codec.ShortPointer(lacking.Pointer), "capability"
	}
	return pointer, rule
}
