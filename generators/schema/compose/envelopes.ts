import type { BundleDefinition, BundleMethod } from "./bundle.js";
import type { JsonSchema } from "../json-schema/json.js";
import type { EnvelopeOptions, MethodSide } from "../source/sources.js";
import { batchMessages } from "./batches.js";
import { jsonrpc, reference } from "./envelope-parts.js";
import { PROTOCOL_NOTIFICATION, protocolMessage, protocolNotification } from "./protocol-level.js";

/** Definitions that the envelope unions end in, so that extension methods fit. */
const EXTENSIONS = {
  Request: {
    title: "ExtMethodRequest",
    description: "A request whose method ACP does not define.",
    reference: "ExtRequest",
  },
  Response: {
    title: "ExtMethodResponse",
    description: "Result of a successful request whose method ACP does not define.",
    reference: "ExtResponse",
  },
  Notification: {
    title: "ExtNotification",
    description: "A notification whose method ACP does not define. It gets no response.",
    reference: "ExtNotification",
  },
} as const;

/** Definitions that envelopes refer to, where there are such. */
export const ENVELOPE_PARTS: readonly string[] = [
  ...["RequestId", "Error"],
  ...Object.values(EXTENSIONS).map(({ reference }) => reference),
];

type Part = keyof typeof EXTENSIONS;

/** The sending sides: the prefix of their envelopes, and the side that handles their messages. */
interface Speaker {
  readonly prefix: string;
  /** Requests and notifications they send are handled by this side. */
  readonly sendsTo: MethodSide;
  /** Responses they send answer requests handled by this side. */
  readonly answersAs: MethodSide;
  readonly extensible: boolean;
}

const SPEAKERS: readonly Speaker[] = [
  { prefix: "Agent", sendsTo: "client", answersAs: "agent", extensible: true },
  { prefix: "Client", sendsTo: "agent", answersAs: "client", extensible: true },
  { prefix: "Proxy", sendsTo: "proxy", answersAs: "proxy", extensible: false },
];

/** The schema of any message. */
const ROOT: JsonSchema = {
  title: "Agent Client Protocol",
  description: "Any message of the protocol, grouped by sender.",
};

type Definitions = ReadonlyMap<string, Pick<BundleDefinition, "schema">>;

/**
 * Derives the JSON-RPC envelope definitions and the schema of any message from
 * the methods. They hardly restrict anything by themselves: `method` is free
 * and unknown params always fit, so messages are validated by method, not by envelope.
 * A protocol without `RequestId` and `Error` has no envelopes.
 *
 * @param options the forms that the protocol version has besides single messages
 */
export function deriveEnvelopes(
  definitions: Definitions,
  methods: readonly BundleMethod[],
  options: EnvelopeOptions = {},
): { readonly definitions: ReadonlyMap<string, JsonSchema>; readonly root: JsonSchema } {
  const envelopes = new Map<string, JsonSchema>();
  if (!definitions.has("RequestId") || !definitions.has("Error"))
    return { definitions: envelopes, root: ROOT };
  const messages: JsonSchema[] = [];
  const speakers = SPEAKERS.filter(
    ({ extensible, sendsTo }) =>
      (extensible && definitions.has("ExtRequest")) || methods.some(({ side }) => side === sendsTo),
  );
  for (const speaker of speakers.filter(({ extensible }) => extensible)) {
    messages.push(speakerMessage(speaker, envelopes, definitions, methods, options));
  }
  const shared = methods.some(({ side }) => side === "protocol")
    ? protocolNotification(methods)
    : undefined;
  if (options.batches) {
    if (shared !== undefined) envelopes.set(PROTOCOL_NOTIFICATION, shared);
    for (const { prefix } of speakers.filter(({ extensible }) => extensible))
      messages.push(...batchMessages(prefix, envelopes));
  }
  if (shared !== undefined) messages.push(protocolMessage(shared));
  for (const speaker of speakers.filter(({ extensible }) => !extensible)) {
    messages.push(speakerMessage(speaker, envelopes, definitions, methods, options));
  }
  return {
    definitions: envelopes,
    root: { ...ROOT, ...oneOfThese(messages) },
  };
}

/** Returns the feature of an envelope that exists only because of the methods of one feature. */
export function envelopeFeature(
  name: string,
  methods: readonly BundleMethod[],
): string | undefined {
  const speaker = SPEAKERS.find(({ prefix, extensible }) => !extensible && name.startsWith(prefix));
  const own = methods.filter(({ side }) => side === speaker?.sendsTo);
  const features = new Set(own.map(({ feature }) => feature));
  return features.size === 1 ? own[0]!.feature : undefined;
}

function speakerMessage(
  speaker: Speaker,
  envelopes: Map<string, JsonSchema>,
  definitions: Definitions,
  methods: readonly BundleMethod[],
  options: EnvelopeOptions,
): JsonSchema {
  const origin = speaker.extensible
    ? `that the ${speaker.prefix.toLowerCase()} sends`
    : "between a conductor and one of its proxies, in either direction";
  const sent = methods.filter(({ side }) => side === speaker.sendsTo);
  const answered = methods.filter(({ side }) => side === speaker.answersAs);
  const method: JsonSchema = { type: "string", description: "The name of the method." };
  const params = (part: Part, from: readonly BundleMethod[]): JsonSchema => ({
    description: "The params of the method.",
    anyOf: [oneOfThese(payloads(speaker, part, from, "params", definitions)), { type: "null" }],
  });
  envelopes.set(`${speaker.prefix}Request`, {
    description: `A request ${origin}.`,
    type: "object",
    properties: {
      id: {
        description: "Identifies the request; its response repeats it.",
        ...reference("RequestId"),
      },
      method,
      params: params(
        "Request",
        sent.filter(({ kind }) => kind === "request"),
      ),
    },
    required: ["id", "method"],
    "x-docs-ignore": true,
  });
  envelopes.set(`${speaker.prefix}Response`, {
    description: `A response ${origin}: a result or an error.`,
    anyOf: [
      {
        title: "Result",
        description: "The request succeeded.",
        type: "object",
        properties: {
          id: { description: "The id of the request.", ...reference("RequestId") },
          result: {
            description: "The result of the method.",
            ...oneOfThese(payloads(speaker, "Response", answered, "result", definitions)),
          },
        },
        required: ["id", "result"],
      },
      {
        title: "Error",
        description: "The request failed.",
        type: "object",
        properties: {
          id: errorId(definitions, options),
          error: { description: "What went wrong.", ...reference("Error") },
        },
        required: ["id", "error"],
      },
    ],
    "x-docs-ignore": true,
  });
  envelopes.set(`${speaker.prefix}Notification`, {
    description: `A notification ${origin}. It gets no response.`,
    type: "object",
    properties: {
      method,
      params: params(
        "Notification",
        sent.filter(({ kind }) => kind === "notification"),
      ),
    },
    required: ["method"],
    "x-docs-ignore": true,
  });
  return {
    title: speaker.prefix,
    description: `A message ${origin}.`,
    type: "object",
    properties: { jsonrpc: jsonrpc() },
    required: ["jsonrpc"],
    anyOf: (["Request", "Response", "Notification"] as const).map((part) => ({
      title: part,
      ...reference(speaker.prefix + part),
    })),
  };
}

function payloads(
  speaker: Speaker,
  part: Part,
  methods: readonly BundleMethod[],
  field: "params" | "result",
  definitions: Definitions,
): JsonSchema[] {
  const known = methods.flatMap((method): JsonSchema[] => {
    const name = method[field];
    const description =
      field === "result"
        ? `Result of a successful \`${method.name}\` request.`
        : `${method.summary} ${method.description}`;
    const { feature } = method;
    const origin = feature === undefined ? {} : { "x-feature": feature };
    return name === undefined ? [] : [{ title: name, description, ...origin, ...reference(name) }];
  });
  // Methods may share a payload; the union has it once.
  const distinct = known.filter(
    ({ title }, index) => known.findIndex((other) => other.title === title) === index,
  );
  const extension = EXTENSIONS[part];
  if (!speaker.extensible || !definitions.has(extension.reference)) return distinct;
  return [
    ...distinct,
    {
      title: extension.title,
      description: extension.description,
      ...reference(extension.reference),
    },
  ];
}

/**
 * Returns the id of an error, which may be null (JSON-RPC 2.0 section 5) also where request ids
 * may not, unless the protocol version has ids of requests only.
 */
function errorId(definitions: Definitions, { nullErrorId = true }: EnvelopeOptions): JsonSchema {
  const description =
    "The id of the request. It is always present, and `null` only if the receiver could not determine it, for example because the message was not valid JSON or not a valid request.";
  const alternatives = definitions.get("RequestId")?.schema.anyOf ?? [];
  if (alternatives.some(({ type }) => type === "null"))
    return { description, ...reference("RequestId") };
  if (!nullErrorId) return { description: "The id of the request.", anyOf: alternatives };
  return {
    description,
    anyOf: [...alternatives, { type: "null", description: "The id could not be determined." }],
  };
}

/** Builds a union; without alternatives, a schema without restrictions, since an empty `anyOf` is invalid. */
function oneOfThese(alternatives: readonly JsonSchema[]): JsonSchema {
  return alternatives.length === 0 ? {} : { anyOf: alternatives };
}
