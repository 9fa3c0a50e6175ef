import type { MethodDescriptor } from "acp-bindings";
import { Ajv2020 } from "ajv/dist/2020.js";
import { loadBindings, type Profile } from "../use/samples/profiles.js";
import { loadSdk } from "../use/samples/sdk.js";
import { publishedSchema } from "../use/samples/published.js";

/** The verdicts of a profile on messages, from every validator that there is. */
export interface MessageOracle {
  readonly methods: readonly MethodDescriptor[];
  /** Every kind of session update that the schema knows. */
  readonly updates: readonly string[];
  /**
   * Why a value does not fit its definition; nothing when it does. All that can
   * tell must say the same. Without a name: the root, any message.
   */
  readonly findMistake: (definition: string, value: unknown) => string | undefined;
}

type Verdict = (definition: string, value: unknown) => string | undefined;

const oracles = new Map<Profile, Promise<MessageOracle>>();

/** Our validators, plain ajv on our schema, and on the published one or else the official SDK's decoders. */
export function messageOracle(profile: Profile): Promise<MessageOracle> {
  const known = oracles.get(profile) ?? createMessageOracle(profile);
  oracles.set(profile, known);
  return known;
}

async function createMessageOracle(profile: Profile): Promise<MessageOracle> {
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    readonly METHODS: readonly MethodDescriptor[];
  };
  const { schemaOf, bundle } = await loadBindings(profile);
  const ours: Verdict = (name, value) => (schemaOf(name).is(value) ? undefined : "our validators");
  const validators = [createAjvVerdict(bundle)];
  const published = publishedSchema(profile);
  if (published === undefined) validators.push(await createSdkVerdict());
  else validators.push(createAjvVerdict(published));

  const validateMessage: Verdict = (definition, value) => {
    // The root is no definition, so it has no validator of its own.
    const all = definition === "" ? validators : [ours, ...validators];
    const reasons = all.flatMap((verdict) => verdict(definition, value) ?? []);
    if (reasons.length === 0) return undefined;
    const isUnanimous = reasons.length === all.length;
    return `${definition} does not fit${isUnanimous ? "" : ", but not all agree"}: ${reasons.join("; ")}`;
  };
  const verdicts = new Map<string, string | undefined>();
  return {
    methods: METHODS,
    updates: tagsOf(bundle as SessionUpdates),
    findMistake: (definition, value) => {
      const key = `${definition} ${JSON.stringify(value)}`;
      if (!verdicts.has(key)) verdicts.set(key, validateMessage(definition, value));
      return verdicts.get(key);
    },
  };
}

/** The verdict of plain ajv on a schema. */
function createAjvVerdict(schema: object): Verdict {
  // Compiling takes longer than the few messages that are validated.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code });
  ajv.addSchema(schema, "schema");
  return (definition, value) => {
    const reference = definition === "" ? "schema" : `schema#/$defs/${definition}`;
    return ajv.validate(reference, value) ? undefined : ajv.errorsText();
  };
}

/** The verdict of the official SDK's decoders of next edit suggestions, on what they know. */
async function createSdkVerdict(): Promise<Verdict> {
  const sdk = await loadSdk("nes");
  return (definition, value) =>
    !sdk.has(definition) || sdk.decode(definition, value).ok ? undefined : "the official SDK";
}

interface SessionUpdates {
  readonly $defs: {
    readonly SessionUpdate: {
      readonly [union in "oneOf" | "anyOf"]?: readonly {
        readonly properties: { readonly sessionUpdate: { readonly const?: string } };
      }[];
    };
  };
}

function tagsOf({ $defs: { SessionUpdate: union } }: SessionUpdates): string[] {
  return (union.oneOf ?? union.anyOf ?? []).flatMap(
    ({ properties }) => properties.sessionUpdate.const ?? [],
  );
}
