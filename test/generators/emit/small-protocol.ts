import { readTemplates } from "../../../generators/run/installation.js";
import { compile } from "../../../generators/compile.js";
import type { Emitter } from "../../../generators/emit/emitter.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { compose } from "../../../generators/schema/compose.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import type { FeatureSource, MethodSource } from "../../../generators/schema/source/sources.js";

/** The facts of a method that a test states; the rest does not matter to it. */
export type SmallMethod = Pick<MethodSource, "name" | "params"> & Partial<MethodSource>;

export interface SmallSource {
  readonly definitions: { readonly [name: string]: JsonSchema };
  readonly methods?: readonly SmallMethod[];
  /** On as soon as it is there. */
  readonly feature?: Partial<FeatureSource>;
}

/** Builds the model of a few definitions, without a file in sight. */
export function smallProtocol({ definitions, methods = [], feature }: SmallSource): Protocol {
  const text = { title: "Small", description: "A small protocol." };
  const features = feature === undefined ? [] : [{ ...FEATURE, ...feature }];
  const bundle = compose(
    {
      ...text,
      file: "protocol.json",
      name: "v1",
      number: 1,
      upstream: { crate: "small", release: "1.0.0", digests: {} },
      modules: [
        {
          ...text,
          file: "small.json",
          area: "small",
          definitions,
          methods: methods.map(completeMethod),
        },
      ],
      features: new Map(features.map((source) => [source.name, source])),
    },
    features.map(({ name }) => name),
  );
  return buildProtocol(bundle, { ...text, name: "small" });
}

/** Runs one emitter and returns one of its files, formatted, without the header. */
export async function emitFile(
  emitter: Emitter,
  name: string,
  source: SmallSource,
): Promise<string> {
  const files = await compile(
    [smallProtocol(source)],
    [emitter],
    {},
    {
      templates: readTemplates(),
      version: "0.0.0",
    },
  );
  const file = files.find(({ path }) => path.endsWith(`/${name}`));
  return file === undefined ? "" : file.text.replace(/^(\/\/.*\n)+\n/, "");
}

function completeMethod(method: SmallMethod): MethodSource {
  return {
    side: "agent",
    kind: method.result === undefined ? "notification" : "request",
    gate: { always: "optional" },
    summary: "Does something.",
    description: "It does something.",
    examples: [],
    ...method,
  };
}

const FEATURE: FeatureSource = {
  file: "feature.json",
  name: "extra",
  protocol: "v1",
  title: "Extra",
  description: "Something more.",
  status: "unstable",
  requires: [],
  modules: [],
  methods: [],
  add: {},
  with: {},
};
