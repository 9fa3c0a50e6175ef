package codec

import "strconv"

// longest is how many characters of a peer's text a report has.
const longest = 60

// shorten limits how much of a peer's text reports contain.
func shorten(text string) string {
	if len(text) <= longest {
		return text
	}
	count := 0
	for i := 0; i < len(text); i++ {
		if text[i]&0xc0 == 0x80 {
			continue
		}
		if count == longest {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

// Render describes a JSON text for people, without the contents of objects.
func Render(text []byte) string {
	n, _ := parseWhole(text, nil)
	return render(n)
}

// render describes a value for people, without the contents of objects.
func render(n *node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.kind == kindNull:
		return "null"
	case n.kind == kindBool:
		return strconv.FormatBool(n.truth)
	case n.kind == kindNumber:
		return shorten(n.text)
	case n.kind == kindString:
		e := Encoder{}
		e.String(shorten(n.text))
		return string(e.data)
	case n.kind == kindObject:
		return "an object"
	case n.text != "":
		return "an array"
	}
	return "an array of " + strconv.Itoa(len(n.items))
}
