import type { ConversionRule } from "./rules.js";
import {
  coverReferences,
  declareLoss,
  findCase,
  refuse,
  type Context,
  type Pair,
  type Place,
} from "./context.js";

/** Makes the rule of a computation: its cases are the losses that it may report. */
export function computed(
  context: Context,
  name: string,
  { path, label, cases = [] }: Place,
): ConversionRule {
  const losses = cases.map(
    ({ when }) =>
      [when, declareLoss(context, label, when, findCase(context, path, cases, when)!)] as const,
  );
  return {
    compute: name,
    losses: Object.fromEntries(losses.filter(([, loss]) => loss !== undefined)) as {
      readonly [reason: string]: number;
    },
  };
}

/** A computation must name every property that it reads, so that a new one is noticed. */
export function checkCovers(context: Context, pair: Pair, covers: readonly string[]): void {
  const { shape } = pair.from;
  coverReferences(context, shape);
  const names =
    shape.kind === "object"
      ? shape.fields.map(({ name }) => name).filter((name) => name !== "_meta")
      : [];
  for (const name of names)
    if (!covers.includes(name))
      refuse(
        context,
        pair,
        `"${name}" is not known to the computation`,
        'Teach it the property and add it to "covers".',
      );
  for (const name of covers)
    if (!names.includes(name))
      refuse(context, pair, `"covers" names "${name}", which does not exist`, "Remove it.");
}
