export { createLineReader, DEFAULT_LINE_LIMIT } from "../runtime/lines.js";
export { createInspector } from "./inspector.js";
export { findOpening, openingId } from "./opening.js";
export { isHeader, readRecord } from "./record.js";
export { inspectValue } from "./remarks.js";
