// Package acp has what the packages of all protocol versions share: optional
// properties, unknown properties, and the reports of codecs.
package acp
