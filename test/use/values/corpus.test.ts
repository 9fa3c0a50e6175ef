import { describe, expect, it } from "vitest";
import { extraLines, lacksExtras } from "../../support/extras.js";
import { corpus } from "../samples/corpus-lines.js";
import { ours, upstream } from "./verdicts.js";

/** A message that this project did not write. */
interface Message {
  readonly version: string;
  /** Absent where the mistake is one of JSON-RPC, which is the connection's business. */
  readonly def?: string;
  readonly payloadPath?: string;
  readonly value: unknown;
}

describe("the validators", () => {
  const files = [
    ["valid", true],
    ["invalid", false],
    ["lenient", false],
    ["disagree", undefined],
  ] as const;

  it.each(files)("agree with upstream's schema on every %s value", (name, verdict) => {
    const expected = upstream();
    const samples = corpus(name);
    expect(samples).not.toEqual([]);
    const wrong = samples.filter(({ def, value }) => {
      const answer = ours(def, value);
      return answer !== expected(def, value) || (verdict !== undefined && answer !== verdict);
    });
    expect(wrong).toEqual([]);
  });

  const messages = extraLines<Message>("fixtures/messages.ndjson").flatMap((message): Payload[] => {
    const { version, def } = message;
    if (version !== "v1" || def === undefined || OUTSIDE.has(def)) return [];
    return [{ def, value: payload(message) }];
  });

  it.skipIf(lacksExtras("validating the messages of other implementations"))(
    "agree with upstream's schema on every message of the field",
    () => {
      const expected = upstream();
      expect(messages.length).toBeGreaterThan(100);
      const wrong = messages.filter(({ def, value }) => ours(def, value) !== expected(def, value));
      expect(wrong).toEqual([]);
    },
  );
});

/** Definitions that only features add. */
const OUTSIDE: ReadonlySet<string> = new Set(["ForkSessionRequest"]);

/** The part of a message that a definition describes. */
interface Payload {
  readonly def: string;
  readonly value: unknown;
}

/** The part of a message that its definition describes. */
function payload({ value, payloadPath }: Pick<Message, "value" | "payloadPath">): unknown {
  if (!payloadPath) return value;
  return payloadPath
    .split(".")
    .reduce<unknown>((part, key) => (part as { [key: string]: unknown } | undefined)?.[key], value);
}
