import {
  gatePathText,
  pathsBelow,
  readGatePath,
  resolvePath,
} from "../../schema/json-schema/gate-path.js";
import type { GateSource, JsonSchema } from "../../schema/json-schema/json.js";
import { didYouMean, InputError, type Problem } from "../../schema/problem.js";
import type { Gate } from "../gate.js";

/** The context in which a gate is built: the messages in which capabilities are advertised. */
export interface GateContext {
  /** The initialize messages: what each side advertises in. */
  readonly advertisements: { readonly agent?: JsonSchema; readonly client?: JsonSchema };
  readonly schemaOf: (name: string) => JsonSchema | undefined;
  /** Returns the file and JSON pointer of a path inside the definition or method, for problems. */
  readonly place: (path: readonly (string | number)[]) => Pick<Problem, "file" | "pointer">;
}

/**
 * Builds a gate and checks that its path exists in the initialize messages.
 *
 * @param path the path of the gate inside its definition
 * @throws InputError when the path does not exist or the gate has more than one condition
 */
export function buildGate(
  source: GateSource,
  context: GateContext,
  path: readonly (string | number)[],
): Gate {
  const fail = (message: string, hint: string): InputError =>
    new InputError([{ ...context.place(path), message, hint }]);
  const sides = (["always", "agent", "client", "session"] as const).filter(
    (key) => source[key] !== undefined,
  );
  const [side] = sides;
  if (side === undefined || sides.length > 1) {
    throw fail(
      "a gate says exactly one of always, agent, client and session",
      "Leave the others out.",
    );
  }
  if (side === "always") return { kind: "always", reason: source.always! };

  const segments = readGatePath(source[side]!);
  const strength = source.strength ?? "must";
  const entry = source.entry && {
    kind: "entry" as const,
    side,
    path: segments,
    entry: source.entry,
    except: source.except ?? {},
    strength,
  };
  if (side === "session") {
    return entry ?? { kind: "capability", side, path: segments, test: "present", strength };
  }
  const message = context.advertisements[side];
  const target = resolvePath(segments, message, context.schemaOf);
  if (target === undefined) {
    const known = message === undefined ? [] : pathsBelow(message, context.schemaOf);
    const path = gatePathText(segments);
    throw fail(
      `"${path}" is not in the initialize message of the ${side}`,
      didYouMean(path, known, "Correct the path."),
    );
  }
  if (entry !== undefined) return entry;
  if (source.key !== undefined)
    return { kind: "key", side, path: segments, key: source.key, strength };
  return {
    kind: "capability",
    side,
    path: segments,
    test: target.type === "boolean" ? "true" : target.type === "array" ? "filled" : "present",
    strength,
  };
}
