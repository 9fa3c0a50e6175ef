package acp

import "fmt"

// Issue is one reason why a value is invalid.
type Issue struct {
	// Pointer is a JSON pointer (RFC 6901) into the value.
	Pointer string

	// Rule is the keyword of JSON Schema that failed, or required, depth, syntax,
	// definition or representation.
	Rule string

	// Expected says what would be valid.
	Expected string

	// Found describes the value, for logs on this side only.
	Found string
}

// Note is a repair of a value that was received, or an unknown value that was kept.
type Note struct {
	// Pointer is a JSON pointer (RFC 6901) into the input.
	Pointer string

	// Rule is the decode flag that was applied, unknown, or unsafe-integer.
	Rule string

	// Reason explains the note.
	Reason string
}

// IsKept returns whether the value is in the result unchanged.
func (n Note) IsKept() bool { return n.Rule == "unknown" || n.Rule == "unsafe-integer" }

// InvalidError is the error for a value that cannot be decoded, or must not be sent.
type InvalidError struct {
	// Definition is the name of the definition in the schema.
	Definition string

	// Issues are the reasons, at least one and at most sixteen.
	Issues []Issue
}

func (e *InvalidError) Error() string {
	first := e.Issues[0]
	place := e.Definition
	if first.Pointer != "" {
		place += " at " + first.Pointer
	}
	return fmt.Sprintf("%s: expected %s, found %s", place, first.Expected, first.Found)
}

// SyntaxError is the error for a text that is not JSON.
type SyntaxError struct {
	// Offset is the number of bytes before the error.
	Offset int
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("not JSON: error at byte %d", e.Offset) }
