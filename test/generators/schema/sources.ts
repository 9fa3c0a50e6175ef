import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import type {
  FeatureSource,
  MethodSource,
  ProtocolSource,
} from "../../../generators/schema/source/sources.js";

/** A protocol of one module, for tests; enough to compose. */
export function protocolOf(
  definitions: { readonly [name: string]: JsonSchema },
  methods: readonly MethodSource[] = [],
  features: readonly FeatureSource[] = [],
): ProtocolSource {
  return {
    file: "schema/v9/protocol.json",
    name: "v9",
    number: 9,
    title: "Test",
    description: "A protocol for tests.",
    upstream: { crate: "none", release: "0.0.0", digests: {} },
    modules: [
      {
        file: "schema/v9/base/things.json",
        area: "things",
        title: "Things",
        description: "Things for tests.",
        methods,
        definitions,
      },
    ],
    features: new Map(features.map((feature) => [feature.name, feature])),
  };
}

/** A feature that adds what is given and nothing else. */
export function featureOf(
  name: string,
  parts: Partial<FeatureSource> & {
    readonly definitions?: FeatureSource["modules"][0]["definitions"];
  },
): FeatureSource {
  const file = `schema/v9/features/${name}.json`;
  const { definitions = {}, ...rest } = parts;
  return {
    file,
    name,
    protocol: "v9",
    title: name,
    description: "A feature for tests.",
    status: "unstable",
    requires: [],
    modules: [{ file, definitions }],
    methods: [],
    add: {},
    with: {},
    ...rest,
  };
}

/** A request with texts that do not matter. */
export function requestOf(
  name: string,
  side: MethodSource["side"],
  params: string,
  result: string,
): MethodSource {
  return { ...notificationOf(name, side, params), kind: "request", result };
}

/** A notification with texts that do not matter. */
export function notificationOf(
  name: string,
  side: MethodSource["side"],
  params: string,
): MethodSource {
  return {
    name,
    side,
    kind: "notification",
    params,
    gate: { always: "baseline" },
    summary: "A method for tests.",
    description: "A method for tests.",
    examples: [{ title: "Any", params: {} }],
  };
}
