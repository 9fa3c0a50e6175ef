// Package rpc is a JSON-RPC 2.0 connection over a stream of lines, without knowledge of
// the protocol.
package rpc
