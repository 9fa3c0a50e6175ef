#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { main } from "./program.js";
import { handleSignals } from "./signals.js";

// V8 of Node.js 20 spends as much time on optimizing code as a whole run takes.
if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1000000");

handleSignals();
// A reader that closes the pipe (`| head`) does not end the work.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exitCode = await main(process.argv.slice(2));
