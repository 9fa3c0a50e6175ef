import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { packageOf } from "../../generators/emit/go/names.js";
import { createSamples } from "../../generators/model/sample/sample.js";
import { loadProfile } from "../generators/emit/site/small-site.js";
import { FUZZ, IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { testedDefinitions, testedFiles } from "./build-codec.js";
import { goTest } from "./go-test.js";
import { MODULE, run, runGo, writeOverlay } from "./toolchain.js";

/** A number of texts, so that a busy machine tries as many as others do, or a time. */
const WORK = FUZZ !== undefined ? `${FUZZ}x` : IS_DEEP ? "120s" : "5000x";
const folder = temporaryFolder();

goTest.each(IS_DEEP ? ["v1-full", "v2-full"] : ["v1-full"])(
  "Go's fuzzer finds no text that is decoded, validated or sent otherwise than by TypeScript: %s",
  (profile) => {
    const protocol = loadProfile(profile);
    const fuzz = readFileSync(join(ROOT, "test/go/fuzz_test.go.txt"), "utf8");
    const files = {
      ...testedFiles([protocol]),
      "fuzz/fuzz_test.go": fuzz.replaceAll("/acpv1", `/${packageOf(profile)}`),
    };
    const program = join(folder, "fuzz.test");
    const overlay = ["-overlay", writeOverlay(folder, files)];
    // Without the flag, the fuzzer would not know which inputs reach new code.
    const args = [
      "test",
      "-c",
      "-vet=off",
      "-fuzz",
      "FuzzCodec",
      ...overlay,
      "-o",
      program,
      "./fuzz",
    ];
    expect(runGo(args, { cwd: MODULE })).toMatchObject({ code: 0, err: "" });

    const { typical, full } = createSamples(protocol);
    const seeds = testedDefinitions(protocol).flatMap((name) =>
      [typical(name), full(name)].map((value) => `${name} ${JSON.stringify(value)}\n`),
    );
    writeFileSync(join(folder, "seeds"), seeds.join(""));
    const loader = `${ROOT}node_modules/tsx/dist/loader.mjs`;
    const oracle = [process.execPath, "--import", loader, `${ROOT}test/go/fuzz-oracle.ts`, profile];
    const flags = {
      run: "^$",
      fuzz: "FuzzCodec",
      fuzztime: WORK,
      fuzzcachedir: join(folder, "cache"),
      parallel: "2",
    };
    const found = run(
      program,
      Object.entries(flags).map(([name, value]) => `-test.${name}=${value}`),
      { cwd: folder, env: { ORACLE: oracle.join(" "), SEEDS: join(folder, "seeds") } },
    );
    console.info(`fuzz: ${WORK}, ${found.err.trim().split("\n").at(-1)}`);
    expect(found.out).toMatch(/^PASS$/m);
    // Before that, the samples alone are compared.
    expect(found.err).toContain("now fuzzing");
    expect(found.code).toBe(0);
  },
  3_600_000,
);
