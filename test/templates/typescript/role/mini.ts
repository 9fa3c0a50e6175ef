import type { Checks, MethodDescriptor } from "../../../../templates/typescript/runtime/methods.js";
import { REQUIRED, type Check } from "../../../../templates/typescript/runtime/validate/check.js";

/** A small protocol with every kind of method and gate that the runtime treats in its own way. */
export const METHODS: readonly MethodDescriptor[] = [
  {
    name: "initialize",
    side: "agent",
    kind: "request",
    params: "Initialize",
    result: "Initialized",
    handler: ["initialize"],
    gate: { kind: "always", reason: "baseline" },
  },
  {
    name: "work/do",
    side: "agent",
    kind: "request",
    params: "Text",
    result: "Text",
    handler: ["work", "do"],
    gate: { kind: "always", reason: "baseline" },
  },
  {
    name: "work/more",
    side: "agent",
    kind: "request",
    params: "Text",
    result: "Text",
    handler: ["work", "more"],
    gate: {
      kind: "capability",
      side: "agent",
      path: ["agentCapabilities", "work", "more"],
      test: "present",
      strength: "must",
    },
  },
  {
    name: "both",
    side: "client",
    kind: "request",
    params: "Initialize",
    result: "Initialized",
    handler: ["both"],
    gate: { kind: "always", reason: "optional" },
  },
  {
    name: "both",
    side: "agent",
    kind: "notification",
    params: "Initialize",
    handler: ["bothNotification"],
    gate: { kind: "always", reason: "optional" },
  },
  {
    name: "both",
    side: "agent",
    kind: "request",
    params: "Text",
    result: "Text",
    handler: ["both"],
    gate: { kind: "always", reason: "optional" },
  },
  {
    name: "work/stop",
    side: "agent",
    kind: "notification",
    params: "Text",
    handler: ["work", "stop"],
    gate: { kind: "always", reason: "baseline" },
  },
  {
    name: "tell",
    side: "client",
    kind: "notification",
    params: "Text",
    handler: ["tell"],
    gate: { kind: "always", reason: "baseline" },
  },
  {
    name: "choose",
    side: "client",
    kind: "request",
    params: "Text",
    result: "Text",
    handler: ["choose"],
    gate: {
      kind: "key",
      side: "client",
      path: ["clientCapabilities", "choose"],
      key: "params.mode",
      strength: "must",
    },
  },
];

const versioned: Check = {
  is: () => false,
  node: () => ["object", [["protocolVersion", ["number"], REQUIRED]], true],
};

/** The values that the messages of the mini protocol carry. */
export const CHECKS: Checks = {
  Initialize: versioned,
  Initialized: versioned,
  Text: {
    is: () => false,
    node: () => [
      "object",
      [
        ["text", ["string"], REQUIRED],
        ["mode", ["any"]],
      ],
    ],
  },
};
