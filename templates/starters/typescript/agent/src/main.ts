#!/usr/bin/env node
import { parseArgs } from "node:util";
import { stdio } from "#acp/stdio";
import { agent } from "./agent.js";
import { serve } from "./serve.js";

const { values } = parseArgs({ options: { remote: { type: "string" } } });

if (values.remote !== undefined) {
  serve(Number(values.remote));
} else {
  // Standard output belongs to the protocol from here on; what is for people goes to standard error.
  if (process.stdin.isTTY) {
    console.error("This agent speaks ACP on standard input and output: an editor starts it.");
  }
  await agent.connect(stdio()).closed;
}
