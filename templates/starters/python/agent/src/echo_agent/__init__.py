"""An agent that echoes prompts, and edits files if the user allows it."""
