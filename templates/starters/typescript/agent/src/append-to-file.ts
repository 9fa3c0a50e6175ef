import { basename } from "node:path";
import { ALLOW_ALWAYS, ALLOW_ONCE, diff, REJECT_ONCE, type AgentSession } from "#acp/v1";

/** The edits that the user has allowed in a session. */
export interface EditPolicy {
  mayEdit: boolean;
}

/**
 * Appends text to a file through the client, which has the unsaved text and can undo the edit. The
 * user sees a tool call with the change, and is asked before it is made.
 *
 * @param path the file, absolute as all paths of the protocol
 */
export async function appendToFile(
  session: AgentSession,
  path: string,
  text: string,
  policy: EditPolicy,
): Promise<void> {
  const title = `Append to ${basename(path)}`;
  const call = await session.toolCall({ title, kind: "edit", locations: [{ path }] });
  // Methods that the client did not advertise are absent.
  const { readTextFile, writeTextFile } = session.client.fs;
  if (readTextFile === undefined || writeTextFile === undefined)
    return call.fail("The client does not give access to its files.");
  try {
    const { content: oldText } = await readTextFile({ path });
    const newText = `${oldText}${oldText === "" || oldText.endsWith("\n") ? "" : "\n"}${text}\n`;
    await call.update({ content: [diff(path, oldText, newText)] });
    const answer = policy.mayEdit || (await call.ask([ALLOW_ONCE, ALLOW_ALWAYS, REJECT_ONCE]));
    if (!answer) return await call.fail("The user rejected the edit.");
    policy.mayEdit ||= answer === ALLOW_ALWAYS;
    await call.run(() => writeTextFile({ path, content: newText }));
  } catch (error) {
    // A cancelled turn ends here.
    session.signal.throwIfAborted();
    await call.fail(error);
  }
}
