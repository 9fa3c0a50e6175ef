package main

import (
	"context"
	"testing"

	"echo_agent/acp/acptest"
)

func TestThePromptIsEchoed(t *testing.T) {
	ctx := context.Background()
	agent, err := newAgent()
	if err != nil {
		t.Fatal(err)
	}
	client := &acptest.Client{}
	if err := client.Connect(ctx, agent.Serve); err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	session, err := client.NewSession(ctx, "/")
	if err != nil {
		t.Fatal(err)
	}
	turn, err := client.Prompt(ctx, session, "Hello")
	if err != nil || turn.StopReason != "end_turn" || turn.Text != "Hello" {
		t.Error(turn, err)
	}
	if _, err := client.Prompt(ctx, "no-such-session", "Hello"); err == nil {
		t.Error("a session that does not exist has taken a prompt")
	}
}
