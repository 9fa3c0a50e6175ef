package acp

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"sync"
)

// mostTapped is the length of a line above which a tap gives it in pieces.
const mostTapped = 64 << 20

// Direction is where a line goes, as the side that uses the stream sees it.
type Direction string

// The directions.
const (
	Incoming Direction = "incoming"
	Outgoing Direction = "outgoing"
)

// Tap returns a stream that calls a function for each line of another one, as it is, without its
// line end: an incoming line before it is handled, an outgoing one before it is written, so that
// an answer follows its request. The calls do not overlap, and the line is valid during the call.
// The stream is used only through the returned one from now on.
func Tap(stream io.ReadWriteCloser, see func(line []byte, direction Direction)) io.ReadWriteCloser {
	t := &tapped{ReadWriteCloser: stream}
	give := func(direction Direction) func([]byte) {
		return func(line []byte) {
			t.mu.Lock()
			defer t.mu.Unlock()
			defer func() {
				if failed := recover(); failed != nil {
					slog.Error(fmt.Sprint("acp: the function of a tap failed: ", failed))
				}
			}()
			see(bytes.TrimSuffix(line, []byte("\r")), direction)
		}
	}
	t.in.give, t.out.give = give(Incoming), give(Outgoing)
	return t
}

type tapped struct {
	io.ReadWriteCloser
	mu      sync.Mutex // of the function
	in, out tappedLines
}

func (t *tapped) Read(data []byte) (int, error) {
	n, err := t.ReadWriteCloser.Read(data)
	t.in.push(data[:n])
	if err != nil {
		t.in.end()
	}
	return n, err
}

func (t *tapped) Write(data []byte) (int, error) {
	t.out.push(data)
	return t.ReadWriteCloser.Write(data)
}

// EndReason returns how a process has ended.
func (t *tapped) EndReason() (reason error, isRegular bool) {
	if known, ok := t.ReadWriteCloser.(interface{ EndReason() (error, bool) }); ok {
		return known.EndReason()
	}
	return nil, true
}

// tappedLines are those of one direction.
type tappedLines struct {
	rest []byte
	give func([]byte)
}

func (l *tappedLines) push(data []byte) {
	for {
		line, after, isWhole := bytes.Cut(data, []byte("\n"))
		if len(l.rest) > 0 || !isWhole {
			l.rest = append(l.rest, line...)
			line = l.rest
		}
		if !isWhole {
			if len(l.rest) > mostTapped {
				l.end()
			}
			return
		}
		l.rest = l.rest[:0]
		l.give(line)
		data = after
	}
}

// end gives what no line end has followed.
func (l *tappedLines) end() {
	if len(l.rest) > 0 {
		l.give(l.rest)
		l.rest = nil
	}
}
