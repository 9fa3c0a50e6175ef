import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import { startSubject, type SubjectProcess } from "../processes/subject-process.js";
import { checkOptions, OPTION, type OptionRules } from "../../run/check-options.js";
import { onShutdown } from "../../run/cleanup.js";
import { loadTemplates } from "../../run/inputs/load-templates.js";
import { toolVersion } from "../../run/installation.js";
import { chooseProfile, loadInspector, loadProfile } from "../inspect/load-inspector.js";
import { valueAt, listAt, numberAt, textAt } from "../json-at.js";
import { Failed, Player, type Exchanged } from "../conformance/behavior/play-script.js";
import { findInWire } from "../conformance/behavior/wire-findings.js";
import { REFUSALS } from "../../emit/behavior/expand.js";
import type { Finding, Inspector } from "../inspect/inspector-api.js";

export interface ProbeOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  /** The text of a turn; without it, none is started, since a turn may cost money. */
  readonly prompt?: string;
  /** How long an answer may take, in milliseconds; 10,000 by default, and 60,000 for the first one. */
  readonly timeoutMs?: number;
}

/** Something that the agent was asked to do. */
export interface ProbeStep {
  readonly method: string;
  readonly works: boolean;
  readonly ms: number;
  /** What the answer has, or why there is none. */
  readonly detail: string;
}

export interface ProbeFinding extends Finding {
  /** How often it came. */
  readonly count: number;
}

export interface ProbeResult {
  /** Whether a session can be opened, and the turn has ended if there was a prompt. */
  readonly usable: boolean;
  readonly name?: string;
  readonly version?: string;
  /** The versions of the protocol that the agent agrees to. */
  readonly protocolVersions: readonly number[];
  /** The paths of the capabilities that it advertises. */
  readonly capabilities: readonly string[];
  /** The methods to sign in, by id. */
  readonly authMethods: readonly { readonly id: string; readonly type: string }[];
  /** The ids of its modes and configuration options. */
  readonly modes: readonly string[];
  readonly options: readonly string[];
  readonly steps: readonly ProbeStep[];
  /** How often each kind of update came. */
  readonly updates: { readonly [kind: string]: number };
  /** What the agent has asked for, which was refused, and how often. */
  readonly requests: { readonly [method: string]: number };
  /** What the protocol does not allow in the messages of the agent, each once. */
  readonly findings: readonly ProbeFinding[];
  /** The end of its standard error. */
  readonly errors: string;
}

const RULES: OptionRules<ProbeOptions> = {
  command: { ...OPTION.texts, isRequired: true },
  prompt: OPTION.text,
  timeoutMs: OPTION.time,
};

const TIMEOUT_MS = 10_000;
/** An agent may be downloaded first. */
const START_MS = 60_000;
/** How long an agent may go on after the end of its input, in milliseconds. */
const END_MS = 1000;

/** A session can be asked for these, where the agent advertises them. */
const OPTIONAL: readonly {
  readonly method: string;
  /** The capability in version 1; in version 2, all agents have the method unless it is absent. */
  readonly capability: string;
  readonly versions: readonly number[];
}[] = [
  { method: "session/list", capability: "sessionCapabilities.list", versions: [1, 2] },
  { method: "session/load", capability: "loadSession", versions: [1] },
  { method: "session/resume", capability: "sessionCapabilities.resume", versions: [1, 2] },
  { method: "session/close", capability: "sessionCapabilities.close", versions: [1, 2] },
];

/**
 * Starts an agent and finds out what it advertises, and which features work: versions, a session in a
 * temporary folder, and on request a turn. Every message of it is checked as `inspect` does.
 *
 * @throws TypeError for an option that is unknown, missing or of another type; OutputError when the
 *   program cannot be started
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  checkOptions("probe", options, RULES);
  const templates = loadTemplates();
  const folder = mkdtempSync(join(tmpdir(), "acp-probe-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = onShutdown(remove);
  try {
    const [asked, other, { createInspector }] = await Promise.all([
      ask(options, folder),
      greet(options, 2),
      loadInspector(templates),
    ]);
    const check = async ({ exchanged, protocolVersion }: Greeted): Promise<ProbeFinding[]> => {
      const profile = await loadProfile(chooseProfile({}, protocolVersion), templates);
      return findingsIn(exchanged, createInspector(profile, true));
    };
    const { exchanged: _, protocolVersion, ...result } = asked;
    // An agent that answers the same version has said the same again.
    const isOther = other.protocolVersion !== protocolVersion;
    const versions = [protocolVersion, other.protocolVersion].filter(isVersion);
    return {
      ...result,
      protocolVersions: [...new Set(versions)].sort((a, b) => a - b),
      findings: [...(await check(asked)), ...(isOther ? await check(other) : [])],
    };
  } finally {
    forget();
    remove();
  }
}

/** Returns whether a version is one that clients of today speak. */
function isVersion(version: number | undefined): version is number {
  return version === 1 || version === 2;
}

/** The version that an agent has answered, and all messages. */
interface Greeted {
  readonly protocolVersion: number | undefined;
  readonly exchanged: readonly Exchanged[];
}

type Asked = Omit<ProbeResult, "protocolVersions" | "findings"> & Greeted;

/** Holds a conversation with the agent, in version 1 unless it answers another one. */
async function ask(options: ProbeOptions, folder: string): Promise<Asked> {
  const { prompt } = options;
  const agent = await startSubject(options.command);
  const client = createClient(agent, options);
  const steps: ProbeStep[] = [];
  const step = async (
    method: string,
    params: JsonObject,
    describe: (result: Json) => string | Promise<string>,
  ): Promise<Json | undefined> => {
    const began = performance.now();
    let result: Json | undefined;
    let detail: string;
    try {
      const answer = await client.request(method, params);
      detail = await describe(answer);
      result = answer;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      detail = error.reason;
    }
    const works = result !== undefined;
    steps.push({ method, works, ms: Math.round(performance.now() - began), detail });
    return result;
  };
  try {
    const hello = await step("initialize", initializeParams(1), (result) => {
      const answered = numberAt(result, "protocolVersion");
      if (isVersion(answered)) return "";
      return answered === undefined
        ? "without a protocol version"
        : `protocol version ${answered}, which is neither 1 nor 2`;
    });
    const version = numberAt(hello, "protocolVersion");
    const isV2 = version !== undefined && version >= 2;
    const info = valueAt(hello, isV2 ? "info" : "agentInfo");
    const capabilities = pathsIn(valueAt(hello, isV2 ? "capabilities" : "agentCapabilities"));
    const authMethods = listAt(hello, "authMethods").map((method) => ({
      id: textAt(method, isV2 ? "methodId" : "id"),
      type: textAt(method, "type") || "agent",
    }));
    const place = { cwd: folder, mcpServers: [] };
    const opened =
      hello === undefined
        ? undefined
        : await step("session/new", place, (result) => textAt(result, "sessionId"));
    const sessionId = textAt(opened, "sessionId");
    let usable = isVersion(version) && opened !== undefined && sessionId !== "";
    if (usable && prompt !== undefined) {
      const params = { sessionId, prompt: [{ type: "text", text: prompt }] };
      await step("session/prompt", params, async (result) => {
        if (!isV2) return textAt(result, "stopReason");
        const end = await client.idle();
        return textAt(valueAt(valueAt(end, "params"), "update"), "stopReason");
      });
      usable = steps.at(-1)!.works;
    }
    for (const { method, capability, versions } of usable ? OPTIONAL : []) {
      const isOffered = isV2 || capabilities.some((path) => isBelow(path, capability));
      if (!isOffered || !versions.includes(isV2 ? 2 : 1)) continue;
      const session = method === "session/close" ? { sessionId } : { sessionId, ...place };
      await step(method, method === "session/list" ? {} : session, (result) =>
        method === "session/list" ? `${listAt(result, "sessions").length} in the list` : "",
      );
    }
    return {
      usable,
      protocolVersion: version,
      ...named("name", textAt(info, "name")),
      ...named("version", textAt(info, "version")),
      capabilities,
      authMethods,
      modes: listAt(valueAt(opened, "modes"), "availableModes").map((mode) => textAt(mode, "id")),
      options: listAt(opened, "configOptions").map(
        (option) => textAt(option, "configId") || textAt(option, "id"),
      ),
      steps,
      updates: countIn(client.exchanged, (message) => textAt(updateIn(message), "sessionUpdate")),
      requests: countIn(client.exchanged, (message) =>
        valueAt(message, "id") === undefined ? "" : textAt(message, "method"),
      ),
      errors: agent.errors,
      exchanged: client.exchanged,
    };
  } finally {
    await endAgent(agent);
  }
}

/** Asks an agent for a version, and nothing else. */
async function greet(options: ProbeOptions, version: number): Promise<Greeted> {
  const agent = await startSubject(options.command);
  try {
    const client = createClient(agent, options);
    const result = await client.request("initialize", initializeParams(version)).catch(() => null);
    return { protocolVersion: numberAt(result, "protocolVersion"), exchanged: client.exchanged };
  } finally {
    await endAgent(agent);
  }
}

/** A client that sends any request, and refuses what the agent asks for. */
function createClient(agent: SubjectProcess, { timeoutMs }: ProbeOptions) {
  const limits = { timeoutMs: timeoutMs ?? TIMEOUT_MS, startMs: timeoutMs ?? START_MS };
  const script = { subject: "agent", steps: [], replies: REFUSALS } as const;
  const player = new Player(script, agent, { ...limits, isLenient: true });
  let nextId = 0;
  return {
    exchanged: player.exchanged,
    request: async (method: string, params: JsonObject): Promise<Json> => {
      const id = nextId++;
      await player.play({ send: { id, method, params } });
      const answer = await player.play({ expect: { id, method: { $absent: true } } });
      const error = valueAt(answer as Json, "error");
      if (!isObject(error)) return valueAt(answer as Json, "result") ?? null;
      const text = String(error["message"]);
      const isSignIn = error["code"] === AUTH_REQUIRED;
      throw new Failed(isSignIn ? `sign in first: ${text}` : `${String(error["code"])} ${text}`);
    },
    /** Returns the update with which a turn of version 2 ends. */
    idle: async (): Promise<Json> => {
      const update = { sessionUpdate: "state_update", state: "idle" };
      return (await player.play({
        expect: { method: "session/update", params: { update } },
      })) as Json;
    },
  };
}

/** Counts messages of the agent by a name; those without one are left out. */
function countIn(
  exchanged: readonly Exchanged[],
  nameOf: (message: Json | undefined) => string,
): { readonly [name: string]: number } {
  const counts = new Map<string, number>();
  for (const { from, message } of exchanged) {
    const name = from === "subject" ? nameOf(message) : "";
    if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function updateIn(message: Json | undefined): Json | undefined {
  return textAt(message, "method") === "session/update"
    ? valueAt(valueAt(message, "params"), "update")
    : undefined;
}

/** Returns what is wrong with the messages of the agent, each once. */
function findingsIn(exchanged: readonly Exchanged[], inspector: Inspector): ProbeFinding[] {
  const noise = exchanged
    .filter(({ from, text }) => from === "subject" && text !== undefined)
    .map(({ text }) => ({
      level: "error" as const,
      ...{ rule: "not-json", path: "" },
      message: `the agent wrote ${JSON.stringify(text!.slice(0, 80))} between its messages`,
    }));
  // The end is ours: what an agent has left open then is not its fault.
  const wire = findInWire(exchanged, "agent", inspector, false);
  const found = new Map<string, ProbeFinding>();
  for (const { level, rule, path, message } of [...noise, ...wire]) {
    if (level === "note") continue;
    const key = `${rule} ${path.replace(/\/\d+(?=\/|$)/g, "/*")}`;
    const known = found.get(key) ?? { level, rule, path, message, count: 0 };
    found.set(key, { ...known, count: known.count + 1 });
  }
  return [...found.values()];
}

function initializeParams(version: number): JsonObject {
  const info = { name: "acp-codegen probe", version: toolVersion() };
  return version >= 2
    ? { protocolVersion: version, info, capabilities: {} }
    : { protocolVersion: version, clientInfo: info, clientCapabilities: {} };
}

async function endAgent(agent: SubjectProcess): Promise<void> {
  agent.endInput();
  await agent.ended(END_MS);
  await agent.kill();
}

/** The code of an agent that requires the user to sign in. */
const AUTH_REQUIRED = -32000;

/** Returns the paths of the members of capabilities that say yes. */
function pathsIn(value: Json | undefined, path = ""): string[] {
  if (value === undefined || value === null || value === false) return [];
  const members = isObject(value) ? Object.entries(value).filter(([name]) => name !== "_meta") : [];
  if (members.length === 0) return path === "" ? [] : [path];
  return members.flatMap(([name, member]) =>
    pathsIn(member, path === "" ? name : `${path}.${name}`),
  );
}

function isBelow(path: string, capability: string): boolean {
  return path === capability || path.startsWith(`${capability}.`);
}

function named<Name extends string>(
  name: Name,
  value: string,
): { readonly [key in Name]?: string } {
  return (value === "" ? {} : { [name]: value }) as { readonly [key in Name]?: string };
}
