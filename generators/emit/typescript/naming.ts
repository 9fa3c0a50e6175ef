import { snakeCase } from "../../model/identifiers.js";
import type { Protocol } from "../../model/protocol.js";
import type { Shape } from "../../model/shape.js";
import { visitShape } from "../../model/visit-shape.js";
import { code, docComment, literal, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import { perProfile, type Emitter } from "../emitter.js";

/** Converters for hosts that use snake_case property names. */
export const naming: Emitter = {
  name: "naming",
  summary: "lossless converters between wire names and snake_case, for every schema; on request",
  onRequest: true,
  requires: ["schemas", "runtime"],
  emit: perProfile((protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "naming.ts"),
      text: printNaming(protocol),
      language: "plain",
    },
  ]),
};

function printNaming(protocol: Protocol): Code {
  return code`import { rename, type Renamed } from "../runtime/validate/rename.js";
import { checkOf, type AnySchema, type ReceivedBy, type SentBy } from "../runtime/validate/schema.js";

${docComment("Every declared property whose name in snake_case differs, by its name on the wire.")}
export const RENAMES = ${literal(renames(protocol))} as const;

${docComment("A type of the protocol with its declared properties in snake_case, at any depth.")}
export type SnakeCase<T> = Renamed<T, typeof RENAMES>;

${docComment("Renames the declared properties of a value to snake_case, at any depth. The value is not modified.")}
export function toSnakeCase<S extends AnySchema>(schema: S, value: ReceivedBy<S>): SnakeCase<ReceivedBy<S>> {
  return rename(checkOf(schema), RENAMES, value, "outside") as never;
}

${docComment("Renames the declared properties of a value from snake_case to their names on the wire, at any depth. The value is not modified.")}
export function toCamelCase<S extends AnySchema>(schema: S, value: SnakeCase<SentBy<S>>): SentBy<S> {
  return rename(checkOf(schema), RENAMES, value, "wire") as never;
}
`;
}

/** Returns the renamed properties; a name that would collide with another declared name is kept. */
function renames({ definitions }: Protocol): { readonly [name: string]: string } {
  const names = new Set(definitions.flatMap(({ shape }) => declaredNames(shape)));
  const pairs = [...names].sort().map((name) => [name, snakeCase(name)] as const);
  const uses = (target: string): number => pairs.filter(([, other]) => other === target).length;
  return Object.fromEntries(pairs.filter(([name, other]) => name !== other && uses(other) === 1));
}

function declaredNames(shape: Shape): string[] {
  const names: string[] = [];
  visitShape(shape, {
    field: ({ name }) => names.push(name),
    variant: (_, __, tag) => tag !== undefined && names.push(tag),
  });
  return names;
}
