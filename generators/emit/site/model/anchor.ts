import type { Step } from "../../../model/map-shape.js";
import { urlToken } from "../../../output/url.js";
import { stepId } from "./type-uses.js";

/** The position of a shape on a page; the ids of its parts are made from it. */
export interface Anchor {
  /** Keeps the sections of one page apart: empty, or ends with `-`. */
  readonly prefix: string;
  readonly steps: readonly Step[];
}

/**
 * The separator between a type and its variant. It is a Latin-1 character, because V8 stores strings
 * with any other character in twice the memory.
 */
export const WITHIN = " » ";

/** Returns the anchor of a part of a shape. */
export function innerAnchor(anchor: Anchor, step: Step): Anchor {
  return { ...anchor, steps: [...anchor.steps, step] };
}

/** The id of a property or alternative. */
export function partId(anchor: Anchor, step: Step): string {
  return `${anchor.prefix}${stepId([...anchor.steps, step])}`;
}

/** The id of a value of an enumeration. */
export function valueId(anchor: Anchor, value: string | number): string {
  return `${innerPrefix(anchor)}value-${urlToken(String(value))}`;
}

/** The id of the row for all other values of an open enumeration. */
export function otherValuesId(anchor: Anchor): string {
  return `${innerPrefix(anchor)}other-values`;
}

function innerPrefix({ prefix, steps }: Anchor): string {
  return steps.length === 0 ? prefix : `${prefix}${stepId(steps)}.`;
}
