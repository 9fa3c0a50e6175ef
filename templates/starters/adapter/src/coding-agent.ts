import type { ToolKind } from "#acp/v1";
import {
  stepCountIs,
  tool,
  ToolLoopAgent,
  type LanguageModel,
  type TextStreamPart,
  type ToolApprovalRequestOutput,
} from "ai";
import { z } from "zod";
import type { Workspace } from "./workspace.js";

export type CodingAgent = ReturnType<typeof createCodingAgent>;

/** A part of what it streams. */
export type StreamPart = TextStreamPart<CodingAgent["tools"]>;

/** The part that stops the stream until the user has consented to a tool call. */
export type ApprovalRequest = ToolApprovalRequestOutput<CodingAgent["tools"]>;

/** What clients are told of each tool; one that is not listed is `other`. */
export const TOOL_KINDS: { readonly [tool: string]: ToolKind } = {
  read_file: "read",
  write_file: "edit",
};

/** The agent itself. It knows nothing of ACP, and could serve a web page as well. */
export function createCodingAgent(model: LanguageModel, workspace: Workspace) {
  return new ToolLoopAgent({
    model,
    instructions: "You are a careful programmer. Read files before you change them.",
    tools: {
      read_file: tool({
        description: "Reads a text file of the project.",
        inputSchema: z.object({ path: z.string() }),
        execute: ({ path }, { abortSignal }) => workspace.read(path, abortSignal),
      }),
      write_file: tool({
        description: "Writes a text file of the project.",
        inputSchema: z.object({ path: z.string(), text: z.string() }),
        // The user is asked before it runs.
        needsApproval: true,
        execute: async ({ path, text }, { abortSignal }) => {
          await workspace.write(path, text, abortSignal);
          return "written";
        },
      }),
    },
    stopWhen: stepCountIs(20),
  });
}
