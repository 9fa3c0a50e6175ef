import { describeConstraints } from "./constraint-text.js";
import { gateText } from "./gates/gate-text.js";
import type { Field } from "./shape.js";
import { plainText } from "./text-part.js";

/** Returns the documentation of a property: its description, what restricts it, and its gates. */
export function fieldText(field: Field): string {
  const { description, shape, gate, variantGates } = field;
  const constraints = describeConstraints(shape).map(plainText).join(" ");
  const variants = Object.entries(variantGates).map(([tag, one]) => `\`${tag}\`: ${gateText(one)}`);
  return [description, constraints, gateText(gate), ...variants]
    .filter((text) => text !== "")
    .join("\n\n");
}
