// Package role has what agents and clients of all profiles share: the handshake, the
// gates of capabilities, the order of updates, the ends of turns.
package role
