package rpc

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// shownBytes is how much of a line a report repeats.
const shownBytes = 200

// noise counts, answers and reports input that is not a message, such as the log of an
// agent that prints.
type noise struct {
	conn *Conn

	mu         sync.Mutex
	stats      acp.Stats
	inRow      int
	isReported bool
}

// value takes a JSON value that is not a message, or a response that is broken. It
// returns an error when there were too many.
func (n *noise) value(text []byte, m message) error {
	isNoise := !n.conn.answersNoise && !m.isVersion2
	if m.kind == kindBroken {
		if !m.hasMethod && n.conn.calls.endBroken(m.id, m.problem) {
			return nil
		}
		if !isNoise {
			n.conn.calls.ignore(m)
			return nil
		}
	}
	n.reportFirst("a message", text)
	if isNoise {
		n.count(1, 0)
		return nil
	}
	n.conn.refuse(m.id, acp.CodeInvalidRequest, "Invalid request")
	return n.add()
}

// line takes a line that is not JSON, or that is too long.
func (n *noise) line(l line) error {
	if l.isCut {
		// It is a part of the end, which is the reason why calls fail.
		n.count(1, 0)
		return nil
	}
	h := readHead(l.text)
	problem, code, text, id := sentences.LineIsNotJSON, acp.CodeParseError, "Parse error", h.id
	if l.isLong {
		problem, code, text = sentences.LineWasSkipped, acp.CodeInvalidRequest, "Line too long"
	}
	if h.isResponse && (h.hasID && n.conn.calls.endBroken(h.id, problem) || !h.hasID && n.conn.calls.endAllBroken(sentences.IDTooLate(problem))) {
		return n.add()
	}
	if l.isLong {
		n.conn.report(&acp.MessageError{Text: sentences.SkippedLine(shown(l.text))}, "")
	} else {
		n.reportFirst("JSON", l.text)
		if n.conn.answersNoise {
			// The id of the answer to invalid JSON is null (JSON-RPC 2.0, section 5).
			id = nullID
		}
	}
	if !n.conn.answersNoise && !(h.isCall && h.hasID) {
		n.count(1, 0)
		return nil
	}
	if !h.isResponse {
		n.conn.refuse(id, code, text)
	}
	return n.add()
}

func (n *noise) reportFirst(missing string, text []byte) {
	n.mu.Lock()
	isFirst := !n.isReported
	n.isReported = true
	n.mu.Unlock()
	if isFirst {
		n.conn.report(&acp.MessageError{Text: sentences.ReceivedNoise(missing, shown(text))}, "")
	}
}

func (n *noise) count(malformed, ignored int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stats.Malformed += malformed
	n.stats.Ignored += ignored
}

func (n *noise) add() error {
	n.count(1, 0)
	if n.inRow++; n.inRow < n.conn.limits.MaxInvalidInRow {
		return nil
	}
	return &acp.MessageError{Text: sentences.MalformedInRow(strconv.Itoa(n.inRow))}
}

func shown(text []byte) string {
	if len(text) <= shownBytes {
		return fmt.Sprintf("%q", text)
	}
	end := shownBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%q…", text[:end])
}

// head has the members at the beginning of a message, up to the first that is not a scalar.
type head struct {
	id                        string
	hasID, isCall, isResponse bool
}

var (
	headStart  = regexp.MustCompile(`^\s*\{`)
	headMember = regexp.MustCompile(`^\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null)\s*,)?`)
)

// readHead reads the beginning of a line that is cut or not JSON.
func readHead(text []byte) head {
	h := head{id: nullID}
	text = text[:min(len(text), headBytes)]
	calls, responses, others := 0, 0, 0
	for place := headStart.FindIndex(text); place != nil; {
		text = text[place[1]:]
		if place = headMember.FindSubmatchIndex(text); place == nil {
			break
		}
		switch key := string(text[place[2]:place[3]]); key {
		case "method", "params":
			calls++
		case "result", "error":
			responses++
		case "id":
			if place[4] >= 0 && codec.IsJSON(text[place[4]:place[5]]) {
				h.id, _ = idOf(text[place[4]:place[5]])
				h.hasID = true
			}
		case "jsonrpc":
		default:
			others++
		}
		if place[4] < 0 {
			break
		}
	}
	// Other lines, such as those of a logger, are neither calls nor responses.
	h.isCall = calls > 0 && responses+others == 0
	h.isResponse = responses > 0 && calls+others == 0
	return h
}
