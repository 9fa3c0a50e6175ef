// Package acptest has a fake of each side for tests: an agent that plays turns, and a client whose
// user answers. They speak both versions of the protocol, and keep what they have received. What
// they send is not checked, so that a test can send what is wrong.
package acptest
