package profile

// A State is what the updates of a session add up to.
type State struct {
	// Timeline has the messages and tool calls, in the order of their appearance.
	Timeline []Entry

	// Work is the last state update: *SessionUpdateStateUpdateRunning and others; nil
	// for a session that is idle from its beginning.
	Work SessionUpdate

	// Plans has the last update of each plan, and Terminals have their output.
	Plans     []PlanUpdateContent
	Terminals []*TerminalUpdate

	// ConfigOptions, Commands, Info and Usage are those that were reported last.
	ConfigOptions []SessionConfigOption
	Commands      []AvailableCommand
	Info          SessionInfoUpdate
	Usage         *UsageUpdate

	// Others has the last updates of further kinds, by the ids in them.
	Others []SessionUpdate

	turnUsage turnUsage
}

// work is an update of the state of the work.
type work struct{ update SessionUpdate }

func (s *State) add(item any) {
	switch item := item.(type) {
	case work:
		s.Work = item.update
	case *PlanUpdate:
		s.Plans = append(s.Plans, item.Plan)
	case *TerminalUpdate:
		s.Terminals = append(s.Terminals, item)
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
	found, _, err := schemaUpdateSessionNotification.Decode(params)
	if err != nil {
		return nil
	}
	if kind == "state_update" {
		return work{found.Update}
	}
	return found.Update
}
