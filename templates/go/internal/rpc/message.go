package rpc

import (
	"strconv"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// nullID is the id of answers to what has none.
const nullID = "null"

type kind uint8

const (
	// kindInvalid is no message, though it may have an id to answer with.
	kindInvalid kind = iota
	kindRequest
	kindNotification
	kindResponse
	// kindBroken is a response that cannot be used. One that is a call as well answers no call.
	kindBroken
)

// message is a JSON object with the members of JSON-RPC as texts. An id is printed in one
// way only, so that it can be compared.
type message struct {
	kind                                       kind
	id                                         string
	isVersion2, hasID, hasMethod, isRealMethod bool
	method                                     string
	params, result, failure                    []byte
	problem                                    string // of a response
}

// parse reads a JSON value (JSON-RPC 2.0, sections 4 and 5). With nullIDs, a request may
// have the id null. It also returns whether the text is an object.
func parse(text []byte, nullIDs bool, methods *codec.Cache) (m message, isObject bool) {
	isID := false
	isObject = codec.Members(text, func(name, value []byte) {
		switch string(name) {
		case "jsonrpc":
			version, _ := codec.Text(value)
			m.isVersion2 = version == "2.0"
		case "id":
			m.hasID = true
			m.id, isID = idOf(value)
		case "method":
			m.hasMethod = true
			m.method, m.isRealMethod = methods.Text(value)
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.failure = value
		}
	})
	if !m.hasID {
		m.id = nullID
	}
	if isObject {
		m.kind = m.classify(isID, nullIDs)
	}
	return m, isObject
}

// An Envelope is what a transport needs to know of a message.
type Envelope struct {
	IsObject, IsRequest, IsResponse, IsFailure bool

	// ID is the text of the id; null if there is none.
	ID string

	// Params and Result are the texts of these members, if there are any.
	Params, Result []byte
}

// ReadEnvelope reads a JSON text; its parts are those of the text.
func ReadEnvelope(text []byte) Envelope {
	m, isObject := parse(text, true, nil)
	return Envelope{
		IsObject: isObject, IsRequest: m.kind == kindRequest, IsResponse: isObject && !m.hasMethod && m.hasID, IsFailure: m.failure != nil,
		ID: m.id, Params: m.params, Result: m.result,
	}
}

// FailureText returns the line of a response with an error.
func FailureText(id string, e *acp.Error) []byte { return appendError(nil, id, e) }

func (m *message) classify(isID, nullIDs bool) kind {
	isResponse := m.result != nil || m.failure != nil
	switch {
	case m.hasMethod && isResponse:
		return kindBroken
	case m.hasMethod && !m.isVersion2:
		m.id = nullID
		return kindInvalid
	case m.hasMethod && !m.hasID && m.isRealMethod:
		return kindNotification
	case m.hasMethod && isID && m.isRealMethod && (nullIDs || m.id != nullID):
		return kindRequest
	case m.hasMethod:
		return kindInvalid
	case !isResponse && !(m.hasID && m.isVersion2):
		return kindInvalid
	}
	if m.problem = m.problemOf(isID); m.problem != "" {
		return kindBroken
	}
	return kindResponse
}

// problemOf returns what is wrong with a response.
func (m *message) problemOf(isID bool) string {
	_, hasCode := codec.Int(codec.Get(m.failure, "code"))
	_, hasText := codec.Text(codec.Get(m.failure, "message"))
	switch {
	case !m.isVersion2:
		return sentences.WrongVersion
	case !isID:
		return sentences.WrongID
	case m.result != nil && m.failure != nil:
		return sentences.BothOutcomes
	case m.failure != nil && !(hasCode && hasText):
		return sentences.WrongError
	}
	return ""
}

// idOf returns the text of an id, and whether the value is one: a string, an integer that
// is exact in every language, or null.
func idOf(value []byte) (id string, ok bool) {
	if text, ok := codec.Text(value); ok {
		return string(codec.Quote(text)), true
	}
	if n, ok := codec.Int(value); ok && n >= -codec.MaxSafe && n <= codec.MaxSafe {
		return strconv.FormatInt(n, 10), true
	}
	return nullID, codec.IsNull(value)
}

// errorOf returns the error of a response.
func errorOf(failure []byte, method string) *acp.Error {
	code, _ := codec.Int(codec.Get(failure, "code"))
	text, _ := codec.Text(codec.Get(failure, "message"))
	return &acp.Error{Code: int(code), Message: text, Data: codec.Get(failure, "data"), Method: method}
}

func appendCall(out []byte, id, method string, params []byte) []byte {
	out = append(out, `{"jsonrpc":"2.0",`...)
	if id != "" {
		out = append(append(append(out, `"id":`...), id...), ',')
	}
	out = codec.AppendQuoted(append(out, `"method":`...), method)
	if params != nil {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}', '\n')
}

func appendResult(out []byte, id string, result []byte) []byte {
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(out, `,"result":`...), result...), '}', '\n')
}

func appendError(out []byte, id string, e *acp.Error) []byte {
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = strconv.AppendInt(append(out, `,"error":{"code":`...), int64(e.Code), 10)
	out = codec.AppendQuoted(append(out, `,"message":`...), e.Message)
	if e.Data != nil && codec.IsJSON(e.Data) {
		out = append(append(out, `,"data":`...), codec.OneLine(e.Data)...)
	}
	return append(out, '}', '}', '\n')
}
