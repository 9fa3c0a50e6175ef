import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect } from "vitest";
import { loadProtocols } from "../generators/model/parts/profiles.js";
import { runCommand } from "../generators/cli/run-command.js";
import { IS_DEEP } from "../support/deep.js";
import { EDGE_VERDICTS, verdictRequests, verdictsIn } from "../support/edge-verdicts.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildCodec, testedDefinitions } from "./build-codec.js";
import { goTest, isSkipped } from "./go-test.js";

/** A build takes ten seconds for each profile; the others have parts of the two full ones. */
const tried = loadProtocols().filter(({ profile }) => IS_DEEP || profile === "v2-full");
const folder = temporaryFolder();

describe.each(tried.map(({ profile }) => profile))("the Go module of %s", (profile) => {
  let program = "";
  beforeAll(() => {
    if (!isSkipped) program = buildCodec(folder, tried);
  }, 600_000);

  /** Compares the codec and returns what the command prints. */
  async function compare(op: string, every: number): Promise<string> {
    const flags = ["--profile", profile, "--op", op, "--every", String(IS_DEEP ? 1 : every)];
    const { out } = await runCommand(["conformance", "codec", ...flags, "--all", "--", program]);
    return out;
  }

  goTest.each(["decode", "validate"])(
    "gives the verdict, value, notes and issues of TypeScript: %s",
    async (op) => {
      expect(await compare(op, 61)).toMatch(
        /^\S+ \w+: \d{3,} cases, 0 differences in verdict or value, 0 in notes or issues only\n(\d+ that the codec does not represent, which is allowed\n)?\d+ unsupported\n?$/,
      );
    },
    600_000,
  );

  goTest("gives the verdicts at the edges of definitions", () => {
    const protocol = tried.find((one) => one.profile === profile)!;
    const definitions = testedDefinitions(protocol);
    const asked = EDGE_VERDICTS.filter(
      (one) => one.profile === profile && definitions.includes(one.definition),
    );
    const out = execFileSync(program, { input: verdictRequests(asked), encoding: "utf8" });
    expect(verdictsIn(out)).toEqual(asked.map(({ isValid }) => isValid));
  });

  goTest(
    "sends what TypeScript sends, but for numbers that not every language has",
    async () => {
      expect(await compare("encode", 61)).toMatch(
        /: \d{3,} cases, 0 differences in verdict or value, \d+ in notes or issues only\n(\d+ that the codec does not represent, which is allowed\n)?\d+ unsupported\n?$/,
      );
    },
    600_000,
  );
});
