// Generated from schema/ by `npm run generate`.

/** The methods by handling side and kind. A prefix marks methods of a single version. */
export const METHODS_BY_HANDLER = {
  "agent notification":
    "document/didChange document/didClose document/didFocus document/didOpen document/didSave mcp/message nes/accept nes/reject session/cancel",
  "agent request":
    "2:auth/login 2:auth/logout auth/status 1:authenticate initialize 1:logout nes/close nes/start nes/suggest providers/disable providers/list providers/set session/archive session/close session/delete session/fork session/list 1:session/load session/new session/prompt session/resume session/set_config_option 1:session/set_mode session/set_title session/status session/unarchive 2:terminal/cancel 2:tool_call/cancel",
  "client notification": "auth/status_update elicitation/complete session/update",
  "client request":
    "elicitation/create 1:fs/read_text_file 1:fs/write_text_file mcp/message session/request_permission 1:terminal/create 1:terminal/kill 1:terminal/output 1:terminal/release 1:terminal/wait_for_exit",
};
