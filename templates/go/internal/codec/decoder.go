package codec

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// Mode says what a decoder accepts.
type Mode uint8

const (
	// Lenient accepts valid values that need no report, and inserts defaults.
	Lenient Mode = iota
	// Checked accepts what a diagnosis has accepted.
	Checked
	// Strict is as Lenient, without defaults.
	Strict
)

// maxDepth is the deepest nesting of objects and lists that are not any value.
const maxDepth = 256

// A Decoder reads a JSON text. Its methods return false for everything that needs
// a diagnosis: what is invalid, and what is rare.
type Decoder struct {
	data    []byte
	at      int
	scratch []byte
	cache   *Cache
	depth   int
	kept    bool
	unions  int
	memo    map[trial]outcome
	// unheld is the end of the last integer that its type cannot hold.
	unheld int
	// isHuge says that a number was read that is not finite as a float64.
	isHuge bool
}

// Kept returns whether the value has unknown parts, which may be sent again.
func (d *Decoder) Kept() acp.Received { return acp.Received(d.kept) }

func (d *Decoder) space() {
	for d.at < len(d.data) {
		switch d.data[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is not a space; 0 at the end.
func (d *Decoder) peek() byte {
	if d.at < len(d.data) && d.data[d.at] > ' ' {
		return d.data[d.at]
	}
	d.space()
	if d.at < len(d.data) {
		return d.data[d.at]
	}
	return 0
}

func (d *Decoder) isAtEnd() bool { return d.peek() == 0 && d.at == len(d.data) }

func (d *Decoder) open(mark byte) bool {
	if d.peek() != mark || d.depth >= maxDepth {
		return false
	}
	d.at++
	d.depth++
	return true
}

// next begins a property or an item. It returns whether the object or list ends instead.
func (d *Decoder) next(end byte, isFirst bool) (isEnd, ok bool) {
	mark := d.peek()
	if mark == end {
		d.at++
		d.depth--
		return true, true
	}
	if !isFirst {
		if mark != ',' {
			return false, false
		}
		d.at++
	}
	return false, true
}

// Object reads the start of an object.
func (d *Decoder) Object() bool { return d.open('{') }

// Member reads the name of the next property and its colon. The name is nil at the
// end of the object, and valid until the next text is read.
func (d *Decoder) Member(isFirst bool) (name []byte, ok bool) {
	if isEnd, ok := d.next('}', isFirst); isEnd || !ok {
		return nil, ok
	}
	name, ok = d.text()
	if !ok || d.peek() != ':' {
		return nil, false
	}
	d.at++
	return name, true
}

// First notes that a property was read, and returns false if it was read before.
func First(seen *uint64, bit uint64) bool {
	if *seen&bit != 0 {
		return false
	}
	*seen |= bit
	return true
}

// value reads any value, and returns its text. Its depth is limited by memory only.
func (d *Decoder) value() (text []byte, ok bool) {
	d.space()
	start := d.at
	if !d.skip() {
		return nil, false
	}
	return d.data[start:d.at:d.at], true
}

// List reads a list.
func List[L ~[]T, T any](d *Decoder, v *L, m Mode, item func(*Decoder, *T, Mode) bool) bool {
	if !d.open('[') {
		return false
	}
	*v = L{}
	for isFirst := true; ; isFirst = false {
		isEnd, ok := d.next(']', isFirst)
		if !ok || isEnd {
			return ok
		}
		*v = append(*v, *new(T))
		if !item(d, &(*v)[len(*v)-1], m) {
			return false
		}
	}
}

// Map reads an object with any names.
func Map[M ~map[string]T, T any](d *Decoder, v *M, m Mode, item func(*Decoder, *T, Mode) bool) bool {
	if !d.Object() {
		return false
	}
	*v = M{}
	for isFirst := true; ; isFirst = false {
		name, ok := d.Member(isFirst)
		if !ok || name == nil {
			return ok
		}
		key := string(name)
		var value T
		if !item(d, &value, m) {
			return false
		}
		(*v)[key] = value
	}
}

// Optional reads a value that may be absent, but not null.
func Optional[T any](d *Decoder, v *acp.Opt[T], m Mode, read func(*Decoder, *T, Mode) bool) bool {
	var value T
	if !read(d, &value, m) {
		return false
	}
	*v = acp.Some(value)
	return true
}

// Nullable reads a value that may be null.
func Nullable[T any](d *Decoder, v *acp.Opt[T], m Mode, read func(*Decoder, *T, Mode) bool) bool {
	if d.peek() == 'n' {
		*v = acp.Null[T]()
		return d.word("null")
	}
	return Optional(d, v, m, read)
}

// OptionalNew is as Optional for an object, which is read by pointer.
func OptionalNew[T any](d *Decoder, v *acp.Opt[*T], m Mode, read func(*Decoder, *T, Mode) bool) bool {
	value := new(T)
	if !read(d, value, m) {
		return false
	}
	*v = acp.Some(value)
	return true
}

// NullableNew is as Nullable for an object, which is read by pointer.
func NullableNew[T any](d *Decoder, v *acp.Opt[*T], m Mode, read func(*Decoder, *T, Mode) bool) bool {
	if d.peek() == 'n' {
		*v = acp.Null[*T]()
		return d.word("null")
	}
	return OptionalNew(d, v, m, read)
}

// New reads an object by pointer.
func New[T any](d *Decoder, v **T, m Mode, read func(*Decoder, *T, Mode) bool) bool {
	*v = new(T)
	return read(d, *v, m)
}

// Default reads the JSON text of a default. Its parts get no defaults.
func Default[T any](text string, v *T, read func(*Decoder, *T, Mode) bool) bool {
	return read(&Decoder{data: []byte(text)}, v, Strict)
}

// ReadString reads a string.
func ReadString(d *Decoder, v *string, _ Mode) bool {
	text, ok := d.text()
	if ok {
		*v = string(text)
	}
	return ok
}

// ReadName reads a string that messages may repeat, such as an id.
func ReadName(d *Decoder, v *string, _ Mode) bool {
	text, ok := d.text()
	if ok {
		*v = d.cache.String(text)
	}
	return ok
}

// ReadBool reads a boolean.
func ReadBool(d *Decoder, v *bool, _ Mode) bool {
	*v = d.peek() == 't'
	return *v && d.word("true") || !*v && d.word("false")
}

// ReadNull reads the value null.
func ReadNull(d *Decoder, _ *acp.NullValue, _ Mode) bool { return d.Null() }

// Null reads the value null.
func (d *Decoder) Null() bool { return d.peek() == 'n' && d.word("null") }

// ReadInteger reads an integer. One that is not safe or not written as one needs a diagnosis.
func ReadInteger(d *Decoder, v *int64, m Mode) bool {
	text, _, ok := d.numeral()
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if *v = n; err == nil {
		return m == Checked || n <= MaxSafe && n >= -MaxSafe
	}
	f, ok := d.whole(text, -(1 << 63), 1<<63)
	*v = int64(f)
	return m == Checked && ok
}

// ReadUnsigned reads an integer that has no sign; see ReadInteger.
func ReadUnsigned(d *Decoder, v *uint64, m Mode) bool {
	text, _, ok := d.numeral()
	if !ok {
		return false
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if *v = n; err == nil {
		return m == Checked || n <= MaxSafe
	}
	f, ok := d.whole(text, 0, 1<<64)
	*v = uint64(f)
	return m == Checked && ok
}

// whole returns the number that was read, and whether it is an integer from one limit to below
// the other one: the largest integers are not a float64. It notes one that is not below the limit.
func (d *Decoder) whole(text []byte, least, limit float64) (f float64, ok bool) {
	f, err := strconv.ParseFloat(string(text), 64)
	ok = err == nil && f == math.Trunc(f) && f >= least && f < limit
	if !ok && err == nil && math.Abs(f) >= limit {
		d.unheld = d.at
	}
	return f, ok
}

// ReadNumber reads a number.
func ReadNumber(d *Decoder, v *float64, _ Mode) bool {
	text, _, ok := d.numeral()
	if !ok {
		return false
	}
	n, err := strconv.ParseFloat(string(text), 64)
	*v = n
	return err == nil
}

// ReadRaw reads any value.
func ReadRaw(d *Decoder, v *json.RawMessage, _ Mode) bool {
	text, ok := d.value()
	if ok {
		*v = bytes.Clone(text)
	}
	return ok
}

// Literal reads a string that has to be this one.
func (d *Decoder) Literal(want string) bool {
	found, ok := d.text()
	return ok && string(found) == want
}

// Extra reads a property that the schema does not name.
func (d *Decoder) Extra(members *[]acp.Member, name []byte) bool {
	one := acp.Member{Name: string(name), Received: true}
	if !ReadRaw(d, &one.Value, Lenient) {
		return false
	}
	*members = append(*members, one)
	return true
}

// Entry reads a property that the schema describes without its name.
func Entry[T any](d *Decoder, entries *map[string]T, name []byte, m Mode, read func(*Decoder, *T, Mode) bool) bool {
	key := string(name)
	var value T
	if _, isKnown := (*entries)[key]; isKnown || !read(d, &value, m) {
		return false
	}
	if *entries == nil {
		*entries = map[string]T{}
	}
	(*entries)[key] = value
	return true
}

// AreDistinct returns whether no two properties have the same name.
func AreDistinct(members []acp.Member) bool {
	if len(members) < 2 {
		return true
	}
	names := make(map[string]bool, len(members))
	for _, one := range members {
		names[one.Name] = true
	}
	return len(names) == len(members)
}

// TagKind says what a union has as its tag.
type TagKind uint8

const (
	// TagAbsent is a tag that is absent or null.
	TagAbsent TagKind = iota
	// TagText is a tag that is a string.
	TagText
	// TagOther is a tag of another type.
	TagOther
	// NoObject is a value that is not an object.
	NoObject
)

// Tag returns the value of a property and stays at the start of the object. Where a
// property comes twice, it may return either value, which no decoder accepts. The tag is
// valid until the next text is read.
func (d *Decoder) Tag(name string) (tag []byte, kind TagKind) {
	start, depth := d.at, d.depth
	tag, kind = d.findTag(name)
	d.at, d.depth = start, depth
	return tag, kind
}

func (d *Decoder) findTag(name string) ([]byte, TagKind) {
	if !d.Object() {
		return nil, NoObject
	}
	for isFirst := true; ; isFirst = false {
		key, ok := d.Member(isFirst)
		if !ok {
			return nil, NoObject
		}
		if key == nil {
			return nil, TagAbsent
		}
		if string(key) != name {
			if !d.skip() {
				return nil, NoObject
			}
			continue
		}
		switch d.peek() {
		case '"':
			text, ok := d.text()
			if !ok {
				return nil, NoObject
			}
			return text, TagText
		case 'n':
			return nil, TagAbsent
		}
		return nil, TagOther
	}
}
