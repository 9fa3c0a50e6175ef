package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync/atomic"
)

// longestStart is how long a line may be that is read for the version in it.
const longestStart = 1 << 20

// A VersionedAgent serves clients in one version of the protocol.
type VersionedAgent interface {
	ProtocolVersion() int
	Serve(ctx context.Context, stream io.ReadWriteCloser) error
}

// Agents are agents of different versions in one program:
//
//	err := acp.Agents{agentOfVersion1, agentOfVersion2}.ServeStdio(ctx)
//
// The agent with the highest version that does not exceed the requested one serves the client.
type Agents []VersionedAgent

// ServeStdio serves the client that has started this process; see Stdio.
func (a Agents) ServeStdio(ctx context.Context) error { return a.Serve(ctx, Stdio()) }

// Serve serves a client until the client ends the connection, or the context ends.
func (a Agents) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	if len(a) == 0 {
		return errors.Join(errors.New("there is no agent"), stream.Close())
	}
	agents := slices.Clone(a)
	slices.SortFunc(agents, func(one, other VersionedAgent) int { return other.ProtocolVersion() - one.ProtocolVersion() })
	// The newest agent takes what comes before the handshake. For another one, its input
	// ends there, and the stream stays open.
	s := &versionedStream{ReadWriteCloser: stream, in: bufio.NewReader(stream), agents: agents}
	if err := agents[0].Serve(ctx, s); !s.isOther() {
		return err
	}
	rest := io.MultiReader(bytes.NewReader(s.line), s.in)
	return (*s.chosen.Load()).Serve(ctx, struct {
		io.Reader
		io.WriteCloser
	}{rest, stream})
}

// A versionedStream ends before a handshake for another than the first of its agents.
type versionedStream struct {
	io.ReadWriteCloser
	in     *bufio.Reader
	line   []byte // what was read and not handed out
	agents []VersionedAgent
	chosen atomic.Pointer[VersionedAgent] // nil before the handshake
}

func (s *versionedStream) Read(p []byte) (int, error) {
	if len(s.line) == 0 && s.chosen.Load() != nil {
		return s.in.Read(p)
	}
	if len(s.line) == 0 {
		if err := s.readLine(); len(s.line) == 0 {
			return 0, err
		}
		s.choose()
	}
	if s.isOther() {
		return 0, io.EOF
	}
	n := copy(p, s.line)
	s.line = s.line[n:]
	return n, nil
}

func (s *versionedStream) Close() error {
	if s.isOther() {
		return nil
	}
	return s.ReadWriteCloser.Close()
}

func (s *versionedStream) isOther() bool {
	chosen := s.chosen.Load()
	return chosen != nil && chosen != &s.agents[0]
}

// readLine reads a line, or the beginning of one that is too long.
func (s *versionedStream) readLine() error {
	for len(s.line) < longestStart {
		part, err := s.in.ReadSlice('\n')
		if s.line = append(s.line, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	return nil
}

// choose looks for a handshake in the line, and for the agent that answers it.
func (s *versionedStream) choose() {
	var message struct {
		Method string
		Params struct{ ProtocolVersion json.Number }
	}
	_ = json.Unmarshal(s.line, &message)
	requested, err := message.Params.ProtocolVersion.Int64()
	if message.Method != "initialize" || err != nil {
		return
	}
	at := slices.IndexFunc(s.agents, func(one VersionedAgent) bool { return int64(one.ProtocolVersion()) <= requested })
	if at < 0 {
		at = len(s.agents) - 1
	}
	s.chosen.Store(&s.agents[at])
}
