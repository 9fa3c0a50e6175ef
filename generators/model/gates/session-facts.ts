import { InputError } from "../../schema/problem.js";
import { ownFields } from "../map-shape.js";
import type { PlaceStep } from "./places-in-shape.js";
import type { Definition, Method } from "../protocol.js";
import type { Shape } from "../shape.js";

/** The property that identifies the session of a message. */
const SESSION = "sessionId";

/** A part of a message that carries the state of its session which gates depend on. */
export interface SessionFact {
  readonly part: "params" | "result";
  /** The path to the object that carries it. */
  readonly path: readonly PlaceStep[];
  /** The first segment of the gates' paths. */
  readonly fact: string;
  /** The property that identifies the item in the session; absent for the session itself. */
  readonly id?: string;
}

/** A fact that a gate requires. */
interface Wanted {
  readonly fact: string;
  readonly id?: string;
}

/**
 * Finds the parts of messages that carry what the gates on live sessions require. The path of
 * such a gate starts with the property that carries a list (`configOptions`), or with
 * the definition of the thing in the session that must allow the method (`ToolCallUpdate`).
 *
 * Only messages that name a session count, and nothing inside lists and maps: that is
 * about other sessions. Each definition is looked into once.
 *
 * @returns a function that gives the facts of a method's messages
 * @throws InputError when a method's params do not identify the thing in the session
 */
export function sessionFacts(
  definitions: readonly Definition[],
  methods: readonly Method[],
): (method: Method) => readonly SessionFact[] {
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  const wanted = new Map(
    methods.flatMap((method) => factsNeeded(method, shapes)).map((want) => [want.fact, want]),
  );
  const namesSession = (definition: string | undefined): boolean =>
    hasField(shapes.get(definition ?? ""), SESSION);
  return ({ params, result }) =>
    namesSession(params) || namesSession(result)
      ? [...wanted.values()].flatMap((want) => [
          ...factsIn("params", params, want, shapes),
          ...factsIn("result", result, want, shapes),
        ])
      : [];
}

function factsNeeded(method: Method, shapes: ReadonlyMap<string, Shape>): Wanted[] {
  const { gate } = method;
  if (gate === undefined || gate.kind === "always" || gate.side !== "session") return [];
  const fact = gate.path[0]!;
  if (gate.kind === "entry") return [{ fact }];
  const shape = shapes.get(fact);
  const given = new Set(ownFields(shapes.get(method.params)!).map(({ name }) => name));
  const ids = (shape === undefined ? [] : ownFields(shape)).filter(
    ({ name, required }) => required && name !== SESSION && given.has(name),
  );
  if (ids.length !== 1)
    throw new InputError([
      {
        message: `the params of "${method.name}" do not say which "${fact}" its gate is about`,
        hint: `Give both one required property of the same name, besides ${SESSION}.`,
      },
    ]);
  return [{ fact, id: ids[0]!.name }];
}

function factsIn(
  part: "params" | "result",
  definition: string | undefined,
  want: Wanted,
  shapes: ReadonlyMap<string, Shape>,
): readonly SessionFact[] {
  const entered = new Set<string>();
  const carries = (shape: Shape): boolean =>
    want.id === undefined
      ? hasField(shape, want.fact)
      : shape.kind === "reference" && shape.name === want.fact;
  const find = (shape: Shape): readonly (readonly PlaceStep[])[] => {
    if (carries(shape)) return [[]];
    if (shape.kind === "reference") {
      const next = shapes.get(shape.name);
      if (next === undefined || entered.has(shape.name)) return [];
      entered.add(shape.name);
      return find(next);
    }
    const inFields = ownFields(shape).flatMap((field) => below(field.shape, field.name));
    if (shape.kind === "union")
      return [...inFields, ...shape.variants.flatMap(({ slot }) => find(slot.shape))];
    if (shape.kind !== "tagged") return inFields;
    const { tag, variants } = shape;
    return [
      ...inFields,
      ...variants.flatMap(({ value, body }) => below(body, { tag, values: [value] })),
    ];
  };
  const below = (shape: Shape, step: PlaceStep): readonly (readonly PlaceStep[])[] =>
    find(shape).map((path) => [step, ...path]);
  if (definition === undefined) return [];
  return find({ kind: "reference", name: definition }).map((path) => ({ part, path, ...want }));
}

function hasField(shape: Shape | undefined, name: string): boolean {
  return shape !== undefined && ownFields(shape).some((field) => field.name === name);
}
