package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// headBytes is how much of a line that is too long is kept.
const headBytes = 512

// line is a line without its end. Of one that is too long, only the beginning is kept.
type line struct {
	text   []byte
	isLong bool
	isCut  bool // the input has ended before the line
}

// lineReader reads lines of a limited length.
type lineReader struct {
	in    *bufio.Reader
	limit int
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{bufio.NewReaderSize(in, 64<<10), limit}
}

// next returns the next line that is not blank. A last line needs no end.
func (r *lineReader) next() (line, error) {
	for {
		found, err := r.read()
		found.text = bytes.Trim(bytes.TrimPrefix(found.text, []byte("\ufeff")), " \t\r")
		if len(found.text) > 0 {
			return found, nil
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (r *lineReader) read() (line, error) {
	var found line
	for {
		part, err := r.in.ReadSlice('\n')
		isEnd := err == nil
		if isEnd {
			part = part[:len(part)-1]
		}
		found.add(part, r.limit)
		if isEnd || err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			found.isCut = !isEnd
			return found, err
		}
	}
}

func (l *line) add(part []byte, limit int) {
	if l.isLong {
		return
	}
	l.text = append(l.text, part...)
	if len(l.text) > limit {
		l.isLong = true
		l.text = bytes.Clone(l.text[:min(len(l.text), headBytes)])
	}
}
