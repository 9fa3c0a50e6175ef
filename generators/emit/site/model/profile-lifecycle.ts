import { isOf, type LifecycleSource } from "../../../schema/source/docs-source.js";
import type { Site } from "./site.js";

/**
 * Returns the lifecycle of sessions in a profile, without steps of methods that
 * it lacks and states without transitions.
 *
 * @returns undefined for a protocol without sessions
 */
export function lifecycleOf({ docs, protocol, methodPaths }: Site): LifecycleSource | undefined {
  const source = docs.lifecycle.find((lifecycle) => isOf(lifecycle, protocol.version));
  if (source === undefined) return undefined;
  const transitions = source.transitions
    .map((transition) => ({
      ...transition,
      steps: transition.steps.filter(({ method }) => methodPaths.has(method)),
    }))
    .filter(({ steps }) => steps.length > 0);
  if (transitions.length === 0) return undefined;
  const states = source.states.filter(({ id }) =>
    transitions.some(({ from, to }) => from === id || to === id),
  );
  return { ...source, states, transitions };
}
