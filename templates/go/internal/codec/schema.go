package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// A Schema decodes, validates and encodes the values of a definition.
type Schema[T any] struct {
	// Name is that of the definition in the schema.
	Name string

	// Read is the fast path of a decoder.
	Read func(*Decoder, *T, Mode) bool

	// Print prints a value that is valid, or doubts it.
	Print func(T, *Encoder)

	// Walk returns the checks of the slow path.
	Walk func() *Walk

	readings sync.Pool
}

// A reading is a decoder with the value that it reads. Readings are reused, since both
// would be allocated for each text.
type reading[T any] struct {
	Decoder
	value T
}

func (s *Schema[T]) read(data []byte) *reading[T] {
	r, _ := s.readings.Get().(*reading[T])
	if r == nil {
		r = &reading[T]{Decoder: Decoder{cache: new(Cache)}}
	}
	r.data = data
	return r
}

// free lets a reading be used again.
func (s *Schema[T]) free(r *reading[T]) {
	if cap(r.scratch) <= mostReused {
		*r = reading[T]{Decoder: Decoder{scratch: r.scratch, cache: r.cache}}
		s.readings.Put(r)
	}
}

// Decode decodes a text leniently. An error is an *acp.SyntaxError or an
// *acp.InvalidError.
func (s *Schema[T]) Decode(data []byte) (value T, notes []acp.Note, err error) {
	if s == nil {
		return value, nil, noDefinition(fmt.Sprintf("%T", value))
	}
	r := s.read(utf8Of(data))
	defer s.free(r)
	if s.Read(&r.Decoder, &r.value, Lenient) && r.isAtEnd() {
		return r.value, nil, nil
	}
	return s.decodeSlowly(r.data)
}

func (s *Schema[T]) decodeSlowly(data []byte) (value T, notes []acp.Note, err error) {
	text, notes, err := s.repairSlowly(data)
	if err != nil {
		return value, nil, err
	}
	d := Decoder{data: text, kept: slices.ContainsFunc(notes, func(one acp.Note) bool { return one.Rule == "unknown" })}
	if !s.Read(&d, &value, Checked) {
		return *new(T), nil, s.notRepresented(&d)
	}
	return value, notes, nil
}

// Repair returns a text as it is decoded, leniently, and what the decoding notes.
func (s *Schema[T]) Repair(data []byte) ([]byte, []acp.Note, error) {
	r := s.read(utf8Of(data))
	defer s.free(r)
	if s.Read(&r.Decoder, &r.value, Lenient) && r.isAtEnd() {
		// Without the table of checks, which most programs never need.
		return r.data, nil, nil
	}
	return s.repairSlowly(r.data)
}

func (s *Schema[T]) repairSlowly(data []byte) ([]byte, []acp.Note, error) {
	n, end := parseWhole(data, nil)
	if n == nil {
		return nil, nil, &acp.SyntaxError{Offset: end}
	}
	diagnosed := &diagnosis{mode: walkKeep}
	repaired := diagnosed.run(s.Walk().made[s.Name], n)
	if diagnosed.failures > 0 {
		return nil, nil, refused(s.Name, diagnosed.issues...)
	}
	var e Encoder
	repaired.print(&e)
	return e.data, diagnosed.notes, nil
}

// notRepresented returns the error for a value that the schema allows and the type
// cannot hold.
func (s *Schema[T]) notRepresented(d *Decoder) error {
	text := Decoder{data: d.data}
	pointer, value := text.place(max(d.at, d.unheld)-1, "")
	n, _ := parseWhole(value, nil)
	return refused(s.Name, acp.Issue{Pointer: pointer, Rule: "representation", Expected: "a value that the Go type can hold", Found: render(n)})
}

// EncodeOrEmpty encodes a value. A nil pointer stands for an object without properties.
func (s *Schema[T]) EncodeOrEmpty(value T) ([]byte, error) {
	data, err := s.Encode(value)
	if err == nil {
		return data, nil
	}
	var e Encoder
	if s.Print(value, &e); string(e.data) == "null" {
		if empty, _, invalid := s.Decode([]byte("{}")); invalid == nil {
			return s.Encode(empty)
		}
	}
	return nil, err
}

// Validate returns why a text is not valid.
func (s *Schema[T]) Validate(data []byte) []acp.Issue {
	if s == nil {
		return noDefinition("").Issues
	}
	r := s.read(utf8Of(data))
	defer s.free(r)
	if s.Read(&r.Decoder, &r.value, Strict) && r.isAtEnd() {
		return nil
	}
	n, _ := parseWhole(r.data, nil)
	if n == nil {
		return []acp.Issue{{Rule: "syntax", Expected: "JSON", Found: "another text"}}
	}
	diagnosed := &diagnosis{mode: walkStrict}
	diagnosed.run(s.Walk().made[s.Name], n)
	return diagnosed.issues
}

// Encode returns the JSON text of a value, on one line. An error is an
// *acp.InvalidError.
func (s *Schema[T]) Encode(value T) (text []byte, err error) {
	err = s.WithText(value, func(found []byte) { text = bytes.Clone(found) })
	return text, err
}

// WithText calls a function with the text that Encode returns, which is valid during the
// call.
func (s *Schema[T]) WithText(value T, call func(text []byte)) error {
	if s == nil {
		return noDefinition(fmt.Sprintf("%T", value))
	}
	e := encoders.Get().(*Encoder)
	defer e.free()
	s.Print(value, e)
	if e.isSlow || e.isBroken || e.isHuge {
		if err := s.diagnoseSent(e); err != nil {
			return err
		}
	}
	call(e.data)
	return nil
}

func (s *Schema[T]) diagnoseSent(e *Encoder) error {
	n, _ := parseWhole(e.data, e.marks)
	if e.isBroken || n == nil {
		return refused(s.Name, acp.Issue{Rule: "syntax", Expected: "JSON in every raw value", Found: "another text"})
	}
	if e.isHuge {
		return refused(s.Name, acp.Issue{Rule: "representation", Expected: "finite numbers", Found: "a number that is not"})
	}
	diagnosed := &diagnosis{mode: walkSend}
	diagnosed.run(s.Walk().made[s.Name], n)
	if diagnosed.failures > 0 {
		return refused(s.Name, diagnosed.issues...)
	}
	return nil
}

func refused(definition string, issues ...acp.Issue) *acp.InvalidError {
	return &acp.InvalidError{Definition: definition, Issues: issues}
}

// noDefinition returns the error for a type that the schema has as a part of others only.
func noDefinition(name string) *acp.InvalidError {
	return refused(name, acp.Issue{Rule: "definition", Expected: "a definition of the schema, as the union of this type is", Found: "a part of one"})
}

// Marshal prints a value for encoding/json, whose errors it has if a raw value is not JSON.
func Marshal(print func(*Encoder)) ([]byte, error) {
	var e Encoder
	print(&e)
	if e.isBroken {
		return nil, errors.New("a raw value is not JSON")
	}
	return e.data, nil
}

// Unmarshal reads what has no definition of its own for encoding/json.
func Unmarshal(data []byte, name string, read func(*Decoder) bool) error {
	if read(&Decoder{data: utf8Of(data)}) {
		return nil
	}
	return refused(name, acp.Issue{Rule: "type", Expected: "a valid " + name, Found: "a value for its definition to explain"})
}

// utf8Of returns a text with U+FFFD for bytes that are not UTF-8.
func utf8Of(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return bytes.ToValidUTF8(data, []byte("\ufffd"))
}
