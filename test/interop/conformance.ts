import { readFileSync } from "node:fs";
import * as bindings from "acp-bindings/v1";
import type { MethodDescriptor } from "acp-bindings";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ROOT } from "../paths.js";
import type { Entry, Side } from "./transcript.js";

/** What a transcript shows, and everything in it that is against the protocol. */
export interface Conformance {
  readonly violations: readonly string[];
  /** How many messages each side sent. */
  readonly counts: Readonly<Record<Side, number>>;
  /** `side kind method` of every call that the protocol knows, extensions by their names. */
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

const METHODS: readonly MethodDescriptor[] = bindings.METHODS;

const published = JSON.parse(
  readFileSync(`${ROOT}node_modules/@agentclientprotocol/sdk/schema/v1/schema.json`, "utf8"),
) as Published;
const upstream = new Ajv2020({ strict: false, validateFormats: false });
upstream.addSchema(published, "upstream");

interface Published {
  readonly $defs: {
    readonly SessionUpdate: {
      readonly oneOf: readonly { properties: { sessionUpdate: { const: string } } }[];
    };
  };
}

/** Every kind of session update that the published schema knows. */
export const SESSION_UPDATES: readonly string[] = published.$defs.SessionUpdate.oneOf.map(
  ({ properties }) => properties.sessionUpdate.const,
);

/** Reads a transcript message by message, as a referee who trusts neither side. */
export function checkTranscript(transcript: readonly Entry[]): Conformance {
  const violations: string[] = [];
  const counts = { client: 0, agent: 0 };
  const errors: Record<Side, number[]> = { client: [], agent: [] };
  const methods = new Set<string>();
  const updates = new Set<string>();
  const open: OpenRequest[] = [];

  transcript.forEach(({ from, line }, index) => {
    const complain = (text: string): void =>
      void violations.push(`${index} (${from}): ${text}: ${line.slice(0, 200)}`);
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      return complain("no JSON");
    }
    counts[from]++;
    for (const mistake of findEnvelopeMistakes(message, from)) complain(mistake);
    if (typeof message["method"] === "string") receiveCall(message, message["method"]);
    else receiveResponse(message);

    function receiveCall({ id, params }: Json, name: string): void {
      const isRequest = id !== undefined;
      const kind = isRequest ? "request" : "notification";
      const side = from === "client" ? "agent" : "client";
      const method = METHODS.find(
        (other) =>
          other.name === name &&
          other.kind === kind &&
          (other.side === side || other.side === "protocol"),
      );
      if (method !== undefined) methods.add(`${method.side} ${kind} ${name}`);
      else if (name.startsWith("_")) methods.add(`${side} ${kind} ${name}`);
      const mistake = method && findMistake(method.params, params);
      if (name === "session/update") updates.add(String(at(at(params, "update"), "sessionUpdate")));
      if (isRequest) {
        if (open.some((other) => other.id === id && other.from === from)) complain("id in use");
        open.push({ id, from, name, method, mistake });
        return;
      }
      if (mistake !== undefined) complain(mistake);
      if (name === "$/cancel_request") {
        const requestId = at(params, "requestId");
        if (!open.some((other) => other.id === requestId && other.from === from))
          complain("cancels nothing");
      } else if (method === undefined && !name.startsWith("_")) complain("unknown notification");
    }

    function receiveResponse({ id, result, error }: Json): void {
      const asked = open.findIndex((request) => request.id === id && request.from !== from);
      if (asked < 0) return complain("answers nothing");
      const { name, method, mistake } = open.splice(asked, 1)[0]!;
      const code = at(error, "code") as number | undefined;
      if (code !== undefined) errors[from].push(code);
      // Exactly the unknown methods and the invalid params are refused as such.
      const isUnknown = method === undefined && (!name.startsWith("_") || code === -32601);
      if (isUnknown !== (code === -32601)) complain(`${name} is answered with ${code}`);
      if ((mistake !== undefined) !== (code === -32602))
        complain(`${name} is answered with ${code} (${mistake})`);
      const wrong =
        error !== undefined
          ? findMistake("Error", error)
          : method?.result && findMistake(method.result, result);
      if (wrong !== undefined) complain(wrong);
    }
  });
  for (const { name, from } of open) violations.push(`${name} of the ${from} is never answered`);
  return { violations, counts, methods, updates, errors };
}

function at(value: unknown, key: string): unknown {
  return (value as Json | null | undefined)?.[key];
}

/** The rules of JSON-RPC 2.0 for one message, and the envelope definitions of the schema. */
function findEnvelopeMistakes(message: Json, from: Side): string[] {
  const mistakes: string[] = [];
  const keys = Object.keys(message).sort().join();
  const isCall = "method" in message;
  const allowed = isCall
    ? ["jsonrpc,method", "jsonrpc,method,params", "id,jsonrpc,method", "id,jsonrpc,method,params"]
    : ["id,jsonrpc,result", "error,id,jsonrpc"];
  if (!allowed.includes(keys)) mistakes.push(`has the keys ${keys}`);
  if (message["jsonrpc"] !== "2.0") mistakes.push("is not of version 2.0");
  const prefix = from === "client" ? "Client" : "Agent";
  const suffix = isCall ? ("id" in message ? "Request" : "Notification") : "Response";
  const mistake = findMistake(`${prefix}${suffix}`, message) ?? findMistake("", message);
  return mistake === undefined ? mistakes : [...mistakes, mistake];
}

const verdicts = new Map<string, string | undefined>();

/** Why a value does not fit its definition; the two validators must say the same. Without a name: the root. */
function findMistake(definition: string, value: unknown): string | undefined {
  const key = `${definition} ${JSON.stringify(value)}`;
  if (!verdicts.has(key)) verdicts.set(key, judge(definition, value));
  return verdicts.get(key);
}

function judge(definition: string, value: unknown): string | undefined {
  const reference = definition === "" ? "upstream" : `upstream#/$defs/${definition}`;
  const theirs = upstream.validate(reference, value);
  const reason = upstream.errorsText();
  if (definition === "") return theirs ? undefined : `the root does not fit: ${reason}`;
  const validators = bindings as unknown as Record<string, (value: unknown) => boolean>;
  const ours = validators[`validate${definition}`]!(value);
  if (ours !== theirs)
    return `${definition}: ours says ${ours}, upstream's says ${String(theirs)} (${reason})`;
  return ours ? undefined : `${definition} does not fit: ${reason}`;
}
