#!/usr/bin/env node
import { stdio } from "#acp/stdio";
import { createAdapter } from "./adapter.js";

if (process.stdin.isTTY) {
  console.error("This agent speaks ACP on standard input and output: an editor starts it.");
}

// The name of a model goes to the AI Gateway, which wants AI_GATEWAY_API_KEY; a model of any AI SDK
// provider fits as well. See https://ai-sdk.dev/docs/foundations/providers-and-models.
const model = process.env["MODEL"] ?? "anthropic/claude-sonnet-4.5";
const contextWindow = Number(process.env["CONTEXT_WINDOW"] ?? 200_000);

await createAdapter({ model, contextWindow }).connect(stdio()).closed;
