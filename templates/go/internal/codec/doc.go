// Package codec has what the generated decoders and encoders call, and the slow
// path: a walk over the table of checks, which explains and repairs values that
// the generated decoders do not accept.
package codec
