package codec

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isPlain has the bytes that stand for themselves in a string.
var isPlain = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return table
}()

// text reads a string. The result is not nil, and valid until the next one is read.
func (d *Decoder) text() ([]byte, bool) {
	if d.peek() != '"' {
		return nil, false
	}
	d.at++
	start := d.at
	for d.at < len(d.data) && isPlain[d.data[d.at]] {
		d.at++
	}
	if d.at >= len(d.data) {
		return nil, false
	}
	if d.data[d.at] == '"' {
		d.at++
		return d.data[start : d.at-1 : d.at-1], true
	}
	return d.escaped(start)
}

// escaped reads the rest of a string with escapes.
func (d *Decoder) escaped(start int) ([]byte, bool) {
	out := append(d.scratch[:0], d.data[start:d.at]...)
	for d.at < len(d.data) {
		c := d.data[d.at]
		d.at++
		if isPlain[c] {
			out = append(out, c)
			continue
		}
		if c == '"' {
			if out == nil {
				out = []byte{}
			}
			d.scratch = out
			return out, true
		}
		if c != '\\' || d.at >= len(d.data) {
			return nil, false
		}
		c = d.data[d.at]
		d.at++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			unit, ok := d.hex()
			if !ok {
				return nil, false
			}
			out = d.appendUnit(out, unit)
		default:
			return nil, false
		}
	}
	return nil, false
}

// skipText reads a string without collecting its characters.
func (d *Decoder) skipText() bool {
	if d.peek() != '"' {
		return false
	}
	d.at++
	for d.at < len(d.data) {
		c := d.data[d.at]
		d.at++
		if isPlain[c] {
			continue
		}
		if c == '"' {
			return true
		}
		if c != '\\' || !d.skipEscape() {
			return false
		}
	}
	return false
}

func (d *Decoder) skipEscape() bool {
	if d.word("u") {
		_, ok := d.hex()
		return ok
	}
	if d.at == len(d.data) || strings.IndexByte(`"\/bfnrt`, d.data[d.at]) < 0 {
		return false
	}
	d.at++
	return true
}

// appendUnit appends the character of an escape. One without the other half of its
// pair is kept in the bytes that UTF-8 would have for it, so that it can be sent again.
func (d *Decoder) appendUnit(out []byte, unit rune) []byte {
	if unit < 0xd800 || unit > 0xdfff {
		return utf8.AppendRune(out, unit)
	}
	before := d.at
	if unit < 0xdc00 && d.word(`\u`) {
		if low, ok := d.hex(); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf8.AppendRune(out, 0x10000+(unit-0xd800)<<10+(low-0xdc00))
		}
		d.at = before
	}
	return append(out, 0xe0|byte(unit>>12), 0x80|byte(unit>>6)&0x3f, 0x80|byte(unit)&0x3f)
}

func (d *Decoder) hex() (rune, bool) {
	if d.at+4 > len(d.data) {
		return 0, false
	}
	n := rune(0)
	for _, c := range d.data[d.at : d.at+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		n = n<<4 | rune(c)
	}
	d.at += 4
	return n, true
}

// word reads a fixed text.
func (d *Decoder) word(word string) bool {
	end := d.at + len(word)
	if end > len(d.data) || string(d.data[d.at:end]) != word {
		return false
	}
	d.at = end
	return true
}

// numeral reads a number of JSON's grammar, and returns whether it has digits only.
func (d *Decoder) numeral() (text []byte, isWhole, ok bool) {
	mark := d.peek()
	start := d.at
	if mark == '-' {
		d.at++
	}
	first := d.at
	digits := d.digits()
	if digits == 0 || digits > 1 && d.data[first] == '0' {
		return nil, false, false
	}
	isWhole = true
	if d.at < len(d.data) && d.data[d.at] == '.' {
		isWhole = false
		d.at++
		if d.digits() == 0 {
			return nil, false, false
		}
	}
	if d.at < len(d.data) && d.data[d.at]|0x20 == 'e' {
		isWhole = false
		d.at++
		if d.at < len(d.data) && (d.data[d.at] == '+' || d.data[d.at] == '-') {
			d.at++
		}
		if d.digits() == 0 {
			return nil, false, false
		}
	}
	text = d.data[start:d.at]
	if !isWhole || len(text) > mostDigits {
		_, err := strconv.ParseFloat(string(text), 64)
		d.isHuge = d.isHuge || err != nil
	}
	return text, isWhole, true
}

// mostDigits are the digits of an integer that is certainly finite as a float64.
const mostDigits = 308

func (d *Decoder) digits() int {
	start := d.at
	for d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9' {
		d.at++
	}
	return d.at - start
}

// MaxSafe is the largest integer that every language represents exactly.
const MaxSafe = 1<<53 - 1

// integerOf returns the integer that a number is, if it is one that int64 can hold.
func integerOf(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	// The largest int64 is not a float64; the smallest is.
	return int64(f), err == nil && f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63
}

// skip reads any value without recursion.
func (d *Decoder) skip() bool {
	var few [32]byte
	open := few[:0]
	for {
		switch mark := d.peek(); mark {
		case '"':
			if !d.skipText() {
				return false
			}
		case '{', '[':
			d.at++
			end := mark + 2 // The closing bracket of either.
			if d.peek() != end {
				if mark == '{' && !d.skipName() {
					return false
				}
				open = append(open, end)
				continue
			}
			d.at++
		case 't':
			if !d.word("true") {
				return false
			}
		case 'f':
			if !d.word("false") {
				return false
			}
		case 'n':
			if !d.word("null") {
				return false
			}
		default:
			if _, _, ok := d.numeral(); !ok {
				return false
			}
		}
		for {
			if len(open) == 0 {
				return true
			}
			end := open[len(open)-1]
			mark := d.peek()
			d.at++
			if mark == ',' {
				if end == '}' && !d.skipName() {
					return false
				}
				break
			}
			if mark != end {
				return false
			}
			open = open[:len(open)-1]
		}
	}
}

// skipName reads the name of a property and its colon.
func (d *Decoder) skipName() bool {
	if !d.skipText() || d.peek() != ':' {
		return false
	}
	d.at++
	return true
}

// Length returns the number of characters, with halves of pairs as one each.
func Length(text string) (count int) {
	for i := 0; i < len(text); i++ {
		if text[i]&0xc0 != 0x80 {
			count++
		}
	}
	return count
}

// IsCustom returns whether a tag or value is reserved for vendors.
func IsCustom(text string) bool { return len(text) > 0 && text[0] == '_' }
