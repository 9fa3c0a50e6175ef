export { createLineReader, DEFAULT_LINE_LIMIT } from "../runtime/rpc/transports/lines.js";
export { createInspector } from "./inspector.js";
export { findHandshake, handshakeId } from "./handshake.js";
export { isHeader, readRecord } from "./record.js";
export { inspectValue } from "./findings.js";
