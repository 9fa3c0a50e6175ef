import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { listFeatures } from "../../../../generators/run/features.js";
import { resolveInputs } from "../../../../generators/run/inputs/select-profiles.js";
import type { Selection } from "../../../../generators/run/options.js";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import { diffSchemas } from "../../../../generators/schema/compare/diff.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { methodFacts } from "../../../../generators/schema/source/sources.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { composed, sources } from "../../schema/canonical.js";
import { PUBLISHED, REFERENCE } from "../../../reference/reference.js";

const SCHEMA = join(ROOT, "schema");
const folder = temporaryFolder();

/** The one input that the options ask for. */
function resolved(options: Selection): {
  readonly name: string;
  readonly features: string[];
  readonly schema: JsonSchema;
} {
  const [input] = resolveInputs(options, SCHEMA);
  return {
    name: input!.profile.name,
    features: input!.bundle.features.map(({ name }) => name),
    schema: publishSchema(input!.bundle),
  };
}

function errorText(options: Selection): string {
  try {
    resolveInputs(options, SCHEMA);
  } catch (error) {
    if (error instanceof InputError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return "nothing";
}

function write(name: string, document: unknown): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

/** A feature that a user might propose. */
const PROPOSAL = {
  $schema: "feature.schema.json",
  name: "test_pin",
  protocol: "v1",
  title: "Pinned sessions",
  description: "Lets a client pin a session so that it is listed first.",
  status: "proposed",
  methods: [
    {
      name: "test/pin",
      side: "agent",
      kind: "request",
      params: "TestPinRequest",
      result: "TestPinResponse",
      gate: { agent: "agentCapabilities.sessionCapabilities.testPin" },
      summary: "Pins a session.",
      description: "The client asks the agent to list the session first.",
      examples: [{ title: "Pin", params: { sessionId: "s" }, result: {} }],
    },
  ],
  $defs: {
    TestPinCapabilities: { description: "Marks support.", type: "object", "x-meta": true },
    TestPinRequest: {
      description: "Which session to pin.",
      type: "object",
      properties: { sessionId: { $ref: "#/$defs/SessionId", description: "The session." } },
      required: ["sessionId"],
    },
    TestPinResponse: { description: "The session is pinned.", type: "object", "x-meta": true },
  },
  add: {
    SessionCapabilities: {
      properties: {
        testPin: {
          anyOf: [{ $ref: "#/$defs/TestPinCapabilities" }, { type: "null" }],
          description: "Supports pins.",
        },
      },
    },
  },
};

describe("a custom selection", () => {
  test("is a protocol version with features", () => {
    const { name, features } = resolved({ protocol: "v1", with: ["nes", "session_fork"] });
    expect(name).toBe("v1-custom");
    expect(features).toEqual(["nes", "session_fork"]);
  });

  test("or a profile with and without features, under a name of its own", () => {
    const { name, features } = resolved({
      profiles: ["v1-unstable"],
      with: ["nes"],
      without: ["session_status"],
      name: "mine",
    });
    expect(name).toBe("mine");
    expect(features).toContain("nes");
    expect(features).not.toContain("session_status");
  });

  test("accepts a feature file from any folder, like a built-in one", () => {
    const file = write("pin.json", PROPOSAL);
    const [input] = resolveInputs({ protocol: "v1", with: [file, "session_fork"] }, SCHEMA);
    const protocol = buildProtocol(input!.bundle, input!.profile);
    expect(protocol.methods.find(({ name }) => name === "test/pin")?.gate).toMatchObject({
      kind: "capability",
      test: "present",
    });
    expect(protocol.features.map(({ name }) => name)).toEqual(["session_fork", "test_pin"]);
  });

  const refused: readonly [what: string, options: () => Selection, message: string][] = [
    [
      "an unknown feature, with the nearest name",
      () => ({ protocol: "v1", with: ["session_forks"] }),
      'usage: v1 has no feature "session_forks". Did you mean "session_fork"?',
    ],
    [
      "features without a protocol version",
      () => ({ with: ["nes"] }),
      "usage: --with, --without and --name require a profile or protocol version. Add --profile or --protocol.",
    ],
    [
      "two profiles at once",
      () => ({ profiles: ["v1", "v2"], with: ["nes"] }),
      "usage: features can be added to one profile or protocol version only",
    ],
    [
      "leaving out what is not on",
      () => ({ protocol: "v1", without: ["nes"] }),
      'usage: the feature "nes" is not on, so it cannot be turned off',
    ],
    [
      "a missing requirement",
      () => ({ protocol: "v1", with: ["nes_ide_actions"] }),
      'the feature "nes_ide_actions" needs the feature "nes"',
    ],
    [
      "an unknown protocol version",
      () => ({ protocol: "v3" }),
      'usage: unknown protocol version "v3"',
    ],
    [
      "a feature file of another version",
      () => ({ protocol: "v2", with: [write("pin.json", PROPOSAL)] }),
      'the feature "test_pin" is for v1, not for v2. Use --protocol v1.',
    ],
    [
      "a feature file that is not there",
      () => ({ protocol: "v1", with: ["./nowhere.json"] }),
      "usage: ./nowhere.json does not exist",
    ],
    [
      "a feature file with the name of a built-in one",
      () => ({ protocol: "v1", with: [write("fork.json", { ...PROPOSAL, name: "session_fork" })] }),
      'the feature "session_fork" already exists in schema/v1/features/session_fork.json',
    ],
    [
      "a feature that redefines something",
      () => ({
        protocol: "v1",
        with: [
          write("redefine.json", {
            ...PROPOSAL,
            $defs: { ...PROPOSAL.$defs, SessionId: { description: "Mine.", type: "string" } },
          }),
        ],
      }),
      'the definition "SessionId" is already in schema/shared/session.json',
    ],
    [
      "two features that clash",
      () => ({
        protocol: "v1",
        with: [write("pin.json", PROPOSAL), write("pin2.json", { ...PROPOSAL, name: "other_pin" })],
      }),
      'the request "test/pin" handled by the agent is already in',
    ],
    [
      "features that require each other in a circle",
      () => ({
        protocol: "v1",
        with: [write("a.json", { ...PROPOSAL, requires: ["test_pin"] })],
      }),
      `schema: ${join(relative(process.cwd(), folder), "a.json")}#/requires: the feature "test_pin" requires itself. Remove`,
    ],
    [
      "a name that is no folder",
      () => ({ protocol: "v1", name: "../evil" }),
      'usage: "../evil" is not a profile name',
    ],
    ...["runtime", "stdio", "agent", "session", "nes", "conformance", "bridge"].map(
      (name): [string, () => Selection, string] => [
        `${name}, a name that the package needs`,
        () => ({ protocol: "v1", name }),
        `usage: the profile name "${name}" is taken by the generated package`,
      ],
    ),
    [
      "the name of another protocol version",
      () => ({ protocol: "v1", with: ["nes"], name: "v2" }),
      'usage: the profile name "v2" stands for v2, but the profile is of v1. Choose another --name.',
    ],
    [
      "the name of another protocol version for an imported schema",
      () => ({
        schema: write("name.json", { $defs: { A: { type: "string" } } }),
        protocol: "v1",
        name: "v3-draft",
      }),
      'usage: the profile name "v3-draft" stands for v3, but the profile is of v1',
    ],
    [
      "the name of a profile with other features",
      () => ({ protocol: "v1", with: ["nes"], name: "v1" }),
      'usage: the profile name "v1" is that of a profile with other features',
    ],
    [
      "tool, a name that the site needs",
      () => ({ protocol: "v1", name: "tool" }),
      'usage: the profile name "tool" is taken by the generated site',
    ],
    ...["con", "prn", "aux", "nul", "com1", "lpt9"].map(
      (name): [string, () => Selection, string] => [
        `${name}, the name of a device`,
        () => ({ protocol: "v1", name }),
        `usage: the profile name "${name}" names a device on Windows`,
      ],
    ),
    [
      "a name with an upper-case letter",
      () => ({ protocol: "v1", name: "Mine" }),
      'usage: "Mine" is not a profile name',
    ],
    [
      "features for a schema of its own",
      () => ({ protocol: "v1", schema: "s.json", with: ["nes"] }),
      "usage: --schema excludes --profile, --with and --without",
    ],
    [
      "--meta without --schema",
      () => ({ meta: "meta.json" }),
      "usage: --meta, --methods, --allow, --allow-unknown-keywords, --root-name and --ref require --schema",
    ],
    [
      "an example that does not fit",
      () => ({
        protocol: "v1",
        with: [
          write("example.json", {
            ...PROPOSAL,
            methods: [
              {
                ...PROPOSAL.methods[0],
                examples: [{ title: "x", params: { sessionId: 5 }, result: {} }],
              },
            ],
          }),
        ],
      }),
      "#/methods/0/examples/0/params/sessionId: the example does not fit TestPinRequest: it must be string",
    ],
    [
      "a trait that does not exist",
      () => ({
        protocol: "v1",
        with: [
          write("trait.json", {
            ...PROPOSAL,
            methods: [{ ...PROPOSAL.methods[0], traits: ["pins-session"] }],
          }),
        ],
      }),
      '#/methods/0/traits/0: "pins-session" is not one of the allowed values. Allowed: starts-turn, ',
    ],
    [
      "a result after a cancellation that does not fit",
      () => ({
        protocol: "v1",
        with: [
          write("cancelled.json", {
            ...PROPOSAL,
            methods: [{ ...PROPOSAL.methods[0], cancelledResult: { _meta: 5 } }],
          }),
        ],
      }),
      "#/methods/0/cancelledResult/_meta: the cancelledResult does not fit TestPinResponse: it must be object",
    ],
    [
      "an implied result of a notification",
      () => {
        const { result: _, ...method } = PROPOSAL.methods[0]!;
        const notification = { ...method, kind: "notification", impliedResult: {} };
        return {
          protocol: "v1",
          with: [write("implied.json", { ...PROPOSAL, methods: [notification] })],
        };
      },
      '#/methods/0/impliedResult: "test/pin" has impliedResult, but no result. Remove it',
    ],
    [
      "a reference to a file",
      () => ({
        protocol: "v1",
        with: [
          write("file.json", {
            ...PROPOSAL,
            $defs: {
              ...PROPOSAL.$defs,
              TestPinResponse: { description: "x", $ref: "other.json#/x" },
            },
          }),
        ],
      }),
      '"other.json#/x" does not have the form',
    ],
  ];
  test.each(refused)("refuses %s", (_, options, message) => {
    expect(errorText(options())).toContain(message);
  });
});

describe("a schema in the published format", () => {
  test.each(PUBLISHED)("is structurally equal to %s", (profile) => {
    const { protocol, features } = sources.profiles.get(profile)!;
    const own = composed(protocol, features);
    const [input] = resolveInputs({ schema: join(REFERENCE, `${profile}.json`), protocol }, SCHEMA);
    expect(diffSchemas(publishSchema(own), publishSchema(input!.bundle))).toEqual([]);
    const key = ({ side, kind, name, params, result }: (typeof own.methods)[0]): string =>
      [side, kind, name, params, result].join(" ");
    const facts = ({ methods }: typeof own): string[] =>
      methods.map((method) => JSON.stringify([key(method), methodFacts(method)])).sort();
    expect(facts(input!.bundle)).toEqual(facts(own));
    expect(input!.bundle.methods.map(key).sort()).toEqual(own.methods.map(key).sort());
    const model = buildProtocol(input!.bundle, input!.profile);
    expect(model.methods.every(({ gate }) => gate === undefined)).toBe(true);
    const shapes = buildProtocol(own, sources.profiles.get(profile)!).definitions.map(
      ({ name, shape }) => [name, shape.kind],
    );
    expect(model.definitions.map(({ name, shape }) => [name, shape.kind])).toEqual(shapes);
  });

  test("takes the protocol version from meta.json", () => {
    const meta = write("meta.json", { version: 1, agentMethods: {} });
    expect(resolved({ schema: join(REFERENCE, "v1.json"), meta: meta }).name).toBe("v1");
  });

  test("is imported without an unknown keyword that is allowed", () => {
    const file = write("s.json", { $defs: { Thing: { type: "object", fancy: 1 } } });
    const { schema } = resolved({
      protocol: "v1",
      schema: file,
      allowUnknownKeywords: ["fancy"],
    });
    expect(schema.$defs!["Thing"]).toEqual({ type: "object" });
  });
});

describe("the list of features", () => {
  test("has status, proposal, methods and requirements", () => {
    const fork = listFeatures(SCHEMA, "v1").find(({ name }) => name === "session_fork");
    expect(fork).toMatchObject({
      status: "unstable",
      methods: ["session/fork"],
      definitions: 3,
      profiles: ["v1-unstable", "v1-full"],
    });
    expect(fork?.proposal).toMatch(/^https:\/\//);
    const files = ["v1", "v2"].flatMap((version) =>
      readdirSync(join(SCHEMA, version, "features")).map((file) => file.replace(".json", "")),
    );
    expect(new Set(listFeatures(SCHEMA).map(({ name }) => name))).toEqual(new Set(files));
  });
});
