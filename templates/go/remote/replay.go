package remote

// A message is one of the agent, with its number on the connection.
type message struct {
	number int
	text   []byte
}

func (m message) size() int { return len(m.text) + keptOverhead }

// replay keeps the last messages that were sent, for clients that lose a stream.
type replay struct {
	limit, size int
	kept        []keptMessage
	dropped     map[*queue]int // the last message of each stream that is kept no longer
}

type keptMessage struct {
	message
	queue *queue
}

func (r *replay) add(q *queue, m message) {
	r.kept = append(r.kept, keptMessage{m, q})
	for r.size += m.size(); r.size > r.limit; r.kept = r.kept[1:] {
		oldest := r.kept[0]
		r.kept[0] = keptMessage{}
		r.size -= oldest.size()
		r.dropped[oldest.queue] = oldest.number
	}
}

// takeAfter removes what a stream has sent, and returns what came after the message with a
// number, which need not be its greatest; 0 is for all. It returns false when a part of it
// is kept no longer.
func (r *replay) takeAfter(q *queue, last int) (again []message, isKnown bool) {
	isKnown = last == r.dropped[q]
	isAny := last > 0
	var others []keptMessage
	for _, one := range r.kept {
		if one.queue != q {
			others = append(others, one)
			continue
		}
		isAny = true
		// What the client has received is needed no longer.
		r.size -= one.size()
		again = append(again, one.message)
		if one.number == last {
			again, isKnown = nil, true
		}
	}
	r.kept = others
	if isAny {
		r.dropped[q] = last
	}
	return again, isKnown
}
