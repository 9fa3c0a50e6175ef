import { isRecord } from "../rpc/messages.js";
import { cutContext, type NesContext, type NesContextWishes } from "./context.js";
import {
  agreedPositionEncoding,
  choosePositionEncoding,
  offeredPositionEncodings,
  type PositionEncoding,
  type PositionEncodingOffer,
} from "./encoding.js";

/** The property of each side's initialize message that holds its capabilities. */
interface CapabilityFields {
  readonly agent: string;
  readonly client: string;
}

/** The agent's capabilities for next edit suggestions. */
interface NesAgentCapabilities {
  readonly positionEncoding?: PositionEncoding | null | undefined;
  readonly nes?: { readonly context?: NesContextWishes | null | undefined } | null | undefined;
}

/**
 * Adds the position encoding that the agent chooses from the client's offer to its advertised
 * capabilities; returns them unchanged when the client has made no offer or the agent has already
 * declared an encoding.
 *
 * @param client the client's initialize params
 */
export function declareEncoding(
  advertised: object,
  client: unknown,
  fields: CapabilityFields,
  supported: readonly PositionEncoding[],
): object {
  const offered = offeredPositionEncodings(read<PositionEncodingOffer>(client, fields.client));
  const own = read<NesAgentCapabilities>(advertised, fields.agent);
  if (offered.length === 0 || own?.positionEncoding) return advertised;
  const positionEncoding = choosePositionEncoding(offered, supported);
  return { ...advertised, [fields.agent]: { ...own, positionEncoding } };
}

/**
 * Returns the params of `nes/suggest` with a context reduced to what the agent has advertised.
 *
 * @param agent the agent's initialize result
 */
export function cutSuggestion(params: unknown, agent: unknown, field: string): unknown {
  if (!isRecord(params) || !isRecord(params["context"])) return params;
  const wishes = read<NesAgentCapabilities>(agent, field)?.nes?.context;
  return { ...params, context: cutContext(params["context"] as NesContext, wishes) };
}

/**
 * Returns the encoding in which both sides count positions.
 *
 * @param handshake the messages of the handshake: `connection.handshake`, or that of a handler's
 *   context
 * @throws RangeError as described for `agreedPositionEncoding`
 */
export function positionEncodingOf(handshake: {
  readonly request: object;
  readonly response: object;
}): PositionEncoding {
  const { request, response } = handshake;
  const offer = either<PositionEncodingOffer>(request, "clientCapabilities");
  const declared = either<NesAgentCapabilities>(response, "agentCapabilities")?.positionEncoding;
  return agreedPositionEncoding(offeredPositionEncodings(offer), declared);
}

/** Returns the capabilities under the name of version 1, or under that of version 2. */
function either<T>(message: object, name: string): T | undefined {
  return read<T>(message, name) ?? read<T>(message, "capabilities");
}

function read<T>(holder: unknown, name: string): T | undefined {
  const value = isRecord(holder) ? holder[name] : undefined;
  return isRecord(value) ? (value as T) : undefined;
}
