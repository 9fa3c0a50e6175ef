package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"echo_agent/acp/acpv1"
	"echo_agent/acp/remote"
)

// serve serves the agent over HTTP to programs on this machine. Before others may call it,
// they have to be authenticated.
func serve(agent *acpv1.Agent, port int) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	handler := &remote.Handler{Serve: agent.Serve}
	http.Handle("/acp", handler)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(os.Stderr, "http://%s/acp\n", listener.Addr())
	signals, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case err := <-failed:
		return err
	case <-signals.Done():
	}
	// Turns that are running may end.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	handler.Drain(ctx)
	return server.Shutdown(ctx)
}
