import type { Protocol } from "../../../model/protocol.js";
import { createSamples } from "../../../model/sample/sample.js";
import { updateUnion } from "../../../model/update-union.js";
import { code, joinCode, type Code } from "../../../output/code.js";
import { outputPath } from "../../../output/file.js";
import { perProfile, type Emitter } from "../../emitter.js";
import { printRoles } from "./roles.js";
import { printSamples, printUpdates } from "./samples.js";

/** Samples of messages, and a mock agent and a mock client that answer with them. */
export const mocks: Emitter = {
  name: "mocks",
  summary: "sample values and mocks for tests: an agent and a client that answer every method",
  handshake: "present",
  requires: ["types", "schemas", "roles", "runtime"],
  emit: perProfile((protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "mocks.ts"),
      text: printMocks(protocol),
      language: "typescript",
    },
  ]),
};

function printMocks(protocol: Protocol): Code {
  const samples = createSamples(protocol);
  const union = updateUnion(protocol);
  const updates = union === undefined ? code`{}` : code`UPDATES`;
  const roles = printRoles(protocol, { samples, updates });
  return joinCode(
    [
      joinCode([TYPES, ...(roles === undefined ? [] : [roles.imports])], "\n"),
      printSamples(protocol, samples),
      ...(union === undefined ? [] : [printUpdates(union, samples)]),
      ...(roles === undefined ? [] : [roles.text]),
    ],
    "\n\n",
  );
}

const TYPES = code`import type * as types from "./types.js";`;
