/** The texts of errors and reports that the runtimes of several languages have in common. */

/** @param pointer a JSON pointer; empty where the method itself is refused */
export const notSent = (method: string, pointer: string, reason: string, cure: string) =>
  `${method}${pointer && ` at ${pointer}`} ${reason}${cure && `; ${cure}`}`;

export const notAdvertised = (capability: string, owner: string) =>
  `needs ${capability}, which the ${owner} has not advertised`;

export const notListed = (side: string, path: string) => `is not one of the ${side}'s ${path}`;

export const terminalLogin = (method: string) =>
  `names a login in a terminal: start the agent with its args, do not call ${method}`;

export const subagentRefuses = "names a subagent, whose capabilities do not permit it";

/** @param option the option of a call, as a program writes it */
export const sendAnyway = (option: string) => `${option} sends it anyway`;

export const noneOffered = "no value, since none is offered";

export const oneOffered = (values: string) => `one of ${values}`;

export const oneOfCategory = (category: string) => `one option of the category ${category}`;

/** @param condition the call that returns whether a capability was advertised */
export const leaveOut = (condition: string) => `leave it out unless ${condition}`;

export const resultOf = (method: string) => `the result of ${method}`;

export const receivedUnadvertised = (
  side: string,
  message: string,
  pointer: string,
  capability: string,
  owner: string,
) =>
  `the ${side} sent ${message}${pointer && ` with a value at ${pointer}`} that needs ${capability}, which the ${owner} has not advertised`;

/** @param handler the handler, as the language names it */
export const handlerWithoutCapability = (handler: string, capability: string) =>
  `${handler} is given, but ${capability} is not advertised: advertise it or leave the handler out`;

export const handlerWithoutEntries = (handler: string, list: string) =>
  `${handler} is given, but ${list} has no entries: advertise some or leave the handler out`;

export const capabilityWithoutHandler = (capability: string, handler: string) =>
  `${capability} is advertised, but ${handler} is missing: add it or do not advertise it`;

export const capabilityWithoutOther = (capability: string, other: string) =>
  `${capability} is advertised, but ${other}, which it requires, is not: advertise both or neither`;

/** @param setting an option, as the language names it */
export const missingSetting = (setting: string, side: string) =>
  `${setting} is missing: every ${side} has to give it`;

export const wrongSetting = (setting: string, expected: string, found: string) =>
  `${setting} must be ${expected}, not ${found}`;

/** @param choices the possible values, the last one behind "or" */
export const wrongChoice = (setting: string, choices: string, suggestion: string) =>
  `${setting} must be ${choices}${suggestion}`;

/** @param setting a list of what a server accepts, as the language names it */
export const wrongAllowed = (setting: string, found: string) =>
  `${setting} must be a list of strings, or "*": [${found}]`;

export const listedAny = (setting: string) => `${setting}: pass "*" instead of a list to allow all`;

export const countSetting = "a whole number from 1 up";

export const timeSetting = "a number from 0 up";

export const storeSetting = "a store of sessions";

/** @param handler a function that is given as a handler, as the language names it */
export const unmatchedHandler = (handler: string, suggestion: string) =>
  `${handler} does not match a method${suggestion}`;

export const initializeFirst = "initialize comes first";

export const initializeReturned =
  "initialize was sent to a client: the program at the other end sends our own messages back, as cat does, or is another client; it is not an agent";

export const notInitialized = (method: string) =>
  `${method} cannot be called before initialize has been answered`;

export const beforeInitialize = (method: string) =>
  `${method} came before initialize was answered and was ignored`;

export const unsupportedVersion = "Unsupported protocol version";

export const otherVersion = (wanted: string, offered: string, cure: string) =>
  `the client speaks version ${wanted} of the protocol, the agent speaks version ${offered}${cure && `; ${cure}`}`;

export const bridgeTranslates = "the command acp-bridge translates between them";

/** @param method empty for the end of the connection itself */
export const closed = (method: string, reason: string) =>
  `${method && `${method} failed: `}the connection is closed${reason && `: ${reason}`}`;

export const notAnswered = (method: string, time: string) =>
  `${method} was not answered within ${time}`;

export const unknownMethod = (method: string) => `Method not found: ${method}`;

export const sentWithId = (method: string) =>
  `\`${method}\` is a notification: send it without an id`;

export const sentWithoutId = (method: string) =>
  `${method} is a request, but came without an id and was ignored`;

export const invalidPart = (part: string, pointer: string, rule: string) =>
  `Invalid ${part}${pointer && ` at ${pointer}`}${rule && ` (rule ${rule})`}`;

/** @param pointer a JSON pointer in the result; follows the name of the method */
export const invalidAnswer = (pointer: string, rule: string) =>
  `was answered with an invalid result${pointer && ` at ${pointer}`}${rule && ` (rule ${rule})`}`;

export const unknownCapability = (path: string, side: string, suggestion: string) =>
  `${path} is not a capability of the ${side}${suggestion}`;

export const didYouMean = (name: string) => ` (did you mean "${name}"?)`;

export const missingHandler = (handler: string, side: string, method: string) =>
  `${handler} is missing: every ${side} handles ${method}`;

export const notHandled = (method: string, kind: string, side: string, suggestion: string) =>
  `${method} is not a ${kind} that the ${side} handles${suggestion}`;

/** @param cure how a program calls or handles the method instead */
export const notAnExtension = (method: string, cure: string) =>
  `${method} is a method of the protocol, not an extension: ${cure}`;

export const callByName = "call it by name";

export const invalidResponse = (problem: string) => `Invalid response${problem && `: ${problem}`}`;

export const wrongVersion = `jsonrpc is not "2.0"`;

export const wrongId = "the id is neither a string nor a safe integer";

export const bothOutcomes = "it has a result and an error";

export const wrongError = "the error has no integer code or no message";

export const lineWasSkipped = "it is longer than the limit for lines and was skipped";

export const lineIsNotJson = "it is not JSON";

/** @param problem why the response cannot be read */
export const idTooLate = (problem: string) =>
  `a response does not begin with its id, and ${problem}`;

export const unexpectedResponse = (id: string, error: string) =>
  `received a response that no call is waiting for, with the id ${id}${error && `: ${error}`}`;

export const receivedNoise = (missing: string, start: string) =>
  `received a line that is not ${missing}: ${start}; further ones are only counted`;

export const skippedLine = (start: string) =>
  `a line was longer than the limit and was skipped: ${start}`;

export const malformedInRow = (count: string) => `${count} messages in a row were malformed`;

export const notRead = (size: string) => `the other side does not read: ${size} are unsent`;

export const stalled = (time: string, size: string) =>
  `the other side has read nothing for ${time} while ${size} were unsent`;

export const sessionBusy = "The session is busy: its last prompt is still running";

export const afterTurn = (update: string) => `the turn has ended: ${update} was not sent`;

/** @param calls the calls that open a session again, as a program writes them */
export const inClosedSession = (method: string, session: string, calls: string) =>
  `${method} was not sent: the session ${session} is closed${calls && `; open it again with ${calls}`}`;

export const closedInTurn = "the session was closed before the turn had ended";

export const cancelledWorkFailed = (error: string) =>
  `the cancelled work has ended with an error: ${error}`;

export const unrequestedEnd = (update: string) =>
  `${update} was not sent: it ends the history that session/resume has requested with replayFrom, once, in its handler`;

export const repeatedCursor = (method: string) =>
  `${method} gave a cursor for the second time, so its pages have no end`;

export const noTerminalLogin =
  "a login in a terminal needs an authentication method of the type terminal";

/** @param last the last line of the standard error of the process */
export const agentEnded = (how: string, last: string) =>
  `the agent ${how}${last && `; it wrote last: ${last}`}`;

/** @param last the last line of the standard error of the process */
export const agentSilent = (seconds: string, last: string) =>
  `the agent has written nothing for ${seconds} s${last && `; it wrote last: ${last}`}`;

export const exited = (code: string) => `exited with code ${code}`;

export const notJson = "The message is not JSON";

export const messageTooLong = "The message is too long";

export const messageTooSlow = "The message took too long";

export const tooManyMessages = "Too many messages have not ended";

export const sessionIdTooLong = "The sessionId is too long";

export const serverEnds = "The server is about to end";

export const messagesGone = "The messages are kept no longer";

export const streamIsOpen = "The stream is open already";

export const noStream = "the client has no open stream any more";

export const messagesMissing = "the server leaves out messages";

export const requestIdInUse = "The request id is in use";

export const sessionChanged = "The session was changed elsewhere and was not saved: open it again";

export const saveMissing = "its last save is missing";

export const saveIsNoFile = "its last save is not a file";

export const valueIsNoSession = "its value is not a session";

export const noMcpTransport = "This agent cannot connect to an MCP server with the given transport";

/** @param place where a store keeps the session */
export const storedUnreadable = (place: string, reason: string) =>
  `The session stored in ${place} cannot be read: ${reason}`;

export const needsAbsolutePath = (path: string) => `a file URI needs an absolute path, not ${path}`;

export const separatorInUri = (uri: string) =>
  `${uri} encodes a separator, which no path can contain`;

export const notUtf8 = (text: string) => `${text} is not valid UTF-8`;

export const notFileUri = (uri: string) =>
  `${uri} is not a file URI, such as file:///home/ana/notes.txt`;
