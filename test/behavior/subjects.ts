import { spawnSync } from "node:child_process";
import { PYTHON, PYTHON_VARIABLES } from "../python/python-env.js";
import { ROOT } from "../support/paths.js";
import type { Subject } from "../../generators/index.js";

const TESTEES = `${ROOT}test/behavior/testees/`;

/** Where the testees in compiled languages are built, outside of their sources. */
const BUILT = process.env["ACP_TESTEES"] ?? `${ROOT}node_modules/.cache/acp-testees`;

/** A program that the behavior corpus is played with. */
export interface TestedSubject {
  readonly language: "TypeScript" | "Python";
  readonly subject: Subject;
  readonly profile: "v1" | "v2";
  readonly command: readonly string[];
}

/** Our bindings in both languages, as agent and as client, in both versions. */
export const OWN_SUBJECTS: readonly TestedSubject[] = (["agent", "client"] as const).flatMap(
  (subject) =>
    (["1", "2"] as const).flatMap((version): TestedSubject[] => [
      {
        language: "TypeScript",
        subject,
        profile: `v${version}`,
        command: [process.execPath, `${TESTEES}${subject}.mjs`, version],
      },
      {
        language: "Python",
        subject,
        profile: `v${version}`,
        command: [PYTHON, `${TESTEES}${subject}.py`, version],
      },
    ]),
);

/** A program on the package of another author, in version 1. */
export interface OtherSubject {
  readonly name: string;
  readonly subject: Subject;
  /** Builds what is needed and returns the command; undefined where the tools are missing. */
  prepare(): readonly string[] | undefined;
}

/** Programs on the packages of other authors. */
export const OTHER_SUBJECTS: readonly OtherSubject[] = [
  ...(["agent", "client"] as const).flatMap((subject): OtherSubject[] => [
    {
      name: "`@agentclientprotocol/sdk`",
      subject,
      prepare: () => [process.execPath, `${TESTEES}sdk-${subject}.mjs`],
    },
    {
      name: "`agent-client-protocol`, Python",
      subject,
      prepare: () =>
        runs(PYTHON, ["-c", "import acp"])
          ? [PYTHON, `${TESTEES}official_${subject}.py`]
          : undefined,
    },
  ]),
  {
    name: "`agent-client-protocol`, Rust",
    subject: "agent",
    prepare: () => {
      const manifest = `${TESTEES}rust/Cargo.toml`;
      const target = ["--target-dir", `${BUILT}/rust`];
      return runs("cargo", ["build", "--quiet", "--locked", "--manifest-path", manifest, ...target])
        ? [`${BUILT}/rust/debug/rust-agent`]
        : undefined;
    },
  },
  {
    name: "`coder/acp-go-sdk`, Go",
    subject: "agent",
    prepare: () => {
      const program = `${BUILT}/go-agent`;
      return runs("go", ["build", "-C", `${ROOT}test/go/libraries`, "-o", program, "./agent"])
        ? [program]
        : undefined;
    },
  },
];

/** Returns whether a program exists and succeeds. */
function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

/** Lets the processes of the corpus import the generated Python package, and keep its bytecode. */
export function usePython(): void {
  Object.assign(process.env, PYTHON_VARIABLES);
}
