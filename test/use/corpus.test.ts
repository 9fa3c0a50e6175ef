import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildProtocol } from "../../generators/model/build.js";
import { compose } from "../../generators/schema/compose.js";
import { loadSources } from "../../generators/schema/load.js";
import { hasShared, ROOT, SHARED } from "../paths.js";
import { ours, reference, upstream } from "./verdicts.js";

/** A value of a definition, and what somebody knows about it. */
interface Sample {
  readonly def: string;
  readonly value: unknown;
  readonly why: string;
}

/** A message that this project did not write. */
interface Message {
  readonly source: string;
  readonly version: string;
  /** Absent where the mistake is one of JSON-RPC, which is the connection's business. */
  readonly def?: string;
  readonly expect: "valid" | "invalid";
  readonly payloadPath?: string;
  readonly value: unknown;
}

describe.skipIf(!hasShared)("the validators", () => {
  const files = [
    ["valid", true],
    ["invalid", false],
    ["lenient", false],
    ["disagree", undefined],
  ] as const;

  it.each(files)("agree with upstream's schema on every %s value", (name, verdict) => {
    const expected = upstream();
    const samples = read<Sample>(`corpus/${name}.ndjson`);
    expect(samples).not.toEqual([]);
    const wrong = samples.filter(({ def, value }) => {
      const answer = ours(def, value);
      return answer !== expected(def, value) || (verdict !== undefined && answer !== verdict);
    });
    expect(wrong).toEqual([]);
  });

  const messages = hasShared
    ? read<Message>("messages.ndjson").flatMap((message): JudgedMessage[] => {
        const { version, source, def } = message;
        if (version !== "v1" || def === undefined || OUTSIDE.has(def)) return [];
        return [{ source, def, value: payload(message), isValid: message.expect === "valid" }];
      })
    : [];

  it("agree with upstream's schema on every message of the field", () => {
    const expected = upstream();
    expect(messages.length).toBeGreaterThan(100);
    const wrong = messages.filter(({ def, value }) => ours(def, value) !== expected(def, value));
    expect(wrong).toEqual([]);
  });

  it("judge every message of the field as its source does, but for the listed ones", () => {
    const other = messages.filter(({ def, value, isValid }) => ours(def, value) !== isValid);
    const isListed = (message: JudgedMessage): boolean =>
      MISJUDGED.some((row) => isAbout(row, message));
    expect(other.filter((message) => !isListed(message))).toEqual([]);
    const unused = MISJUDGED.filter((row) => !other.some((message) => isAbout(row, message)));
    expect(unused).toEqual([]);
  });
});

/** Definitions that only features add. */
const OUTSIDE: ReadonlySet<string> = new Set(["ForkSessionRequest"]);

/** The part of a message that a definition describes, and what its source says about it. */
interface JudgedMessage {
  readonly source: string;
  readonly def: string;
  readonly value: unknown;
  readonly isValid: boolean;
}

/** A message about which its source is wrong, or right only in another version. */
interface Misjudged {
  readonly source: string;
  /** Tells it from other messages of the same source. */
  readonly contains: string;
  readonly reason: string;
}

const SPECIFICATION = "agentclientprotocol/agent-client-protocol:";

const MISJUDGED: readonly Misjudged[] = [
  {
    source: `${SPECIFICATION}docs/protocol/v1/draft/agent-plan.mdx#block3`,
    contains: '"plan_update"',
    reason: "the variant belongs to a feature",
  },
  {
    source: `${SPECIFICATION}docs/protocol/v1/draft/agent-plan.mdx#block4`,
    contains: '"plan_update"',
    reason: "the variant belongs to a feature",
  },
  {
    source: `${SPECIFICATION}agent-client-protocol-schema/src/v1/client.rs`,
    contains: '"plan_update"',
    reason: "the variant belongs to a feature",
  },
  {
    source: `${SPECIFICATION}agent-client-protocol-schema/src/v1/client.rs`,
    contains: '"plan_removed"',
    reason: "the variant belongs to a feature",
  },
  {
    source: `${SPECIFICATION}agent-client-protocol-schema/src/v1/client.rs`,
    contains: '"severity":"warning"',
    reason: "severity and title are all that the published notice requires",
  },
  {
    source: `${SPECIFICATION}docs/protocol/v1/draft/session-modes.mdx#block4`,
    contains: '"content":[{"type":"text"',
    reason: "a mistake in the documentation: a bare content block as tool call content",
  },
  {
    source: `${SPECIFICATION}docs/protocol/v1/session-setup.mdx#block7`,
    contains: "null",
    reason: "a mistake in the documentation, corrected since: the result is an object, not null",
  },
];

function isAbout(row: Misjudged, { source, value }: JudgedMessage): boolean {
  return row.source === source && JSON.stringify(value).includes(row.contains);
}

describe("every example", () => {
  const { protocols, profiles } = loadSources(join(ROOT, "schema"));

  it.each([...profiles.keys()])("of %s is valid against its definitions", (name) => {
    const profile = profiles.get(name)!;
    const protocol = buildProtocol(
      compose(protocols.get(profile.protocol)!, profile.features),
      profile,
    );
    const fits = reference(protocol.schema);
    const parts = [
      ...protocol.methods.flatMap(({ name: method, params, result, examples }) =>
        examples.flatMap((example) => [
          { of: method, definition: params, value: example.params },
          ...(result === undefined
            ? []
            : [{ of: method, definition: result, value: example.result }]),
        ]),
      ),
      ...protocol.definitions.flatMap(({ name: definition, examples }) =>
        examples.map((value) => ({ of: definition, definition, value })),
      ),
    ];
    expect(parts).not.toEqual([]);
    expect(parts.filter(({ definition, value }) => !fits(definition, value))).toEqual([]);
  });
});

function read<T>(path: string): T[] {
  const text = readFileSync(join(SHARED, "fixtures", path), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** The part of a message that its definition describes. */
function payload({ value, payloadPath }: Pick<Message, "value" | "payloadPath">): unknown {
  if (!payloadPath) return value;
  return payloadPath
    .split(".")
    .reduce<unknown>((part, key) => (part as { [key: string]: unknown } | undefined)?.[key], value);
}
