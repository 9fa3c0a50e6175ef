package profile

import (
	"context"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// ListSessions passes the sessions of the agent to a loop, page by page; with a Cwd, those of a
// folder. Nil params are those of all sessions. The loop ends with the first error.
//
//	for info, err := range agent.ListSessions(ctx, nil) { … }
//
// Before Go 1.23, call what it returns with the body of the loop.
func (a *ConnectedAgent) ListSessions(ctx context.Context, params *ListSessionsRequest) func(yield func(*SessionInfo, error) bool) {
	return func(yield func(*SessionInfo, error) bool) {
		var given ListSessionsRequest
		if params != nil {
			given = *params
		}
		cursors := map[any]bool{}
		for {
			page, err := role.List(ctx, a.conn, schemaListSessionsRequest, &given, schemaListSessionsResponse)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Sessions {
				if !yield(&page.Sessions[i], nil) {
					return
				}
			}
			cursor, ok := page.NextCursor.Get()
			if !ok {
				return
			}
			if cursors[cursor] {
				yield(nil, a.conn.RepeatedCursor())
				return
			}
			cursors[cursor] = true
			given.Cursor = acp.Some(cursor)
		}
	}
}
