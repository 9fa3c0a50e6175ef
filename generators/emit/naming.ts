import { snakeCase } from "../model/identifiers.js";
import type { Protocol } from "../model/protocol.js";
import type { Shape } from "../model/shape.js";
import { visitShape } from "../model/visit-shape.js";
import { code, docComment, identifier, joinCode, literal, type Code } from "../output/code.js";
import { outputPath } from "../output/file.js";
import type { Emitter } from "./emitter.js";

/** Converters for hosts that use snake_case property names. */
export const naming: Emitter = {
  name: "naming",
  summary: "lossless converters between wire names and snake_case",
  requires: ["types", "decoders", "runtime"],
  emit: (protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "naming.ts"),
      text: printNaming(protocol),
      language: "plain",
    },
  ],
};

function printNaming(protocol: Protocol): Code {
  const { received } = protocol;
  const converters = protocol.definitions.map(({ name, identifier: id }) => {
    const sent = code`types.${identifier(id)}`;
    const arrived = received.has(name) ? code`received.${identifier(id)}` : sent;
    const check = code`checks.${identifier(id)}`;
    return code`export function ${identifier(`toSnakeCase${id}`)}(value: ${arrived}): SnakeCase<${arrived}> { return rename(${check}, RENAMES, value, "outside") as never; }
export function ${identifier(`toWire${id}`)}(value: SnakeCase<${sent}>): ${sent} { return rename(${check}, RENAMES, value, "wire") as never; }`;
  });
  return code`import { rename, type Renamed } from "../runtime/validate/rename.js";
import * as checks from "./internal/checks.js";
${received.size > 0 ? code`import type * as received from "./received.js";\n` : code``}import type * as types from "./types.js";

${docComment("Every declared property whose name in snake_case differs, by its name on the wire.")}
export const RENAMES = ${literal(renames(protocol))} as const;

${docComment("A type of the protocol with its declared properties in snake_case, at any depth.")}
export type SnakeCase<T> = Renamed<T, typeof RENAMES>;

${joinCode(converters, "\n")}
`;
}

/** Returns the renamed properties; a name that would collide with another declared name is kept. */
function renames({ definitions }: Protocol): { readonly [name: string]: string } {
  const names = new Set(definitions.flatMap(({ shape }) => declaredNames(shape)));
  const pairs = [...names].sort().map((name) => [name, snakeCase(name)] as const);
  const uses = (target: string): number => pairs.filter(([, other]) => other === target).length;
  return Object.fromEntries(
    pairs.filter(([name, other]) => name !== other && !names.has(other) && uses(other) === 1),
  );
}

function declaredNames(shape: Shape): string[] {
  const names: string[] = [];
  visitShape(shape, {
    field: ({ name }) => names.push(name),
    variant: (_, __, tag) => tag !== undefined && names.push(tag),
  });
  return names;
}
