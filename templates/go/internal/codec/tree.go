package codec

import "encoding/json"

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindList
	kindObject
)

// node is a JSON value for the slow path.
type node struct {
	kind  kind
	truth bool
	// text is that of a string, or of a number as it was written. Objects and lists
	// that are nested too deeply have their whole text, and no items.
	text  string
	items []*node
	keys  []string
	index map[string]int // of keys and items
	// isReceived says that the object may be sent whatever it contains.
	isReceived bool
	// refused are the properties that a program has added and may not send, with what is expected.
	refused map[string]string
}

var nullNode = &node{}

func newObject() *node { return &node{kind: kindObject, index: map[string]int{}} }

func (n *node) get(key string) *node {
	if i, ok := n.index[key]; ok {
		return n.items[i]
	}
	return nil
}

func (n *node) set(key string, value *node) {
	if i, ok := n.index[key]; ok {
		n.items[i] = value
		return
	}
	n.index[key] = len(n.keys)
	n.keys = append(n.keys, key)
	n.items = append(n.items, value)
}

// parse reads a value and what is inside of it. Nothing at a depth beyond the limit is
// looked at, so that the recursion is bounded.
//
// marks: those of the encoder whose text it is.
func (d *Decoder) parse(marks map[int]mark) *node {
	switch mark := d.peek(); mark {
	case '{', '[':
		if d.depth > maxDepth {
			return d.deep(mark)
		}
		start := d.at
		d.at++
		d.depth++
		if mark == '[' {
			return d.parseList(marks)
		}
		return d.parseObject(marks[start] == received, marks)
	case '"':
		if text, ok := d.text(); ok {
			return &node{kind: kindString, text: string(text)}
		}
	case 't', 'f':
		n := &node{kind: kindBool}
		if ReadBool(d, &n.truth, Lenient) {
			return n
		}
	case 'n':
		if d.Null() {
			return nullNode
		}
	default:
		if text, _, ok := d.numeral(); ok {
			return &node{kind: kindNumber, text: string(text)}
		}
	}
	return nil
}

func (d *Decoder) deep(mark byte) *node {
	text, ok := d.value()
	if !ok {
		return nil
	}
	n := &node{kind: kindList, text: string(text)}
	if mark == '{' {
		n.kind = kindObject
	}
	return n
}

func (d *Decoder) parseList(marks map[int]mark) *node {
	n := &node{kind: kindList}
	for isFirst := true; ; isFirst = false {
		isEnd, ok := d.next(']', isFirst)
		if isEnd {
			return n
		}
		if !ok {
			return nil
		}
		item := d.parse(marks)
		if item == nil {
			return nil
		}
		n.items = append(n.items, item)
	}
}

func (d *Decoder) parseObject(isReceived bool, marks map[int]mark) *node {
	n := newObject()
	n.isReceived = isReceived
	for isFirst := true; ; isFirst = false {
		name, ok := d.Member(isFirst)
		if !ok {
			return nil
		}
		if name == nil {
			return n
		}
		key := string(name)
		if as := marks[d.at-1]; as != 0 {
			n.refuse(key, as)
		}
		value := d.parse(marks)
		if value == nil {
			return nil
		}
		n.set(key, value)
	}
}

// refuse notes that a program may not send a property that it has added.
func (n *node) refuse(key string, as mark) {
	expected := "only declared properties"
	if n.get(key) != nil {
		expected = "no name of a field in Extra"
	} else if as == added {
		return
	}
	if n.refused == nil {
		n.refused = map[string]string{}
	}
	n.refused[key] = expected
}

// parseWhole reads a whole text; nil for one that is not JSON.
func parseWhole(data []byte, marks map[int]mark) (n *node, end int) {
	d := &Decoder{data: data}
	if n = d.parse(marks); n == nil || !d.isAtEnd() {
		return nil, min(d.at, len(data))
	}
	return n, d.at
}

func (n *node) print(e *Encoder) {
	switch n.kind {
	case kindNull:
		e.Null()
	case kindBool:
		e.Bool(n.truth)
	case kindNumber:
		e.data = append(e.data, n.text...)
	case kindString:
		e.String(n.text)
	case kindList, kindObject:
		if n.text != "" {
			e.Raw(json.RawMessage(n.text))
			return
		}
		if n.kind == kindList {
			PrintItems(e, n.items, (*node).print)
			return
		}
		e.data = append(e.data, '{')
		for i, key := range n.keys {
			e.name(key, 0)
			n.items[i].print(e)
		}
		e.data = append(e.data, '}')
	}
}
