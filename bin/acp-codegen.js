#!/usr/bin/env node
// Starts the command: compiled in the published package, from its sources in a clone.
import { existsSync, writeSync } from "node:fs";

// Without a file that can be opened, the modules that report errors cannot be loaded either.
process.on("uncaughtExceptionMonitor", ({ code }) => {
  if (code !== "EMFILE" && code !== "ENFILE") return;
  writeSync(2, `error: too many files are open. Raise the limit (ulimit -n) (${code})\n`);
  process.exit(3);
});

const sources = new URL("../generators/cli/main.ts", import.meta.url);
if (existsSync(sources)) {
  const { register } = await import("tsx/esm/api");
  register();
  await import(sources.href);
} else {
  await import("../dist/cli/main.js");
}
