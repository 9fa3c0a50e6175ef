package acp

import (
	"encoding/json"
	"fmt"
	"reflect"
)

type state uint8

const (
	isAbsent state = iota
	isNull
	isSet
)

// Opt is a property that can be absent or null. Its zero value is absent, which
// is not the same as null: in an update, an absent property is unchanged and
// null clears it.
type Opt[T any] struct {
	value T
	state state
}

// Some returns a property with a value.
func Some[T any](value T) Opt[T] { return Opt[T]{value, isSet} }

// Null returns a property that is null.
func Null[T any]() Opt[T] { return Opt[T]{state: isNull} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == isSet }

// Or returns the value, or another one if the property is absent or null.
func (o Opt[T]) Or(other T) T {
	if o.state == isSet {
		return o.value
	}
	return other
}

// IsNull returns whether the property is null.
func (o Opt[T]) IsNull() bool { return o.state == isNull }

// IsZero returns whether the property is absent.
func (o Opt[T]) IsZero() bool { return o.state == isAbsent }

// MarshalJSON returns the JSON text of the value; null if there is none.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != isSet {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON sets the value, or null.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	*o = Opt[T]{state: isNull}
	if string(data) == "null" {
		return nil
	}
	o.state = isSet
	return json.Unmarshal(data, &o.value)
}

// Equal returns whether both are absent, both null, or both have values that are equal.
func (o Opt[T]) Equal(other Opt[T]) bool {
	return o.state == other.state && reflect.DeepEqual(o.value, other.value)
}

// String returns the value as text: "absent" and "null" where there is none.
func (o Opt[T]) String() string {
	switch o.state {
	case isSet:
		return fmt.Sprint(o.value)
	case isNull:
		return "null"
	}
	return "absent"
}

// Received is set in a value that was received with something that the schema does not know,
// and may be sent again. It is for decoders to set.
type Received bool

// Equal returns true: where a value comes from is not a part of it.
func (Received) Equal(Received) bool { return true }

// NullValue is the JSON value null, where a union has it as an alternative.
type NullValue struct{}

// MarshalJSON returns null.
func (NullValue) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Member is a property that the schema does not name. It is sent again as it was
// received. One that a program makes is refused, unless the schema allows any.
type Member struct {
	// Name is the name of the property.
	Name string

	// Value is its JSON text.
	Value json.RawMessage

	// Received is set by decoders.
	Received Received
}
