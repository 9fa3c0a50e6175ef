#!/usr/bin/env node
import { stdio } from "#acp/stdio";
import { agent } from "./agent.js";

// Standard output belongs to the protocol from here on; what is for people goes to standard error.
if (process.stdin.isTTY) {
  console.error("This agent speaks ACP on standard input and output: an editor starts it.");
}

await agent.connect(stdio()).closed;
