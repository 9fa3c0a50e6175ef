package codec

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// An Encoder prints values. It notes whether a diagnosis has to decide about them.
type Encoder struct {
	data     []byte
	isSlow   bool
	isBroken bool
	isHuge   bool
	// marks are at the places of objects that were received, and behind the names in Extra.
	marks map[int]mark
}

// encoders are reused, since most of the time would go into the growth of their buffers.
var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// mostReused is the size of the largest buffer that is kept.
const mostReused = 1 << 16

// mark is what a diagnosis has to know about a place in a text that a program sends.
type mark uint8

const (
	// received is at an object that may be sent whatever it contains.
	received mark = iota + 1
	// added is behind the name of a property that the schema allows, but does not name.
	added
	// made is behind the name of a property that a program may not send.
	made
)

func (e *Encoder) mark(as mark) {
	if e.marks == nil {
		e.marks = map[int]mark{}
	}
	e.marks[len(e.data)] = as
}

// free lets the encoder be used again.
func (e *Encoder) free() {
	if cap(e.data) <= mostReused {
		*e = Encoder{data: e.data[:0]}
		encoders.Put(e)
	}
}

// Doubt has a diagnosis decide about the value.
func (e *Encoder) Doubt() { e.isSlow = true }

// Expect has a diagnosis decide about the value unless a condition holds.
func (e *Encoder) Expect(condition bool) {
	if !condition {
		e.isSlow = true
	}
}

// Object prints the start of an object, with the tags that it has.
func (e *Encoder) Object(start string, isReceived acp.Received) {
	if isReceived {
		e.mark(received)
	}
	e.data = append(e.data, start...)
}

// next prints the comma before a property or an item, unless it is the first.
func (e *Encoder) next() {
	if last := e.data[len(e.data)-1]; last != '{' && last != '[' {
		e.data = append(e.data, ',')
	}
}

// Key prints a name and its colon, which are given as JSON text.
func (e *Encoder) Key(text string) {
	e.next()
	e.data = append(e.data, text...)
}

// name prints a name and its colon.
func (e *Encoder) name(name string, as mark) {
	e.next()
	e.String(name)
	if as != 0 {
		e.mark(as)
	}
	e.data = append(e.data, ':')
}

// End prints the properties that the schema does not name, and the end of an object.
func (e *Encoder) End(members []acp.Member, isOpen bool) {
	for _, one := range members {
		// Only a diagnosis knows whether the schema has such a name after all.
		e.isSlow = true
		as := made
		if isOpen || bool(one.Received) {
			as = added
		}
		e.name(one.Name, as)
		e.Raw(one.Value)
	}
	e.data = append(e.data, '}')
}

// PrintNullable prints the name of a property that may be absent, or null. It returns a
// value that has to follow.
func PrintNullable[T any](e *Encoder, key string, v *acp.Opt[T]) (value T, ok bool) {
	if v.IsZero() {
		return value, false
	}
	e.Key(key)
	return PrintNull(e, *v)
}

// PrintOptional is as PrintNullable for a property that must not be null.
func PrintOptional[T any](e *Encoder, key string, v *acp.Opt[T]) (value T, ok bool) {
	if v.IsNull() {
		e.isSlow = true
	}
	return PrintNullable(e, key, v)
}

// PrintRequired is as PrintNullable for a property that must not be absent.
func PrintRequired[T any](e *Encoder, key string, v *acp.Opt[T]) (value T, ok bool) {
	if v.IsZero() {
		e.isSlow = true
	}
	return PrintNullable(e, key, v)
}

// PrintNull prints null, or returns the value that has to be printed.
func PrintNull[T any](e *Encoder, v acp.Opt[T]) (value T, ok bool) {
	if value, ok = v.Get(); !ok {
		e.Expect(v.IsNull())
		e.Null()
	}
	return value, ok
}

// Nil prints a value that Go has and the schema does not.
func (e *Encoder) Nil() {
	e.isSlow = true
	e.Null()
}

// Null prints null.
func (e *Encoder) Null() { e.data = append(e.data, "null"...) }

// Bool prints a boolean.
func (e *Encoder) Bool(v bool) { e.data = strconv.AppendBool(e.data, v) }

// Integer prints an integer.
func (e *Encoder) Integer(v int64) { e.data = strconv.AppendInt(e.data, v, 10) }

// Number prints a number. A diagnosis refuses what is not finite.
func (e *Encoder) Number(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.isSlow = true
		e.data = append(e.data, "1e999"...)
		return
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e21 {
		e.data = strconv.AppendFloat(e.data, v, 'f', -1, 64)
		return
	}
	e.data = strconv.AppendFloat(e.data, v, 'g', -1, 64)
}

const hexDigits = "0123456789abcdef"

// String prints a string. Bytes that are not UTF-8 become U+FFFD, apart from halves of
// pairs, which are printed as the escapes that they were received as.
func (e *Encoder) String(s string) {
	e.data = append(e.data, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && isPlain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			e.data = append(e.data, s[start:i]...)
			e.escape(c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || size > 1 {
			i += size
			continue
		}
		e.data = append(e.data, s[start:i]...)
		if c == 0xed && i+2 < len(s) && s[i+1] >= 0xa0 && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 {
			unit := 0xd000 | int(s[i+1]&0x3f)<<6 | int(s[i+2]&0x3f)
			e.data = append(e.data, '\\', 'u', 'd', hexDigits[unit>>8&15], hexDigits[unit>>4&15], hexDigits[unit&15])
			i += 3
		} else {
			e.data = append(e.data, "\ufffd"...)
			i++
		}
		start = i
	}
	e.data = append(append(e.data, s[start:]...), '"')
}

// escape prints a character as JSON.stringify does.
func (e *Encoder) escape(c byte) {
	const given, printed = "\"\\\b\f\n\r\t", `"\bfnrt`
	if at := strings.IndexByte(given, c); at >= 0 {
		e.data = append(e.data, '\\', printed[at])
		return
	}
	e.data = append(e.data, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// Raw prints a JSON text on one line; null for none.
func (e *Encoder) Raw(text json.RawMessage) {
	if text == nil {
		e.Null()
		return
	}
	d := Decoder{data: text}
	if !d.skip() || !d.isAtEnd() || !utf8.Valid(text) {
		e.isBroken = true
		return
	}
	e.isHuge = e.isHuge || d.isHuge
	e.data = appendLine(e.data, text)
}

// OneLine returns a JSON text without line ends.
func OneLine(text []byte) []byte { return appendLine(nil, text) }

func appendLine(out, text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return append(out, text...)
	}
	isInside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isInside && c == '\\':
			out = append(out, c)
			i++
		case c == '"':
			isInside = !isInside
		case c <= ' ' && !isInside:
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// Unknown prints a variant that the schema does not list.
func (e *Encoder) Unknown(raw json.RawMessage, isReceived acp.Received) {
	e.isSlow = true
	if isReceived {
		e.mark(received)
	}
	e.Raw(raw)
}

// PrintItems prints a list.
func PrintItems[L ~[]T, T any](e *Encoder, items L, print func(T, *Encoder)) {
	e.data = append(e.data, '[')
	for i := range items {
		e.next()
		print(items[i], e)
	}
	e.data = append(e.data, ']')
}

// PrintObjects prints a list of objects, which it does not copy.
func PrintObjects[L ~[]T, T any](e *Encoder, items L, print func(*T, *Encoder)) {
	e.data = append(e.data, '[')
	for i := range items {
		e.next()
		print(&items[i], e)
	}
	e.data = append(e.data, ']')
}

// PrintMembers prints an object with any names, which it sorts.
func PrintMembers[M ~map[string]T, T any](e *Encoder, members M, print func(T, *Encoder)) {
	e.data = append(e.data, '{')
	printSorted(e, members, print, 0)
}

// EndWith prints properties that the schema describes without their names, sorted, and the
// end of an object.
func EndWith[T any](e *Encoder, members map[string]T, print func(T, *Encoder)) {
	e.Expect(len(members) == 0)
	printSorted(e, members, print, added)
}

func printSorted[M ~map[string]T, T any](e *Encoder, members M, print func(T, *Encoder), as mark) {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if value, isOpt := any(members[name]).(interface{ IsZero() bool }); isOpt && value.IsZero() {
			continue
		}
		e.name(name, as)
		print(members[name], e)
	}
	e.data = append(e.data, '}')
}

// PrintString prints a string.
func PrintString(v string, e *Encoder) { e.String(v) }

// PrintBool prints a boolean.
func PrintBool(v bool, e *Encoder) { e.Bool(v) }

// Unsigned prints an integer that has no sign.
func (e *Encoder) Unsigned(v uint64) { e.data = strconv.AppendUint(e.data, v, 10) }

// PrintUnsigned prints an integer that has no sign.
func PrintUnsigned(v uint64, e *Encoder) { e.Unsigned(v) }

// PrintInteger prints an integer.
func PrintInteger(v int64, e *Encoder) { e.Integer(v) }

// PrintNumber prints a number.
func PrintNumber(v float64, e *Encoder) { e.Number(v) }

// PrintRaw prints any value.
func PrintRaw(v json.RawMessage, e *Encoder) { e.Raw(v) }
