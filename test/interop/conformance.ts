import type { MethodDescriptor } from "acp-bindings";
import type { MessageOracle } from "./message-oracle.js";
import type { Entry, Side } from "./transcript.js";

/** The facts of a transcript, and everything in it that is against the protocol. */
export interface Conformance {
  readonly violations: readonly string[];
  /** How many messages each side sent. */
  readonly counts: Readonly<Record<Side, number>>;
  /** `side kind method` of every call that the protocol knows or that is an extension; the side is who handles it. */
  readonly methods: ReadonlySet<string>;
  readonly updates: ReadonlySet<string>;
  /** The code of every error that each side answered with, in order. */
  readonly errors: Readonly<Record<Side, readonly number[]>>;
}

type Json = Record<string, unknown>;

interface OpenRequest {
  readonly id: unknown;
  readonly from: Side;
  readonly name: string;
  readonly method: MethodDescriptor | undefined;
  /** Why its params are invalid, when they are. */
  readonly mistake: string | undefined;
}

/** Reads a transcript message by message, as a referee who trusts neither side. */
export function checkTranscript(
  transcript: readonly Entry[],
  { methods: known, findMistake }: MessageOracle,
): Conformance {
  const violations: string[] = [];
  const counts = { client: 0, agent: 0 };
  const errors: Record<Side, number[]> = { client: [], agent: [] };
  const methods = new Set<string>();
  const updates = new Set<string>();
  const open: OpenRequest[] = [];

  transcript.forEach(({ from, line }, index) => {
    const report = (text: string): void =>
      void violations.push(`${index} (${from}): ${text}: ${line.slice(0, 200)}`);
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      return report("no JSON");
    }
    counts[from]++;
    for (const mistake of findEnvelopeMistakes(message)) report(mistake);
    const misfit = findMistake(definitionOf(message, from), message) ?? findMistake("", message);
    if (misfit !== undefined) report(misfit);
    if (typeof message["method"] === "string") receiveCall(message, message["method"]);
    else receiveResponse(message);

    function receiveCall({ id, params }: Json, name: string): void {
      const isRequest = id !== undefined;
      const kind = isRequest ? "request" : "notification";
      const side = from === "client" ? "agent" : "client";
      const method = known.find(
        (other) =>
          other.name === name &&
          other.kind === kind &&
          (other.side === side || other.side === "protocol"),
      );
      if (method !== undefined || name.startsWith("_")) methods.add(`${side} ${kind} ${name}`);
      const mistake = method && findMistake(method.params, params);
      if (name === "session/update") updates.add(String(at(at(params, "update"), "sessionUpdate")));
      if (isRequest) {
        if (open.some((other) => other.id === id && other.from === from)) report("id in use");
        open.push({ id, from, name, method, mistake });
        return;
      }
      if (mistake !== undefined) report(mistake);
      if (name === "$/cancel_request") {
        const requestId = at(params, "requestId");
        if (!open.some((other) => other.id === requestId && other.from === from))
          report("cancels nothing");
      } else if (method === undefined && !name.startsWith("_")) report("unknown notification");
    }

    function receiveResponse({ id, result, error }: Json): void {
      const asked = open.findIndex((request) => request.id === id && request.from !== from);
      if (asked < 0) return report("answers nothing");
      const { name, method, mistake } = open.splice(asked, 1)[0]!;
      const code = at(error, "code") as number | undefined;
      if (code !== undefined) errors[from].push(code);
      // Exactly the unknown methods and the invalid params are refused as such.
      const isUnknown = method === undefined && (!name.startsWith("_") || code === -32601);
      if (isUnknown !== (code === -32601)) report(`${name} is answered with ${code}`);
      if ((mistake !== undefined) !== (code === -32602))
        report(`${name} is answered with ${code} (${mistake})`);
      const wrong =
        error !== undefined
          ? findMistake("Error", error)
          : method?.result && findMistake(method.result, result);
      if (wrong !== undefined) report(wrong);
    }
  });
  for (const { name, from } of open) violations.push(`${name} of the ${from} is never answered`);
  return { violations, counts, methods, updates, errors };
}

function at(value: unknown, key: string): unknown {
  return (value as Json | null | undefined)?.[key];
}

/** The rules of JSON-RPC 2.0 for one message. */
function findEnvelopeMistakes(message: Json): string[] {
  const mistakes: string[] = [];
  const keys = Object.keys(message).sort().join();
  const allowed =
    "method" in message
      ? ["jsonrpc,method", "jsonrpc,method,params", "id,jsonrpc,method", "id,jsonrpc,method,params"]
      : ["id,jsonrpc,result", "error,id,jsonrpc"];
  if (!allowed.includes(keys)) mistakes.push(`has the keys ${keys}`);
  if (message["jsonrpc"] !== "2.0") mistakes.push("is not of version 2.0");
  return mistakes;
}

/** The definition of the schema that a message as a whole must fit. */
function definitionOf(message: Json, from: Side): string {
  const prefix = from === "client" ? "Client" : "Agent";
  if (!("method" in message)) return `${prefix}Response`;
  return `${prefix}${"id" in message ? "Request" : "Notification"}`;
}

/** `side kind method` of every call that a table of methods allows; either side handles a protocol's own. */
export function callsOf(methods: readonly MethodDescriptor[]): string[] {
  return methods.flatMap(({ side, kind, name }) =>
    (side === "protocol" ? ["agent", "client"] : [side]).map((by) => `${by} ${kind} ${name}`),
  );
}
