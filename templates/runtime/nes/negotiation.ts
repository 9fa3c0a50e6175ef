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

/** An agent's capabilities, as far as next edit suggestions are concerned. */
interface NesAgentCapabilities {
  readonly positionEncoding?: PositionEncoding | null;
  readonly nes?: { readonly context?: NesContextWishes | null } | null;
}

/**
 * What an agent advertises, with the position encoding that it chooses from the client's
 * offer; unchanged when the client has made none, or the agent has declared one itself.
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
 * The params of `nes/suggest`, their context cut to what the agent wishes for.
 *
 * @param agent the agent's answer to initialize
 */
export function cutSuggestion(params: unknown, agent: unknown, field: string): unknown {
  if (!isRecord(params) || !isRecord(params["context"])) return params;
  const wishes = read<NesAgentCapabilities>(agent, field)?.nes?.context;
  return { ...params, context: cutContext(params["context"] as NesContext, wishes) };
}

/**
 * The encoding in which both sides count positions.
 *
 * @param handshake what both sides have said: `connection.handshake`, or that of a handler's context
 * @throws RangeError as `agreedPositionEncoding` says
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

/** The capabilities under the name of version 1, or under that of version 2. */
function either<T>(message: object, name: string): T | undefined {
  return read<T>(message, name) ?? read<T>(message, "capabilities");
}

function read<T>(holder: unknown, name: string): T | undefined {
  const value = isRecord(holder) ? holder[name] : undefined;
  return isRecord(value) ? (value as T) : undefined;
}
