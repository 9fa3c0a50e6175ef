#!/usr/bin/env node
// Starts the command: compiled in the published package, from its sources in a clone.
import { existsSync } from "node:fs";

const sources = new URL("../generators/cli/main.ts", import.meta.url);
if (existsSync(sources)) {
  const { register } = await import("tsx/esm/api");
  register();
  await import(sources.href);
} else {
  await import("../dist/cli/main.js");
}
