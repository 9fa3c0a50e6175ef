// Package remote serves agents over HTTP and WebSocket, and connects to them. It opens no
// port: a Handler is mounted in any server of net/http.
//
//	http.Handle("/acp", &remote.Handler{Serve: agent.Serve})
//	agent, err := client.Connect(ctx, remote.HTTP("https://agents.example/acp", nil))
//
// Unless its fields say more, a Handler answers programs of its own machine only.
package remote
