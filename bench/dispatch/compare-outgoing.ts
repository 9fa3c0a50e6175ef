import { pathToFileURL } from "node:url";
import type {
  IsSendable,
  SendableFields,
} from "../../templates/runtime/validate/outgoing-check.js";
import type { Check } from "../../templates/runtime/validate/diagnosis.js";
import { interleave } from "../interleave.js";
import { ourProfile, ourRuntime } from "../paths.js";
import {
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Report,
} from "../report.js";
import { calling } from "../validators/calls.js";
import { loadSamples } from "../validators/samples.js";
import { drawStreamingMix } from "../validators/streaming-mix.js";

const ROUNDS = { warmup: 5, measured: 21 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 100_000;
const GLANCE = "the glance, else the closer look";
const CLOSER = "the closer look alone";
const STRINGIFY = "JSON.stringify alone";

/** The check of messages before they are sent, with its glance and without. */
export async function compareOutgoing(): Promise<Report> {
  const checks = await load<{ readonly [definition: string]: Check }>(
    ourProfile("internal/checks"),
  );
  const { SENDABLE } = await load<{ SENDABLE: SendableFields }>(ourProfile("internal/sendable"));
  const { sendableBy } = await load<{ sendableBy: (table: SendableFields) => IsSendable }>(
    ourRuntime("validate/outgoing-check"),
  );
  const { whyNotSent } = await load<{
    whyNotSent: (check: Check, value: unknown) => readonly unknown[];
  }>(ourRuntime("validate/encode"));
  const isSendable = sendableBy(SENDABLE);
  const messages = drawStreamingMix(loadSamples().valid);
  const contestant = (name: string, check: (definition: string, value: unknown) => boolean) =>
    calling(
      name,
      messages.map(({ def, value }) => ({ check: (given) => check(def, given), value })),
      TURN,
    );
  const isFine = (definition: string, value: unknown): boolean =>
    whyNotSent(checks[definition]!, value).length === 0;
  const standings = interleave(
    [
      contestant(
        GLANCE,
        (name, value) => isSendable(name, checks[name]!, value) || isFine(name, value),
      ),
      contestant(CLOSER, isFine),
      contestant(STRINGIFY, (_, value) => JSON.stringify(value) !== ""),
    ],
    ROUNDS,
  );
  const glanced = messages.filter(({ def, value }) => isSendable(def, checks[def]!, value));
  return {
    title: "Dispatch: the check of an outgoing message of the streaming mix",
    notes: [
      `a glance is enough for ${glanced.length} of ${messages.length} messages`,
      roundsNote(ROUNDS),
    ],
    columns: ["check", ...standingColumns("closer look")],
    rows: standings.map((standing) => [
      standing.name,
      ...standingCells(standing, findStanding(standings, CLOSER)),
    ]),
    goals: [
      {
        what: "an outgoing message is checked in",
        bound: "at most",
        target: 500,
        measured: findStanding(standings, GLANCE).cpu.median * 1e9,
        unit: " ns",
      },
    ],
  };
}

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(path).href)) as T;
}
