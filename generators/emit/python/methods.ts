import type { Gate } from "../../model/gate.js";
import type { GatedPlace } from "../../model/gates/gated-places.js";
import { methodRows, type MethodRow } from "../../model/gates/method-rows.js";
import type { SessionFact } from "../../model/gates/session-facts.js";
import type { Method, Protocol } from "../../model/protocol.js";
import type { Json } from "../../schema/json-schema/json.js";
import { indent, joinPython, literal, py, type Python } from "./code.js";
import type { PythonNames } from "./names.js";

/** Prints the module with all methods as data. */
export function printMethods(protocol: Protocol, names: PythonNames): Python {
  const rows = methodRows(protocol).map((row) => py`${printMethod(row, names)},`);
  return py`"""Every method of the protocol: its messages, its handler and its gate."""

# fmt: off
from .._runtime.protocol import Fact, Gate, Method, Place

METHODS: tuple[Method, ...] = (
${indent(joinPython(rows, "\n"))}
)
`;
}

function printMethod(
  { method, places, facts, advertised, capabilities, isRequired }: MethodRow,
  names: PythonNames,
): Python {
  const { name, side, kind, params, result, gate } = method;
  const texts = [name, side, kind, names.handlerOf(method), names.typeOf(params)].map(literal);
  const named = [
    ...(result === undefined ? [] : [py`result=${literal(names.typeOf(result))}`]),
    ...(gate === undefined || gate.kind === "always" ? [] : [py`gate=${printGate(gate)}`]),
    ...printPlaces(py`places`, "params", places),
    ...printPlaces(py`result_places`, "result", places),
    ...(capabilities.length === 0
      ? []
      : [py`capabilities=${printTuple(capabilities.map(printGate))}`]),
    ...(facts.length === 0 ? [] : [py`facts=${printTuple(facts.map(printFact))}`]),
    ...(advertised === undefined ? [] : [py`advertised=${literal(advertised)}`]),
    ...printMethodFacts(method),
    ...(isRequired ? [py`is_required=True`] : []),
  ];
  return py`Method(${joinPython([...texts, ...named], ", ")})`;
}

function printMethodFacts({ traits, cancelledResult, impliedResult }: Method): readonly Python[] {
  return [
    ...(traits === undefined ? [] : [py`traits=${printTuple(traits.map(literal))}`]),
    ...(cancelledResult === undefined ? [] : [py`cancelled_result=${literal(cancelledResult)}`]),
    ...(impliedResult === undefined ? [] : [py`implied_result=${literal(impliedResult)}`]),
  ];
}

function printGate(gate: Exclude<Gate, { readonly kind: "always" }>): Python {
  const first = [literal(gate.kind), literal(gate.side), printTuple(gate.path.map(literal))];
  const named = [
    ...(gate.kind === "capability" ? [py`test=${literal(gate.test)}`] : []),
    ...(gate.kind === "key" ? [py`key=${literal(gate.key)}`] : []),
    ...(gate.kind === "entry"
      ? [py`entry=${literal({ ...gate.entry })}`, py`excluded=${literal({ ...gate.except })}`]
      : []),
    ...(gate.strength === "must" ? [] : [py`strength=${literal(gate.strength)}`]),
  ];
  return py`Gate(${joinPython([...first, ...named], ", ")})`;
}

function printPlaces(
  argument: Python,
  wanted: GatedPlace["part"],
  places: readonly GatedPlace[],
): readonly Python[] {
  const own = places.filter(({ part }) => part === wanted);
  return own.length === 0 ? [] : [py`${argument}=${printTuple(own.map(printPlace))}`];
}

function printPlace({ path, tag, values, gate }: GatedPlace): Python {
  const parts = [
    printTuple(path.map((step) => literal(step as Json))),
    printGate(gate),
    ...(tag === undefined ? [] : [py`tag=${literal(tag)}`]),
    ...(values === undefined ? [] : [py`values=${printTuple(values.map(literal))}`]),
  ];
  return py`Place(${joinPython(parts, ", ")})`;
}

function printFact({ fact, part, path, id }: SessionFact): Python {
  const steps = printTuple(path.map((step) => literal(step as Json)));
  const item = id === undefined ? [] : [literal(id)];
  return py`Fact(${joinPython([literal(fact), literal(part), steps, ...item], ", ")})`;
}

function printTuple(items: readonly Python[]): Python {
  if (items.length === 1) return py`(${items[0]!},)`;
  return py`(${joinPython(items, ", ")})`;
}
