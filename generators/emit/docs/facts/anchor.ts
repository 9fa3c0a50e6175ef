import type { Step } from "../../../model/map-shape.js";
import { urlToken } from "../../../output/url.js";
import { stepId } from "./references.js";

/** Where a shape stands on a page; the ids of its parts are made from it. */
export interface Place {
  /** Keeps the sections of one page apart: empty, or ends with `-`. */
  readonly prefix: string;
  readonly steps: readonly Step[];
}

/**
 * Between a type and its variant. The sign is one of Latin-1, as nearly all of a
 * page is: the engine takes twice the room for a text that has any other.
 */
export const WITHIN = " » ";

/** The place of a part of a shape. */
export function inside(place: Place, step: Step): Place {
  return { ...place, steps: [...place.steps, step] };
}

/** The id of a property or alternative. */
export function partId(place: Place, step: Step): string {
  return `${place.prefix}${stepId([...place.steps, step])}`;
}

/** The id of a value of an enumeration. */
export function valueId(place: Place, value: string | number): string {
  return `${insideOf(place)}value-${urlToken(String(value))}`;
}

/** The id of what stands for all other values of an enumeration. */
export function otherValuesId(place: Place): string {
  return `${insideOf(place)}other-values`;
}

function insideOf({ prefix, steps }: Place): string {
  return steps.length === 0 ? prefix : `${prefix}${stepId(steps)}.`;
}
