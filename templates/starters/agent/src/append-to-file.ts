import { basename } from "node:path";
import type { AgentContext, ToolCallContent } from "#acp/v1";
import { beginToolCall } from "./tool-call.js";

/** What the user has allowed in a session. To remember it is the agent's part. */
export interface EditPolicy {
  mayEdit: boolean;
}

/** What is appended to which file, on behalf of a session. */
export interface Append {
  readonly sessionId: string;
  /** Absolute, as all paths of the protocol are. */
  readonly path: string;
  readonly text: string;
}

/**
 * Appends text to a file through the client, so that what is unsaved there counts
 * and the editor can undo it. The user sees a tool call: what it is about, what
 * it would change, a question, and how it ended.
 */
export async function appendToFile(
  { sessionId, path, text }: Append,
  policy: EditPolicy,
  context: AgentContext,
): Promise<void> {
  const { client, signal } = context;
  const toolCall = await beginToolCall(context, sessionId, {
    title: `Append to ${basename(path)}`,
    kind: "edit",
    locations: [{ path }],
  });
  // Methods that the client has not advertised are absent.
  const { readTextFile, writeTextFile } = client.fs;
  if (readTextFile === undefined || writeTextFile === undefined) {
    return toolCall.fail("The client does not give access to its files.");
  }
  try {
    const { content: oldText } = await readTextFile({ sessionId, path }, { signal });
    const newText = `${oldText}${oldText === "" || oldText.endsWith("\n") ? "" : "\n"}${text}\n`;
    const content: ToolCallContent[] = [{ type: "diff", path, oldText, newText }];
    await toolCall.update({ content });
    if (!(await mayEdit({ sessionId, toolCallId: toolCall.id, content }, policy, context))) {
      return await toolCall.fail("The user said no.");
    }
    await toolCall.update({ status: "in_progress" });
    await writeTextFile({ sessionId, path, content: newText }, { signal });
    await toolCall.update({ status: "completed" });
  } catch (error) {
    // When the turn was cancelled, so is the rest of it.
    signal.throwIfAborted();
    await toolCall.fail(error instanceof Error ? error.message : String(error));
  }
}

/** What the user is asked about. */
interface Proposal {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly content: ToolCallContent[];
}

/** Asks the user, unless they have allowed every edit of this session. */
async function mayEdit(
  { sessionId, ...toolCall }: Proposal,
  policy: EditPolicy,
  { client, signal }: AgentContext,
): Promise<boolean> {
  if (policy.mayEdit) return true;
  const { outcome } = await client.session.requestPermission(
    {
      sessionId,
      toolCall,
      options: [
        { optionId: "once", name: "Allow", kind: "allow_once" },
        { optionId: "always", name: "Allow all edits", kind: "allow_always" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    },
    { signal },
  );
  signal.throwIfAborted();
  const choice = outcome.outcome === "selected" ? outcome.optionId : "no";
  policy.mayEdit = choice === "always";
  return choice === "once" || choice === "always";
}
