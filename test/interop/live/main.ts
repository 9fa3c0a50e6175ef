import { createReadStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { inspect } from "../../../generators/tools/inspect/inspect.js";
import { AGENTS, type LiveAgent } from "./agents.js";
import { CACHE, converse, directly, recordedIn, type Conversation } from "./conversation.js";
import { startModelServer } from "./model-server.js";

// Talks to agents from npm, and once more through `acp-codegen inspect --`, which must not change
// what comes of it: `npm run live`, or `npm run live -- gemini qwen`.

const names = process.argv.slice(2);
const model = await startModelServer();
const rows = [];
for (const name of names.length > 0 ? names : Object.keys(AGENTS)) {
  const agent = AGENTS[name];
  if (agent === undefined) throw new Error(`${name} is none of ${Object.keys(AGENTS).join(", ")}`);
  const { lines, ...row } = await tryAgent(name, agent, model.url);
  console.log([name, ...lines].join("\n  "));
  rows.push({ agent: name, ...row });
}
model.close();
console.table(rows);
process.exitCode = rows.some(({ errors, differences }) => errors + differences > 0) ? 1 : 0;

/** Talks to an agent in both ways, compares what came of it, and inspects the recording. */
async function tryAgent(name: string, agent: LiveAgent, url: string) {
  const plain = await converse(agent, url, directly);
  const path = join(CACHE, `${name}.ndjson`);
  writeFileSync(path, plain.recording);
  writeFileSync(join(CACHE, `${name}.log`), plain.log);

  const file = join(CACHE, `${name}.inspect.ndjson`);
  rmSync(file, { force: true });
  const recorded = await converse(agent, url, recordedIn(file));
  const differences = differencesOf(plain, recorded, readFileSync(file, "utf8"));

  const { rules, messages, repaired, invalid, errors, warnings } = await inspect(
    createReadStream(path),
    { inputs: { profiles: ["v1-unstable"] } },
  );
  const { steps, failures, noise, version } = plain;
  const { defects = [] } = agent;
  const lines = [
    ...failures.map(({ title, text }) => `${title}: ${text}`),
    ...rules.map(({ level, rule, count }) => `${count} x ${level} ${rule}`),
    ...differences.map((text) => `through inspect --: ${text}`),
  ];
  return {
    version,
    passed: `${steps.filter(([, passed]) => passed).length} of ${steps.length}`,
    ...{ messages, repaired, invalid, findings: errors + warnings },
    unlisted: rules.find(({ rule }) => rule === "unknown")?.count ?? 0,
    ...{ noise, errors: failures.filter(({ title }) => !defects.includes(title)).length },
    differences: differences.length,
    lines,
  };
}

/** Returns what the command changed: other outcomes, or a recording that is not what passed. */
function differencesOf(plain: Conversation, recorded: Conversation, file: string): string[] {
  const { steps, failures, noise } = recorded;
  const outcomes = (title: string, mine: unknown, others: unknown): string[] =>
    isDeepStrictEqual(mine, others)
      ? []
      : [`${title}: ${JSON.stringify(mine)}, without it ${JSON.stringify(others)}`];
  return [
    ...outcomes("steps", steps, plain.steps),
    ...outcomes("failures", failures.length, plain.failures.length),
    ...outcomes("noise", noise, plain.noise),
    ...(["client", "agent"] as const).flatMap((side) => {
      const [sent, kept] = [messagesOf(recorded.recording, side), messagesOf(file, side)];
      const index = sent.findIndex((message, at) => !isDeepStrictEqual(message, kept[at]));
      return index < 0 ? [] : [`message ${index + 1} of the ${side} is not in its recording`];
    }),
  ];
}

function messagesOf(recording: string, side: "client" | "agent"): unknown[] {
  const records = recording.split("\n").filter(Boolean);
  return records
    .map((line) => JSON.parse(line))
    .filter(({ from, message }) => from === side && message !== undefined)
    .map(({ message }) => message);
}
