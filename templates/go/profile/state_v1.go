package profile

import "github.com/acp-codegen/acp-codegen/out/go/internal/codec"

// A State is what the updates of a session add up to.
type State struct {
	// Timeline has the messages and tool calls, in the order of their appearance. A
	// prompt that the agent sends back is one message, one that it refuses is none.
	Timeline []Entry

	// Plan is the last plan without an id.
	Plan []PlanEntry

	// Mode is the current mode, and Modes are those that the answer offered which
	// opened the session.
	Mode  SessionModeID
	Modes []SessionMode

	// ConfigOptions, Commands, Info and Usage are those that were reported last.
	ConfigOptions []SessionConfigOption
	Commands      []AvailableCommand
	Info          SessionInfoUpdate
	Usage         *UsageUpdate

	// Others has the last updates of further kinds, by the ids in them.
	Others []SessionUpdate

	turnUsage turnUsage
}

func (s *State) add(item any) {
	switch item := item.(type) {
	case *Plan:
		s.Plan = item.Entries
	case *CurrentModeUpdate:
		s.Mode = item.CurrentModeID
	case *SessionModeState:
		s.Modes = item.AvailableModes
	case *ConfigOptionUpdate:
		s.ConfigOptions = item.ConfigOptions
	case *AvailableCommandsUpdate:
		s.Commands = item.AvailableCommands
	case *SessionInfoUpdate:
		s.Info = *item
	case *UsageUpdate:
		s.Usage = item
	case turnUsage:
		s.turnUsage = item
	case SessionUpdate:
		s.Others = append(s.Others, item)
	}
}

func decodeItem(kind string, params []byte) any {
	if kind == "availableModes" {
		modes := codec.Set(codec.Get(params, "update"), []byte(`""`), "currentModeId")
		if modes, _, err := schemaSessionModeState.Decode(modes); err == nil {
			return modes
		}
	} else if found, _, err := schemaSessionNotification.Decode(params); err == nil {
		return found.Update
	}
	return nil
}
