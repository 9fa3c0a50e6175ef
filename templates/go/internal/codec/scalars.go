package codec

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// limit is a limit of a size; nil where there is none.
type limit *float64

func limitOf(n *node) limit {
	if n.kind == kindNull {
		return nil
	}
	f, _ := strconv.ParseFloat(n.text, 64)
	return &f
}

// limitAt returns an operand that the node may lack.
func limitAt(operands []*node, index int) limit {
	if index >= len(operands) {
		return nil
	}
	return limitOf(operands[index])
}

func printed(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// within rejects a size outside the limits, by the rule minimum, maxLength and so on.
func within(d *diagnosis, f found, size float64, least, most limit, what string) {
	if least != nil && size < *least {
		d.reject("min"+what, "min"+what+" "+printed(*least), f)
	}
	if most != nil && size > *most {
		d.reject("max"+what, "max"+what+" "+printed(*most), f)
	}
}

// beyond rejects a number that is not between two others.
func beyond(d *diagnosis, f found, n float64, above, below limit) {
	if above != nil && n <= *above {
		d.reject("exclusiveMinimum", "more than "+printed(*above), f)
	}
	if below != nil && n >= *below {
		d.reject("exclusiveMaximum", "less than "+printed(*below), f)
	}
}

func typeCheck(kind kind, name string) *check {
	return &check{func(d *diagnosis, f found) {
		if !f.is(kind) {
			d.reject("type", name, f)
		}
	}}
}

// boolCheck checks a boolean, which may be a constant.
func boolCheck(operands []*node) *check {
	if len(operands) == 0 {
		return typeCheck(kindBool, "boolean")
	}
	only := operands[0].items[0].truth
	return &check{func(d *diagnosis, f found) {
		if !f.is(kindBool) {
			d.reject("type", "boolean", f)
		} else if f.n.truth != only {
			d.reject("enum", strconv.FormatBool(only), f)
		}
	}}
}

func stringCheck(least, most limit, pattern *node) *check {
	var expression *regexp.Regexp
	if pattern.kind == kindString {
		expression = regexp.MustCompile(pattern.text)
	}
	return &check{func(d *diagnosis, f found) {
		if !f.is(kindString) {
			d.reject("type", "string", f)
			return
		}
		within(d, f, float64(Length(f.n.text)), least, most, "Length")
		if expression != nil && !Matches(expression, f.n.text) {
			d.reject("pattern", "pattern "+expression.String(), f)
		}
	}}
}

// Matches returns whether a pattern matches a text. Halves of pairs count as U+FFFD.
func Matches(pattern *regexp.Regexp, text string) bool {
	if utf8.ValidString(text) {
		return pattern.MatchString(text)
	}
	var replaced strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			for i+size < len(text) && text[i+size]&0xc0 == 0x80 {
				size++
			}
		}
		replaced.WriteRune(r)
		i += size
	}
	return pattern.MatchString(replaced.String())
}

func numberOf(f found) (n float64, ok bool) {
	if !f.is(kindNumber) {
		return 0, false
	}
	n, err := strconv.ParseFloat(f.n.text, 64)
	return n, err == nil
}

// numberCheck checks numbers, or integers alone.
func numberCheck(name string, operands []*node) *check {
	isInteger := name == "integer"
	least, most := limitOf(operands[0]), limitOf(operands[1])
	above, below := limitAt(operands, 2), limitAt(operands, 3)
	return &check{func(d *diagnosis, f found) {
		n, ok := numberOf(f)
		if !ok || isInteger && n != math.Trunc(n) {
			d.reject("type", name, f)
			return
		}
		if isInteger && math.Abs(n) > MaxSafe {
			d.note("unsafe-integer", "the integer is not exact in every language")
		}
		within(d, f, n, least, most, "imum")
		beyond(d, f, n, above, below)
	}}
}

// enumCheck checks strings, or integers, which are compared as text.
func enumCheck(operands []*node) *check {
	isText, isOpen := operands[0].text == "string", operands[2].truth
	listed := map[string]bool{}
	var names []string
	for _, one := range operands[1].items {
		listed[one.text] = true
		names = append(names, one.text)
	}
	expected := "one of " + strings.Join(names, ", ")
	if isOpen {
		expected += `, or a name that begins with "_"`
	}
	return &check{func(d *diagnosis, f found) {
		text, ok := enumText(f, isText)
		if !ok {
			d.reject("type", operands[0].text, f)
			return
		}
		if listed[text] || isOpen && isText && IsCustom(text) {
			return
		}
		isRefused := d.mode != walkKeep
		if isOpen {
			isRefused = d.mode == walkSend && isText
		}
		if isRefused && !(d.mode == walkSend && isText && d.isReceived()) {
			d.reject("enum", expected, f)
		} else {
			d.note("unknown", render(f.n)+" is not known")
		}
	}}
}

func enumText(f found, isText bool) (text string, ok bool) {
	if isText {
		if !f.is(kindString) {
			return "", false
		}
		return f.n.text, true
	}
	n, ok := numberOf(f)
	return strconv.FormatFloat(n, 'f', -1, 64), ok && n == math.Trunc(n)
}
