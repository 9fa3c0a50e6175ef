export { connect } from "../runtime/remote/connect.js";
export { byteTransport } from "../runtime/stdio/byte-transport.js";
