export { createLineReader } from "../runtime/rpc/transports/lines.js";
export { startProcess } from "../runtime/stdio/start-process.js";
