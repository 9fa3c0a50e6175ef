import { afterEach, describe, expect, test, vi } from "vitest";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { createRandom, type Random } from "../../../../use/samples/random.js";
import { IS_DEEP } from "../../../../support/deep.js";
import { openCore, type OpenCore } from "../open-core.js";
import {
  draw,
  issuesOf,
  methodOf,
  spoil,
  SPOKEN,
  type Message,
  type Side,
  type Version,
} from "./messages.js";

const RUNS = IS_DEEP ? 150 : 2;
const STEPS = 400;
const SEED = process.env["SEED"] ?? "bridge";

/** Two peers that say anything at any time. */
interface Play {
  readonly open: OpenCore;
  readonly random: Random;
  readonly versions: { readonly [side in Side]: Version };
  /** The requests that a side has received and not answered. */
  readonly asked: { readonly [side in Side]: Message[] };
  /** How often each id of a request was sent, less how often it was answered, by its sender. */
  readonly unanswered: { readonly [side in Side]: Map<unknown, number> };
  /** The method of the last request with an id, by its sender. */
  readonly methods: { readonly [side in Side]: Map<unknown, unknown> };
  /** What a side has received that is not valid, or answers nothing. */
  readonly problems: unknown[];
  last: number;
}

function start(seed: string, version: Version): Play {
  return {
    open: openCore(version),
    random: createRandom(`${SEED} ${seed}`),
    versions: { client: version, agent: version === 1 ? 2 : 1 },
    asked: { client: [], agent: [] },
    unanswered: { client: new Map(), agent: new Map() },
    methods: { client: new Map(), agent: new Map() },
    problems: [],
    last: 0,
  };
}

function send({ open }: Play, from: Side, message: unknown): void {
  if (from === "client") open.core.fromClient(message);
  else open.core.fromAgent(message);
}

/** Takes what both sides have received. */
function receive(play: Play, isValid: boolean): void {
  for (const side of ["client", "agent"] as const)
    for (const message of play.open.sent[side].splice(0)) {
      const { id, method } = message;
      const calls = play.methods[side];
      if (isValid) {
        const issues = issuesOf(SPOKEN[play.versions[side]], message, calls.get(id));
        if (issues.length > 0) play.problems.push({ side, message, issues });
      }
      if (method === undefined) {
        const left = (play.unanswered[side].get(id) ?? 0) - 1;
        // An id that cannot be read is answered with null.
        if (left < 0 && id !== null) play.problems.push({ side, answeredTwice: message });
        play.unanswered[side].set(id, left);
      } else if (id !== undefined) play.asked[side].push(message);
    }
}

/** Makes a side say something that its version allows, or a change of it. */
function act(play: Play, isValid: boolean): void {
  const { random, versions, asked } = play;
  const from = random.pick(["client", "agent"] as const);
  const spoken = SPOKEN[versions[from]];
  const change = (value: Json): Json =>
    !isValid && random.chance(0.3) ? spoil(value, random) : value;
  if (random.chance(0.4) && asked[from].length > 0) {
    const index = random.below(asked[from].length);
    const request = asked[from][index]!;
    const isRepeated = !isValid && random.chance(0.2);
    if (!isRepeated) asked[from].splice(index, 1);
    const { id } = request;
    const definition = methodOf(spoken, request["method"], true)?.result;
    if (definition === undefined || random.chance(0.1))
      return send(play, from, { jsonrpc: "2.0", id, error: { code: -32603, message: "No" } });
    const result = change(draw(spoken, definition, random));
    return send(play, from, { jsonrpc: "2.0", id, result });
  }
  const method = random.pick(
    spoken.protocol.methods.filter(
      ({ name, side }) => side !== from && name !== "initialize" && !name.startsWith("proxy/"),
    ),
  );
  const isUpdate = from === "agent" && random.chance(0.6);
  const { name, kind, params } = isUpdate ? methodOf(spoken, "session/update", false)! : method;
  const value = change(draw(spoken, params, random));
  if (kind === "notification")
    return send(play, from, { jsonrpc: "2.0", method: name, params: value });
  const id =
    !isValid && random.chance(0.3)
      ? random.pick([1, "r", null, `bridge-${random.below(30)}`])
      : `${from}-${++play.last}`;
  play.unanswered[from].set(id, (play.unanswered[from].get(id) ?? 0) + 1);
  play.methods[from].set(id, name);
  send(play, from, { jsonrpc: "2.0", id, method: name, params: value });
}

/** Both sides end: everything that waits is answered then. */
function end(play: Play): void {
  play.open.core.agentClosed();
  play.open.core.clientClosed();
  vi.runAllTimers();
}

afterEach(() => void vi.useRealTimers());

describe.each([1, 2] as const)(
  "a client of version %i and an agent that say anything",
  (version) => {
    test.each([true, false])(
      "get one answer to each request (valid: %s)",
      (isValid) => {
        vi.useFakeTimers();
        for (let run = 0; run < RUNS; run++) {
          const play = start(`${version} ${isValid} ${run}`, version);
          for (let step = 0; step < STEPS; step++) {
            act(play, isValid);
            receive(play, isValid);
            if (play.random.chance(0.05)) {
              vi.advanceTimersByTime(play.random.below(2000));
              receive(play, isValid);
            }
          }
          end(play);
          receive(play, isValid);
          const waiting = (["client", "agent"] as const).flatMap((side) =>
            [...play.unanswered[side]].filter(([id, left]) => left > 0 && id !== null),
          );
          expect({ run, problems: play.problems.slice(0, 3), waiting }).toEqual({
            run,
            problems: [],
            waiting: [],
          });
        }
      },
      240_000,
    );
  },
);
