import type { ToolKind } from "#acp/v1";
import { stepCountIs, tool, ToolLoopAgent, type LanguageModel, type TextStreamPart } from "ai";
import { z } from "zod";
import type { Workspace } from "./workspace.js";

export type CodingAgent = ReturnType<typeof createCodingAgent>;

/** A part of its stream. */
export type StreamPart = TextStreamPart<CodingAgent["tools"]>;

/** The kind of each tool for the client; a tool that is not listed is `other`. */
export const TOOL_KINDS: { readonly [tool: string]: ToolKind } = {
  read_file: "read",
  write_file: "edit",
};

/** Creates the agent itself. It does not depend on ACP, and could serve a web page as well. */
export function createCodingAgent(model: LanguageModel, workspace: Workspace) {
  return new ToolLoopAgent({
    model,
    instructions: "You are a careful programmer. Read files before you change them.",
    tools: {
      read_file: tool({
        description: "Reads a text file of the project.",
        inputSchema: z.object({ path: z.string() }),
        execute: ({ path }) => workspace.read(path),
      }),
      write_file: tool({
        description: "Writes a text file of the project.",
        inputSchema: z.object({ path: z.string(), text: z.string() }),
        // The user is asked before it runs.
        needsApproval: true,
        execute: async ({ path, text }) => {
          await workspace.write(path, text);
          return "written";
        },
      }),
    },
    stopWhen: stepCountIs(20),
  });
}
