package profile

// TurnUsage returns the tokens that the end of a turn has reported last: in version 1 those
// of the session so far, in version 2 those of that turn. It is nil without a report.
func (s *State) TurnUsage() *Usage {
	usage, _, err := schemaUsage.Decode(s.turnUsage)
	if err != nil {
		return nil
	}
	return usage
}
