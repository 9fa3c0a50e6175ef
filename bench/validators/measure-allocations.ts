import { memoryUsage } from "node:process";
import type { ZodType } from "zod/v4";
import { ourDecoders, ourValidators, sdkZod } from "../paths.js";
import { AJV, DECODERS, importFile, loadAjv, OURS, ZOD } from "./libraries.js";
import { loadSamples } from "./samples.js";
import { drawStreamingMix, type Message } from "./streaming-mix.js";

export interface Allocations {
  /** Bytes per message, by name. */
  readonly bytes: { readonly [name: string]: number };
  readonly messages: number;
  /** Messages that are decoded with a note, since something in them is not known. */
  readonly noted: number;
}

type Work = (value: unknown) => unknown;

/** Passes that let the engine optimize first. */
const WARMUP = 40;
const PASSES = 25;
/** Messages between two collections: what zod allocates for them fits into the young generation. */
const BATCH = 500;

/** What was made last, so that it cannot be optimized away. */
const kept: unknown[] = Array.from({ length: 64 });
const nothing = Object.freeze([]);
const messages = drawStreamingMix(loadSamples().valid);

process.stdout.write(JSON.stringify(await measureAll()));

/** Run with --expose-gc and a young generation that holds a batch. */
async function measureAll(): Promise<Allocations> {
  const decoders = await importFile<Work>(ourDecoders());
  const ours = await importFile<Work>(ourValidators());
  const zod = await importFile<ZodType>(sdkZod());
  const ajv = loadAjv();
  const makers: { readonly [name: string]: (def: string) => Work } = {
    nothing: () => () => true,
    "a result object alone": () => (value) => ({ ok: true, value, dropped: nothing }),
    [DECODERS]: (def) => decoders[`decode${def}`]!,
    [OURS]: (def) => ours[`validate${def}`]!,
    [ZOD]: (def) => (value) => zod[`z${def}`]!.safeParse(value),
    [AJV]: (def) => ajv.getSchema(`upstream#/$defs/${def}`)!,
  };
  const entries = Object.entries(makers);
  const bytes = entries.map(([name, make]): [string, number] => [name, measure(prepare(make))]);
  const decoding = prepare(makers[DECODERS]!);
  const plain = decoding.filter(([work, value]) => !hasNotes(work(value)));
  const noted = decoding.length - plain.length;
  bytes.push([`${DECODERS}, nothing to note`, measure(plain)]);
  return { bytes: Object.fromEntries(bytes), messages: messages.length, noted };
}

/** One function a definition, as a program would have. */
function prepare(make: (def: string) => Work): (readonly [Work, unknown])[] {
  const works = new Map<string, Work>();
  return messages.map(({ def, value }: Message) => {
    if (!works.has(def)) works.set(def, make(def));
    return [works.get(def)!, value];
  });
}

/** What a batch takes is the least of its passes: all that comes on top is the compiler's own. */
function measure(calls: readonly (readonly [Work, unknown])[]): number {
  for (let pass = 0; pass < WARMUP; pass++) run(calls, 0, calls.length);
  let bytes = 0;
  for (let from = 0; from < calls.length; from += BATCH) {
    const to = Math.min(from + BATCH, calls.length);
    bytes += Math.min(...Array.from({ length: PASSES }, () => growth(calls, from, to)));
  }
  return bytes / calls.length;
}

function growth(calls: readonly (readonly [Work, unknown])[], from: number, to: number): number {
  // A full collection would throw optimized code away.
  gc!({ type: "minor" });
  const before = memoryUsage().heapUsed;
  run(calls, from, to);
  return memoryUsage().heapUsed - before;
}

function hasNotes(result: unknown): boolean {
  return (result as { readonly dropped: readonly unknown[] }).dropped.length > 0;
}

function run(calls: readonly (readonly [Work, unknown])[], from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const [work, value] = calls[index]!;
    kept[index % kept.length] = work(value);
  }
}
