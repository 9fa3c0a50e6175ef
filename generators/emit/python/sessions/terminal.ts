import { joinPython, py, type Python } from "../code.js";
import { classOf, type SessionClasses } from "./classes.js";
import { keywordsOf, parameter, passed } from "./keywords.js";

const NEEDED = ["create", "output", "wait_for_exit", "kill", "release"];

/** Prints the class of a terminal that the client runs for the agent; nothing without terminals. */
export function printTerminal(classes: SessionClasses): readonly Python[] {
  const results = NEEDED.map(
    (name) => classes.protocol.methods.find((method) => method.name === `terminal/${name}`)?.result,
  );
  if (results.some((result) => result === undefined)) return [];
  const [, output, exit] = results.map((result) => classOf(result!, classes));
  const content = classOf("ToolCallContentTerminal", classes);
  return [
    py`class Terminal:
    """A terminal of the client; made by \`terminal\` of a session, which releases it."""

    def __init__(self, session: AgentSession, terminal_id: str) -> None:
        self._session = session
        self.id = terminal_id

    @property
    def content(self) -> ${content}:
        """The terminal as the content of a tool call."""
        return ${content}(terminal_id=self.id)

    async def wait(self, *, timeout: float | None = None) -> ${exit!}:
        """Waits until the command has ended."""
        return await self._session.terminal_wait_for_exit(self.id, timeout=timeout)

    async def output(self) -> ${output!}:
        """Returns the output so far."""
        return await self._session.terminal_output(self.id)

    async def kill(self) -> None:
        """Ends the command; the terminal remains until the end of its block."""
        await self._session.terminal_kill(self.id)`,
  ];
}

/** Prints the call that starts a command in a terminal. */
export function printTerminalOpening(classes: SessionClasses): readonly Python[] {
  const params = classes.protocol.methods.find(({ name }) => name === "terminal/create")?.params;
  const all = params === undefined ? undefined : keywordsOf(params, classes, ["sessionId"]);
  const command = all?.find(({ property }) => property === "command");
  if (all === undefined || command === undefined || printTerminal(classes).length === 0) return [];
  const others = all.filter((one) => one !== command);
  return [
    py`@contextlib.asynccontextmanager
async def terminal(self, ${joinPython([parameter(command), py`*`, ...others.map(parameter)], ", ")}) -> AsyncGenerator[Terminal, None]:
    """Runs a command in a terminal of the client, which the end of the block releases."""
    created = await self.terminal_create(${joinPython(passed(all), ", ")})
    try:
        yield Terminal(self, created.terminal_id)
    finally:
        await self.terminal_release(created.terminal_id)`,
  ];
}
