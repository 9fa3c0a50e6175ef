package acp

import (
	"errors"
	"io"
	"os"
	"sync"
)

var takeStdio = sync.OnceValue(func() io.ReadWriteCloser {
	stream := &stdio{os.Stdin, os.Stdout}
	os.Stdout = os.Stderr
	return stream
})

// Stdio returns the standard input and output of this process as one stream. From then on,
// what the program prints to os.Stdout goes to the standard error, since it would come
// between the messages.
func Stdio() io.ReadWriteCloser { return takeStdio() }

type stdio struct{ in, out *os.File }

func (s *stdio) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s *stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s *stdio) Close() error                { return errors.Join(s.out.Close(), s.in.Close()) }
