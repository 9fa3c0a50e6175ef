export {
  createLineReader,
  DEFAULT_LINE_LIMIT,
} from "../../typescript/runtime/rpc/transports/lines.js";
export { createInspector } from "./inspector.js";
export { findHandshake, handshakeId } from "./handshake.js";
export { openCapture } from "./open-capture.js";
export { CaptureReader } from "./capture.js";
export { readRecord } from "./record.js";
export { inspectValue } from "./findings.js";
export { parseFilter } from "./filter.js";
export { Timeline } from "./timeline.js";
export { alike } from "./spelling.js";
