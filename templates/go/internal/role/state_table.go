package role

// A StateTable is how messages change the state of a session, as the schema says it.
type StateTable struct {
	Updates  []StateUpdate
	Messages []MessageChange
	Targets  []*StateTarget

	// Merges says that a patch changes _meta by key; otherwise it replaces _meta.
	Merges bool

	updates  map[string][]StateChange
	messages map[string][]MessageChange
	targets  map[string]*StateTarget
}

// A StateUpdate is what an update changes; nothing without changes.
type StateUpdate struct {
	Tag     string
	Changes []StateChange
}

// A StateChange is a change by an update. ID and Value are paths in the update, and Field is
// one in the target; without ID there is one target, without Field all of it changes.
type StateChange struct {
	Action, Target   string
	ID, Field, Value []string
}

// A MessageChange is a value in a message, and the update that would report it: with the
// value as a property, or as the whole without its tag. Without an update, the value itself
// is in the state. An absent list is empty.
type MessageChange struct {
	Method, Part string
	From         []string
	Tag, As      string
	Target       string
	IsList       bool
}

// A StateTarget is a part of the state.
type StateTarget struct {
	Name string

	// Tag is that of the update that reports the whole, or the kind of a message.
	Tag string

	// ID, List and Bytes are the properties with the id, and with what chunks are
	// appended to: blocks, or data in base64.
	ID, List, Bytes string

	// Defaults are the values of properties that are not reported, or null.
	Defaults map[string]string

	// KeepsNull is the property that null does not change, or "all".
	KeepsNull string

	// HasOrder says that it is in the timeline, Joins that plain text is joined, IsUpdate
	// that it is the last update, IsValue that it is the value in the last update that
	// has it, and IsIDOptional that chunks may lack the id.
	HasOrder, Joins, IsUpdate, IsValue, IsIDOptional bool
}

// index prepares a table for use.
func (t *StateTable) index() *StateTable {
	t.updates, t.messages, t.targets = map[string][]StateChange{}, map[string][]MessageChange{}, map[string]*StateTarget{}
	for _, one := range t.Updates {
		t.updates[one.Tag] = one.Changes
	}
	for _, one := range t.Messages {
		t.messages[one.Method] = append(t.messages[one.Method], one)
	}
	for _, one := range t.Targets {
		t.targets[one.Name] = one
	}
	return t
}
