package acp

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// The codes of errors: those of JSON-RPC 2.0 (section 5.1), those of the protocol, and
// one of this module.
const (
	CodeParseError         = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternalError      = -32603
	CodeRequestCancelled   = -32800
	CodeAuthRequired       = -32000
	CodeResourceNotFound   = -32002
	CodeUnsupportedVersion = -32022

	// CodeTooManyRequests means that too many requests are unanswered.
	CodeTooManyRequests = -32029
)

// Error is an error with a code, as it stands in a response. A handler that returns one
// answers with it, so that the user on the other side may read its message; of any other
// error, the other side sees only that there was one.
type Error struct {
	// Code is one of the constants of this package, or a code of the application.
	Code int `json:"code"`

	// Message is one sentence for the user.
	Message string `json:"message"`

	// Data is any JSON value; nil for none.
	Data json.RawMessage `json:"data,omitempty"`

	// Method is the method that failed; empty for an error that a handler makes.
	Method string `json:"-"`
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s (%d)", e.Message, e.Code)
	if e.Method == "" {
		return text
	}
	return e.Method + ": " + text
}

// Is returns whether the target is an Error with the same code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Code == other.Code
}

// NewError returns an error for the other side. Data is any value that encoding/json
// accepts, or nil; if it is another one, the error has none.
func NewError(code int, message string, data any) *Error {
	e := &Error{Code: code, Message: message}
	if data != nil {
		if text, err := json.Marshal(data); err == nil {
			e.Data = text
		}
	}
	return e
}

// AuthRequired returns the error for a call before which the client has to authenticate.
func AuthRequired() *Error { return NewError(CodeAuthRequired, "Authentication required", nil) }

// SessionNotFound returns the error for a session that does not exist.
func SessionNotFound(id string) *Error {
	return NewError(CodeResourceNotFound, "Session not found", map[string]string{"sessionId": id})
}

// ResourceNotFound returns the error for a file or another resource that does not exist.
func ResourceNotFound(message string) *Error { return NewError(CodeResourceNotFound, message, nil) }

// InvalidParams returns the error for a request that cannot be served with its params.
func InvalidParams(message string) *Error { return NewError(CodeInvalidParams, message, nil) }

// MethodNotFound returns the error for a method that is not supported.
func MethodNotFound(message string) *Error { return NewError(CodeMethodNotFound, message, nil) }

// ClosedError is the error of a call that nothing can answer any more, because the
// connection has ended.
type ClosedError struct {
	// Method is the method that was called; empty for the error of a connection.
	Method string

	// Cause is why the connection has ended; nil if the other side has ended it.
	Cause error
}

func (e *ClosedError) Error() string {
	reason := ""
	if e.Cause != nil {
		reason = e.Cause.Error()
	}
	return sentences.Closed(e.Method, reason)
}

func (e *ClosedError) Unwrap() error { return e.Cause }

// CapabilityError is the error of a message that was not sent, because the other side has
// not advertised what it needs.
type CapabilityError struct {
	// Method is the method of the message.
	Method string

	// Capability is what the other side lacks.
	Capability Capability

	// Pointer is a JSON pointer to the value that needs it; empty if the method does.
	Pointer string

	// Reason says what is wrong, and what the program can do about it.
	Reason string
}

// Capability is the path of a capability in the initialize message. Packages of the protocol
// have constants for what their schemas list; that of a vendor is written as in
// `agentCapabilities._meta["example.org"].reindex`.
type Capability string

func (e *CapabilityError) Error() string {
	return sentences.NotSent(e.Method, e.Pointer, e.Reason, "")
}

// VersionError is the error of a client whose agent speaks another version of the protocol.
type VersionError struct {
	// Wanted is the version of the client.
	Wanted int

	// Offered is the version of the agent.
	Offered int
}

func (e *VersionError) Error() string {
	cure := ""
	if min(e.Wanted, e.Offered) == 1 && max(e.Wanted, e.Offered) == 2 {
		cure = sentences.BridgeTranslates
	}
	return sentences.OtherVersion(strconv.Itoa(e.Wanted), strconv.Itoa(e.Offered), cure)
}

// MessageError is the error of what was received and could not be used. OnError takes it.
type MessageError struct {
	// Text says what was wrong.
	Text string
}

func (e *MessageError) Error() string { return e.Text }
