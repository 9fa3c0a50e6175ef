import { readFileSync } from "node:fs";
import * as z from "zod/v4";
import { buildProtocol } from "../../generators/model/build/build.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { compose } from "../../generators/schema/compose/compose.js";
import { interleave } from "../interleave.js";
import { upstreamSchema } from "../paths.js";
import { cpuRatio, findStanding, formatRatio, roundsNote, type Report } from "../report.js";
import { calling } from "./calls.js";
import { loadGenerated } from "./generate-code.js";
import type { Check } from "./libraries.js";

const ROUNDS = { warmup: 6, measured: 61 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 40_000;
const MESSAGES = 500;

/** Whether a message costs more when its variant stands at the end of its union. */
export async function comparePositions(): Promise<Report> {
  const tags = updateTags();
  const code = await loadGenerated(
    protocolWith(tags),
    ["types", "validators", "decoders", "package"],
    "decoders",
  );
  const decode = code["decodeMessage"] as (value: unknown) => { readonly ok: boolean };
  const zod = zodWith(tags);
  const checks: [name: string, check: Check][] = [
    ["ours, decode", (value) => decode(value).ok],
    ["zod, as the SDK's generator prints it", (value) => zod.safeParse(value).success],
  ];
  const places = [0, Math.floor(tags.length / 2), tags.length - 1];
  const nameOf = (name: string, place: number): string => `${name}: ${tags[place]!}`;
  const standings = interleave(
    checks.flatMap(([name, check]) =>
      places.map((place) => {
        const calls = messagesWith(tags[place]!).map((value) => ({ check, value }));
        return calling(nameOf(name, place), calls, TURN);
      }),
    ),
    ROUNDS,
  );
  const timesFirst = (name: string, place: number): number =>
    cpuRatio(
      findStanding(standings, nameOf(name, place)),
      findStanding(standings, nameOf(name, 0)),
    );
  return {
    title: "Validators: the place of a variant in its union",
    notes: [
      `a union of ${tags.length} variants with the tags of session updates and one body, compiled for this`,
      roundsNote(ROUNDS),
    ],
    columns: ["validator", "place", "tag", "CPU per message", "times the first"],
    rows: checks.flatMap(([name]) =>
      places.map((place) => [
        name,
        `${place + 1}`,
        tags[place]!,
        `${(findStanding(standings, nameOf(name, place)).cpu.median * 1e9).toFixed(1)} ns`,
        formatRatio(timesFirst(name, place)),
      ]),
    ),
    goals: [
      {
        what: "decode of the last variant, times the first",
        bound: "at most",
        target: 1.1,
        measured: timesFirst(checks[0]![0], places.at(-1)!),
        unit: "×",
      },
    ],
  };
}

/** The tags of session updates, in their order. */
function updateTags(): string[] {
  const { $defs } = JSON.parse(readFileSync(upstreamSchema(), "utf8")) as {
    $defs: {
      SessionUpdate: { oneOf: { properties: { sessionUpdate: { const: string } } }[] };
    };
  };
  return $defs.SessionUpdate.oneOf.map(({ properties }) => properties.sessionUpdate.const);
}

function messagesWith(tag: string): unknown[] {
  return Array.from({ length: MESSAGES }, (_, index) => {
    const content = { type: "text", text: `Part ${index} of a longer answer` };
    const update = { sessionUpdate: tag, content, messageId: `message_${index}` };
    // Parsed, since the strings of a literal are compared faster.
    return JSON.parse(JSON.stringify({ sessionId: `session_${index}`, update })) as unknown;
  });
}

function protocolWith(tags: readonly string[]): Protocol {
  const text = { title: "Positions", description: "A union of variants that are all the same." };
  const string = { type: "string" };
  const definitions = {
    Text: {
      description: "Text.",
      type: "object",
      properties: { type: string, text: string },
      required: ["type", "text"],
    },
    Body: {
      description: "What every variant holds.",
      type: "object",
      properties: { content: { $ref: "#/$defs/Text" }, messageId: string },
      required: ["content"],
    },
    Update: {
      description: "One of the variants.",
      oneOf: tags.map((tag) => ({
        description: `The variant ${tag}.`,
        type: "object",
        properties: { sessionUpdate: { type: "string", const: tag } },
        required: ["sessionUpdate"],
        allOf: [{ $ref: "#/$defs/Body" }],
      })),
      discriminator: { propertyName: "sessionUpdate" },
    },
    Message: {
      description: "A message.",
      type: "object",
      properties: { sessionId: string, update: { $ref: "#/$defs/Update" } },
      required: ["sessionId", "update"],
    },
  };
  const area = { ...text, file: "positions.json", area: "positions", definitions, methods: [] };
  const upstream = { package: "positions", release: "1.0.0", digests: {} };
  const bundle = compose(
    {
      ...text,
      file: "protocol.json",
      name: "v1",
      number: 1,
      upstream,
      modules: [area],
      features: new Map(),
    },
    [],
  );
  return buildProtocol(bundle, { ...text, name: "positions" });
}

function zodWith(tags: readonly string[]): z.ZodType {
  const content = z.object({ type: z.string(), text: z.string() });
  const body = z.object({ content, messageId: z.string().optional() });
  const variants = tags.map((tag) => body.and(z.object({ sessionUpdate: z.literal(tag) })));
  return z.object({ sessionId: z.string(), update: z.union(variants) });
}
