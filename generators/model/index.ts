/** The model for emitters of further languages: `acp-codegen/model`. */
export { buildCheckTable, type FieldNode, type TableNode } from "./check-table.js";
export { methodRows, type MethodRow } from "./gates/method-rows.js";
export type { GatedPath } from "./gates/gated-paths.js";
export type { PathStep } from "./gates/paths-in-shape.js";
export type { SessionFact } from "./gates/session-facts.js";
export { buildParts } from "./parts/build-parts.js";
export { createCompletes } from "./parts/completes.js";
export { inDependencyOrder, targetsOf } from "./parts/dependency-order.js";
export { fieldsOf } from "./parts/fields-of.js";
export * from "./parts/part.js";
export { pascalCase, wordsOf } from "./parts/words.js";
export { createSamples } from "./sample/sample.js";
export type * from "./gate.js";
export type * from "./protocol.js";
export type * from "./shape.js";
export { mapShape } from "./map-shape.js";
export { visitShape } from "./visit-shape.js";
