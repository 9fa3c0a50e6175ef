import { rmSync } from "node:fs";
import { format } from "prettier";
import { testBehavior, type BehaviorResult, type Subject } from "../../generators/index.js";
import { buildTestee } from "../go/build-testee.js";
import { HAS_GO } from "../go/toolchain.js";
import { AGENTS } from "../interop/live/agents.js";
import { prepareAgent } from "../interop/live/conversation.js";
import { startModelServer } from "../interop/live/model-server.js";
import { OTHER_SUBJECTS, OWN_SUBJECTS, usePython } from "./subjects.js";

// Prints how many scripts of the behavior corpus each subject passes, which needs
// `npm run build:bindings`, `npm run generate`, the Python packages that `npm run test:system`
// installs, and a compiler for each of the other languages: `npx tsx test/behavior/print-scores.ts [text in the name of a subject ...]`.
// The ids of the scripts that failed, with the reasons, go to standard error. Agents from npm take part when they are named; each is
// installed, and answers with the placeholders of a local server: `npx tsx test/behavior/print-scores.ts claude-agent opencode`.

/** How long a step waits: machines that others share stop processes for seconds. */
const TIMEOUT_MS = 10_000;

interface Row {
  readonly name: string;
  readonly subject: Subject;
  readonly profile: "v1" | "v2";
  readonly prepare: () => readonly string[] | undefined;
  /** Whether it is an agent that nobody prepared for the scripts. */
  readonly isLive?: true;
}

const model = await startModelServer();
const homes: string[] = [];

const SUBJECTS: readonly Row[] = [
  ...OWN_SUBJECTS.map(({ language, subject, profile, command }): Row => ({
    ...{ name: `\`acp-bindings\`, ${language}`, subject, profile, prepare: () => command },
  })),
  ...(["agent", "client"] as const).flatMap((subject) =>
    ([1, 2] as const).map((version): Row => ({
      ...{ name: "`acp-bindings`, Go", subject, profile: `v${version}` },
      prepare: () => (HAS_GO ? [buildTestee(subject, version), String(version)] : undefined),
    })),
  ),
  ...OTHER_SUBJECTS.map((other): Row => ({ ...other, profile: "v1" })),
  ...Object.values(AGENTS).map((agent): Row => {
    const prepare = (): readonly string[] => {
      const { home, cwd, env, command } = prepareAgent(agent, model.url);
      homes.push(home);
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return ["sh", "-c", 'cd "$0" && exec env "$@"', cwd, ...variables, ...command];
    };
    return { name: `\`${agent.id}\``, subject: "agent", profile: "v1", isLive: true, prepare };
  }),
];

const HEAD = ["Subject", "Must: passed", "failed", "Should: passed", "failed", "Not tested"];

usePython();
const wanted = process.argv.slice(2);
const rows: string[][] = [];
for (const row of SUBJECTS) {
  const title = `${row.name}, ${row.subject}, ${row.profile}`;
  const isWanted = wanted.some((text) => title.includes(text));
  if (wanted.length > 0 ? !isWanted : row.isLive) continue;
  const command = row.prepare();
  if (command === undefined) console.error(`${title}: skipped, its tools are missing`);
  else rows.push([title, ...countsOf(await play(row, command, title))]);
}
const lines = [HEAD, HEAD.map((_, index) => (index === 0 ? "---" : "--:")), ...rows];
const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
console.log(await format(table, { parser: "markdown" }));
model.close();
for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 10 });

async function play(
  { subject, profile, isLive }: Row,
  command: readonly string[],
  title: string,
): Promise<BehaviorResult> {
  const options = { subject, inputs: { profiles: [profile] }, command, timeoutMs: TIMEOUT_MS };
  // Processes of an agent share its home, which not every one can do at once.
  const kind = isLive ? { prompt: "Say hello.", jobs: 1 } : { isTestee: true };
  return testBehavior({ ...options, ...kind }, ({ id, level, outcome, reason }) => {
    if (outcome === "failed") console.error(`${title}: ${id} (${level}): ${reason}`);
  });
}

function countsOf({ scripts }: BehaviorResult): string[] {
  const count = (outcome: string, level?: string): string =>
    String(
      scripts.filter((one) => one.outcome === outcome && (level ?? one.level) === one.level).length,
    );
  return [
    ...(["must", "should"] as const).flatMap((level) => [
      count("passed", level),
      count("failed", level),
    ]),
    count("not-tested"),
  ];
}
