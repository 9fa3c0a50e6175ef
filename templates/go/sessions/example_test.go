package sessions_test

import (
	"context"
	"fmt"

	"github.com/acp-codegen/acp-codegen/out/go/sessions"
)

type notes struct {
	Cwd   string   `json:"cwd"`
	Turns []string `json:"turns"`
}

// Another process opens a session when a turn has ended.
func ExampleStore() {
	ctx := context.Background()
	backend := sessions.Memory() // or sessions.Files("/var/lib/notes-agent")

	one := &sessions.Store[*notes]{Backend: backend}
	id := one.Create("", &notes{Cwd: "/work"})          // session/new
	err := one.Turn(ctx, id, func(state *notes) error { // session/prompt
		state.Turns = append(state.Turns, "Buy milk")
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	other := &sessions.Store[*notes]{Backend: backend}
	state, err := other.Open(ctx, id) // session/load
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.Turns)
	page, err := other.List(ctx, "/work", "") // session/list
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Sessions), page.Sessions[0].Cwd)
	// Output:
	// [Buy milk]
	// 1 /work
}
