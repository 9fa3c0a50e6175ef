module libraries

go 1.24

require (
	github.com/acp-codegen/acp-codegen/out/go v0.0.0
	github.com/coder/acp-go-sdk v0.13.0
	github.com/coder/websocket v1.8.15
	github.com/gorilla/websocket v1.5.3
)

replace github.com/acp-codegen/acp-codegen/out/go => ../../../out/go
