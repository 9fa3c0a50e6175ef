export { cutContext, type NesContext, type NesContextWishes } from "./context.js";
export {
  agreedPositionEncoding,
  choosePositionEncoding,
  offeredPositionEncodings,
  type PositionEncoding,
  type PositionEncodingOffer,
} from "./encoding.js";
export { positionEncodingOf } from "./negotiation.js";
export { convertOffset } from "./offset.js";
export {
  convertPosition,
  convertRange,
  splitLines,
  type TextPosition,
  type TextRange,
} from "./position.js";
