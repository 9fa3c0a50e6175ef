package codec

import (
	"bytes"
	"strconv"
)

// The functions of this file look into JSON texts without decoding them.

// Members calls a function for each property of an object, whose name is valid during
// the call. It returns whether the text is an object, and nothing else.
func Members(object []byte, call func(name, value []byte)) bool {
	d := Decoder{data: object}
	if !d.Object() {
		return false
	}
	for isFirst := true; ; isFirst = false {
		name, ok := d.Member(isFirst)
		if !ok {
			return false
		}
		if name == nil {
			return d.isAtEnd()
		}
		value, ok := d.value()
		if !ok {
			return false
		}
		call(name, value)
	}
}

// Items returns the items of a list; none of another value.
func Items(list []byte) (items [][]byte) {
	d := Decoder{data: list}
	if !d.open('[') {
		return nil
	}
	for isFirst := true; ; isFirst = false {
		isEnd, ok := d.next(']', isFirst)
		if isEnd {
			return items
		}
		item, isValue := d.value()
		if !ok || !isValue {
			return nil
		}
		items = append(items, item)
	}
}

// place returns the innermost value at an offset, and the pointer to it.
func (d *Decoder) place(at int, pointer string) (string, []byte) {
	mark, around := d.peek(), *d
	whole, _ := around.value()
	if mark != '{' && mark != '[' {
		return pointer, whole
	}
	d.at++
	for i := 0; ; i++ {
		name, ok := strconv.Itoa(i), false
		if mark == '[' {
			isEnd, isItem := d.next(']', i == 0)
			ok = isItem && !isEnd
		} else {
			key, isMember := d.Member(i == 0)
			name, ok = string(key), isMember && key != nil
		}
		inner := *d
		if !ok || !d.skip() {
			return pointer, whole
		}
		if at < d.at {
			return inner.place(at, PointerTo(pointer, name))
		}
	}
}

// Get returns the value at the end of a path of properties; nil if there is none. Of
// properties with one name, the last one counts.
func Get(value []byte, path ...string) []byte {
	for _, name := range path {
		value = member(value, name)
	}
	return value
}

func member(object []byte, name string) (value []byte) {
	Members(object, func(found, one []byte) {
		if string(found) == name {
			value = one
		}
	})
	return value
}

// Set returns an object with another value at the end of a path of properties, and with
// the objects on the way to it.
func Set(object, value []byte, path ...string) []byte {
	if len(path) == 0 {
		return value
	}
	value = Set(member(object, path[0]), value, path[1:]...)
	var e Encoder
	e.data = append(e.data, '{')
	add := func(name string, value []byte) {
		e.name(name, 0)
		e.data = append(e.data, value...)
	}
	isSet := false
	Members(object, func(name, old []byte) {
		if string(name) != path[0] {
			add(string(name), old)
		} else if !isSet {
			isSet = true
			add(path[0], value)
		}
	})
	if !isSet {
		add(path[0], value)
	}
	return append(e.data, '}')
}

// Text returns the string that a text is.
func Text(value []byte) (string, bool) {
	d := Decoder{data: value}
	text, ok := d.text()
	return string(text), ok
}

// Quote returns the text of a string.
func Quote(text string) []byte { return AppendQuoted(nil, text) }

// AppendQuoted appends the text of a string.
func AppendQuoted(out []byte, text string) []byte {
	e := Encoder{data: out}
	e.String(text)
	return e.data
}

// Int returns the integer that a text is.
func Int(value []byte) (int64, bool) {
	if len(value) == 0 || value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return 0, false
	}
	return integerOf(string(value))
}

// IsObject returns whether a text is an object.
func IsObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// IsNull returns whether a text is null, or there is none.
func IsNull(value []byte) bool { return len(value) == 0 || value[0] == 'n' }

// IsJSON returns whether a text is one value.
func IsJSON(text []byte) bool {
	d := Decoder{data: text}
	return d.skip() && d.isAtEnd()
}

// maxPointer is the length of the longest pointer that errors for the other side have.
const maxPointer = 400

// ShortPointer returns a pointer, or that of an enclosing value if it is long: it has keys
// of the message.
func ShortPointer(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return pointer[:max(0, bytes.LastIndexByte([]byte(pointer[:maxPointer+1]), '/'))]
}

// PointerTo returns a pointer with the name of a property, or an index, at its end.
func PointerTo(pointer, name string) string { return pointer + "/" + escapePointer.Replace(name) }

// ItemOf returns a pointer with an index at its end.
func ItemOf(pointer string, index int) string { return pointer + "/" + strconv.Itoa(index) }
