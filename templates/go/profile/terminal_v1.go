package profile

import "context"

// Terminal starts a command in a terminal of the client. The session is filled in. If the
// context ends before the client has answered, the terminal is released.
func (s *AgentSession) Terminal(ctx context.Context, params CreateTerminalRequest) (*OpenTerminal, error) {
	params.SessionID = s.ID
	client := &ConnectedClient{peer{conn: s.conn}}
	created, err := client.TerminalCreate(ctx, &params)
	if err != nil {
		return nil, err
	}
	return &OpenTerminal{created.TerminalID, s.ID, client}, nil
}

// An OpenTerminal is a terminal of the client, which must be released: use Close with defer.
type OpenTerminal struct {
	// ID is its id in the session.
	ID TerminalID

	session SessionID
	client  *ConnectedClient
}

// Content returns the terminal as the content of a tool call.
func (t *OpenTerminal) Content() ToolCallContent { return &Terminal{TerminalID: t.ID} }

// Output returns what the command has printed so far, and how it has ended if it has.
func (t *OpenTerminal) Output(ctx context.Context) (*TerminalOutputResponse, error) {
	return t.client.TerminalOutput(ctx, &TerminalOutputRequest{SessionID: t.session, TerminalID: t.ID})
}

// Wait waits for the end of the command.
func (t *OpenTerminal) Wait(ctx context.Context) (*WaitForTerminalExitResponse, error) {
	return t.client.TerminalWaitForExit(ctx, &WaitForTerminalExitRequest{SessionID: t.session, TerminalID: t.ID})
}

// Kill ends the command; the terminal remains.
func (t *OpenTerminal) Kill(ctx context.Context) error {
	_, err := t.client.TerminalKill(ctx, &KillTerminalRequest{SessionID: t.session, TerminalID: t.ID})
	return err
}

// Close ends the command and releases the terminal, even if the context of the turn has ended.
func (t *OpenTerminal) Close() error {
	_, err := t.client.TerminalRelease(context.Background(), &ReleaseTerminalRequest{SessionID: t.session, TerminalID: t.ID})
	return err
}
