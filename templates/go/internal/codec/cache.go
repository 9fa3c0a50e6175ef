package codec

import "hash/maphash"

// A Cache keeps strings that were made lately, since messages repeat names and ids. Nil keeps none.
type Cache [64]string

// mostCached is the length of the longest string that is kept.
const mostCached = 64

var cacheSeed = maphash.MakeSeed()

// String returns a string of bytes.
func (c *Cache) String(text []byte) string {
	if c == nil || len(text) > mostCached {
		return string(text)
	}
	kept := &c[maphash.Bytes(cacheSeed, text)%uint64(len(c))]
	if *kept != string(text) {
		*kept = string(text)
	}
	return *kept
}

// Text returns the string that a text is.
func (c *Cache) Text(value []byte) (string, bool) {
	d := Decoder{data: value}
	text, ok := d.text()
	return c.String(text), ok
}
