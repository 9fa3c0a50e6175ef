import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import type { MethodSource, ProtocolSource } from "../../../../generators/schema/source/sources.js";
import { featureOf, notificationOf, protocolOf, requestOf } from "../sources.js";

/** A small thing that a rule objects to, and the same thing as it should be. */
export interface LintCase {
  /** The file is the base module when absent. */
  readonly finds: readonly [rule: string, pointer: string, subject: string, file?: string];
  readonly broken: ProtocolSource;
  readonly sound: ProtocolSource;
}

type Definitions = { readonly [name: string]: JsonSchema };

const description = "Its meaning.";
const meta = { type: "object", "x-meta": true } as const;
const TEXT: JsonSchema = { description, type: "string" };
const FEATURE = "schema/v9/features/extra.json";

/** The initialize messages, with one capability on either side. */
const GREETING: Definitions = {
  Hello: { description, ...meta, properties: { capabilities: ref("AgentCapabilities") } },
  HelloBack: { description, ...meta, properties: { capabilities: ref("AgentCapabilities") } },
  AgentCapabilities: {
    description,
    ...meta,
    properties: { notes: { description, type: "boolean" } },
  },
};
const INITIALIZE = answered(requestOf("initialize", "agent", "Hello", "HelloBack"));

function ref(name: string): JsonSchema {
  return { description, $ref: `#/$defs/${name}` };
}

function answered(method: MethodSource): MethodSource {
  return { ...method, examples: [{ title: "Any", params: {}, result: {} }] };
}

/** A protocol with a notification whose params are `Note`. */
function noting(
  note: JsonSchema,
  more: Definitions = {},
  features: Parameters<typeof featureOf>[1][] = [],
): ProtocolSource {
  return protocolOf(
    { ...GREETING, Note: note, ...more },
    [INITIALIZE, notificationOf("note/add", "agent", "Note")],
    features.map((parts, index) => featureOf(index === 0 ? "extra" : `extra_${index}`, parts)),
  );
}

/** A protocol with the feature of a vendor. */
function vendor(parts: Parameters<typeof featureOf>[1]): ProtocolSource {
  return protocolOf({}, [], [featureOf("extra", { status: "vendor", ...parts })]);
}

function note(properties: Definitions): JsonSchema {
  return { description, ...meta, properties };
}

/** A protocol whose method is changed. */
function withMethod(changes: Partial<MethodSource>): ProtocolSource {
  const method = answered(requestOf("note/add", "agent", "Note", "Note"));
  return protocolOf({ ...GREETING, Note: note({}) }, [INITIALIZE, { ...method, ...changes }]);
}

/** A note that is a tagged union, with a feature that adds a variant. */
function union(added: JsonSchema, own: JsonSchema = {}): ProtocolSource {
  const kinds = { description, oneOf: [variant("plain", own)] };
  const add = { Kind: { oneOf: [variant("colored", added)] } };
  return noting(note({ kind: ref("Kind") }), { Kind: kinds }, [{ add }]);
}

function variant(tag: string, more: JsonSchema): JsonSchema {
  return {
    description,
    ...meta,
    "x-gate": { always: "ungated" },
    properties: { type: { type: "string", const: tag } },
    required: ["type"],
    ...more,
  };
}

const NOTE = "/$defs/Note";

export const LINT_CASES: { readonly [what: string]: LintCase } = {
  "a definition without a description": {
    finds: ["undocumented", NOTE, "Note"],
    broken: noting(meta),
    sound: noting({ description, ...meta }),
  },
  "a property, also one that is called properties": {
    finds: ["undocumented", `${NOTE}/properties/properties`, "Note.properties"],
    broken: noting(note({ properties: { type: "string" } })),
    sound: noting(note({ properties: TEXT })),
  },
  "a value of an enumeration": {
    finds: ["undocumented", "/$defs/Mood/oneOf/0", "Mood.gay"],
    broken: noting(note({ mood: ref("Mood") }), {
      Mood: { description, oneOf: [{ const: "gay" }] },
    }),
    sound: noting(note({ mood: ref("Mood") }), {
      Mood: { description, oneOf: [{ const: "gay", description }] },
    }),
  },
  "a list of values, none of which can have one": {
    finds: ["undocumented", `${NOTE}/properties/mood/enum`, "Note.mood"],
    broken: noting(note({ mood: { description, enum: ["gay"] } })),
    sound: noting(note({ mood: { description, oneOf: [{ const: "gay", description }] } })),
  },
  "a variant that a feature adds": {
    finds: ["undocumented", "/add/Kind/oneOf/0", "Kind.colored", FEATURE],
    broken: union({ description: " " }),
    sound: union({}),
  },
  "a method": {
    finds: ["undocumented", "/methods/1/summary", "note/add"],
    broken: withMethod({ summary: " " }),
    sound: withMethod({ summary: "Adds a note." }),
  },
  "a property that a feature adds to a message": {
    finds: ["gate-missing", "/add/Note/properties/color", "Note.color", FEATURE],
    broken: noting(note({}), {}, [{ add: { Note: { properties: { color: TEXT } } } }]),
    sound: noting(note({}), {}, [
      {
        add: {
          Note: { properties: { color: { ...TEXT, "x-gate": { agent: "capabilities.notes" } } } },
          AgentCapabilities: { properties: { colors: TEXT } },
        },
      },
    ]),
  },
  "a variant that a feature adds beside another one": {
    finds: ["gate-missing", "/with/extra_1/Kind/oneOf/0", "Kind.colored", FEATURE],
    broken: beside(withoutGate(variant("colored", {}))),
    sound: beside(variant("colored", {})),
  },
  "a method whose gate names nobody": {
    finds: ["gate-missing", "/methods/1/gate", "note/add"],
    broken: withMethod({ gate: { strength: "should" } }),
    sound: withMethod({ gate: { agent: "capabilities.notes", strength: "should" } }),
  },
  "a capability that nobody can advertise": {
    finds: ["unknown-capability", "/methods/1/gate", "note/add"],
    broken: withMethod({ gate: { agent: "capabilities.note" } }),
    sound: withMethod({ gate: { client: "capabilities.notes" } }),
  },
  "a vendor's capability without a name": {
    finds: ["unknown-capability", "/methods/1/gate", "note/add"],
    broken: withMethod({ gate: { agent: "capabilities._meta" } }),
    sound: withMethod({ gate: { agent: 'capabilities._meta["example.org"].notes' } }),
  },
  "a reference of the base to a feature's definition": {
    finds: ["unstable-from-stable", `${NOTE}/properties/color/$ref`, "Note.color"],
    broken: noting(note({ color: ref("Color") }), {}, [{ definitions: { Color: TEXT } }]),
    sound: noting(note({ color: ref("Color") }), { Color: TEXT }),
  },
  "a gate of the base on a feature's capability": {
    finds: ["unstable-from-stable", `${NOTE}/properties/color/x-gate`, "Note.color"],
    broken: colored("capabilities.colors"),
    sound: colored("capabilities.notes"),
  },
  "a definition of a feature that is not required": {
    finds: ["unrequired-feature", "/$defs/Frame/properties/color/$ref", "Frame.color", FEATURE],
    broken: framed([]),
    sound: framed(["extra_1"]),
  },
  "an addition to a definition of a feature that is not required": {
    finds: ["unrequired-feature", "/add/Color", "Color", FEATURE],
    broken: hued("add"),
    sound: hued("with"),
  },
  "a feature that requires itself by another": {
    finds: ["requires-itself", "/requires", "extra", FEATURE],
    broken: noting(note({}), {}, [{ requires: ["extra_1"] }, { requires: ["extra"] }]),
    sound: noting(note({}), {}, [{ requires: ["extra_1"] }, {}]),
  },
  "a variant to stand behind that there is not": {
    finds: ["unknown-predecessor", "/add/Kind/oneOf/0/x-after/0", "plane", FEATURE],
    broken: union({ "x-after": ["plane"] }),
    sound: union({ "x-after": ["plain"] }),
  },
  "a method to stand behind that there is not, in the base too": {
    finds: ["unknown-predecessor", "/methods/1/after/0", "note/new"],
    broken: withMethod({ after: ["note/new"] }),
    sound: withMethod({ after: ["initialize"] }),
  },
  "an order of variants in the base": {
    finds: ["misplaced-order", "/$defs/Kind/oneOf/0/x-after", "Kind.plain"],
    broken: union({}, { "x-after": ["colored"] }),
    sound: union({ "x-after": ["plain"] }),
  },
  "a definition whose acronym is in capitals": {
    finds: ["definition-name", "/$defs/NoteURL", "NoteURL"],
    broken: noting(note({ url: ref("NoteURL") }), { NoteURL: TEXT }),
    sound: noting(note({ url: ref("NoteUrl") }), { NoteUrl: TEXT }),
  },
  "a property in snake_case": {
    finds: ["property-name", `${NOTE}/properties/note_id`, "Note.note_id"],
    broken: noting(note({ note_id: TEXT })),
    sound: noting(note({ noteId: TEXT, _meta: { description, ...meta } })),
  },
  "a tag in camelCase": {
    finds: ["value-name", "/$defs/Kind/oneOf/0/properties/type/const", "Kind.inColor.type"],
    broken: union({}, { properties: { type: { type: "string", const: "inColor" } } }),
    sound: union({}, { properties: { type: { type: "string", const: "in_color" } } }),
  },
  "a method without an area": {
    finds: ["method-name", "/methods/0/name", "addNote"],
    broken: protocolOf({}, [notificationOf("addNote", "agent", "Note")]),
    sound: protocolOf({}, [notificationOf("$/add_note", "agent", "Note")]),
  },
  "a vendor's method without an underscore": {
    finds: ["method-name", "/methods/0/name", "craft/openPanel", FEATURE],
    broken: vendor({ methods: [notificationOf("craft/openPanel", "agent", "Note")] }),
    sound: vendor({ methods: [notificationOf("_my-craft.dev/openPanel", "agent", "Note")] }),
  },
  "a vendor's name of a method that is a proposal": {
    finds: ["method-name", "/methods/0/name", "_craft/open_panel", FEATURE],
    broken: protocolOf(
      {},
      [],
      [featureOf("extra", { methods: [notificationOf("_craft/open_panel", "agent", "Note")] })],
    ),
    sound: vendor({ methods: [notificationOf("_craft/open_panel", "agent", "Note")] }),
  },
  "a vendor's tag without an underscore": {
    finds: ["value-name", "/add/Kind/oneOf/0/properties/type/const", "Kind.diagram.type", FEATURE],
    broken: vendor({ add: { Kind: { oneOf: [variant("diagram", {})] } } }),
    sound: vendor({
      add: { Kind: { oneOf: [variant("_myDiagram", {})] } },
    }),
  },
  "a vendor's value without an underscore": {
    finds: ["value-name", "/add/Color/anyOf/0/const", "Color.mauve", FEATURE],
    broken: vendor({ add: { Color: { anyOf: [{ description, const: "mauve" }] } } }),
    sound: vendor({
      add: { Color: { anyOf: [{ description, const: "_Mauve" }] } },
      // Values of the vendor's own enumerations are its own business.
      definitions: { CraftMode: { description, type: "string", enum: ["Fast"] } },
    }),
  },
  "a method that the other side handles": {
    finds: ["method-of-both-sides", "/methods/0/side", "note/add", FEATURE],
    broken: noting(note({}), {}, [{ methods: [notificationOf("note/add", "client", "Note")] }]),
    sound: noting(note({}), {}, [{ methods: [notificationOf("note/added", "client", "Note")] }]),
  },
  "a value that is listed twice": {
    finds: ["value-repeated", `${NOTE}/properties/color/enum/2`, "Note.color"],
    broken: noting(note({ color: { description, type: "string", enum: ["red", "blue", "red"] } })),
    sound: noting(note({ color: { description, type: "string", enum: ["red", "blue"] } })),
  },
  "a feature in kebab-case": {
    finds: ["feature-name", "/name", "note-color", "schema/v9/features/note-color.json"],
    broken: protocolOf({}, [], [featureOf("note-color", {})]),
    sound: protocolOf({}, [], [featureOf("note_color", {})]),
  },
  "an object that a message carries": {
    finds: ["meta-missing", "/$defs/Author", "Author"],
    broken: noting(note({ by: ref("Author") }), {
      Author: { description, type: "object", properties: { name: TEXT } },
    }),
    // A definition that only lends its properties to another object needs none.
    sound: noting(note({ by: { description, ...meta, allOf: [ref("Author")] } }), {
      Author: { description, type: "object", properties: { name: TEXT } },
    }),
  },
  "one variant of a union": {
    finds: ["meta-missing", "/$defs/Kind/oneOf/0", "Kind.plain"],
    broken: noting(note({ kind: ref("Kind") }), {
      Kind: { description, oneOf: [bare("plain"), variant("colored", {})] },
    }),
    sound: noting(note({ kind: ref("Kind") }), {
      Kind: { description, ...meta, oneOf: [bare("plain"), bare("colored")] },
    }),
  },
  "a definition that only itself refers to": {
    finds: ["unused-definition", "/$defs/Tree", "Tree"],
    broken: noting(note({}), { Tree: note({ parts: { description, items: ref("Tree") } }) }),
    sound: noting(note({ tree: ref("Tree") }), {
      Tree: note({ parts: { description, items: ref("Tree") } }),
    }),
  },
  "a method that nothing shows": {
    finds: ["examples-missing", "/methods/1/examples", "note/add"],
    broken: withMethod({ examples: [] }),
    sound: withMethod({}),
  },
  "a request whose example is not answered": {
    finds: ["examples-missing", "/methods/1/examples/0", "note/add"],
    broken: withMethod({ examples: [{ title: "Any", params: {} }] }),
    sound: withMethod({ examples: [{ title: "Any", params: {}, result: {} }] }),
  },
  "a definition that two features have": {
    finds: ["does-not-compose", "/$defs/Color", "v9", "schema/v9/features/extra_1.json"],
    broken: noting(note({}), {}, [
      { definitions: { Color: TEXT } },
      { definitions: { Color: TEXT } },
    ]),
    sound: noting(note({}), {}, [{ definitions: { Color: TEXT } }, { definitions: { Hue: TEXT } }]),
  },
  "a text that depends on the version": {
    finds: ["hedged", "/$defs/Note/properties/text/description", "Note.text"],
    broken: noting(
      note({
        text: { ...TEXT, description: "Whether it is kept depends on the protocol version." },
      }),
    ),
    sound: noting(note({ text: { ...TEXT, description: "The agent keeps it." } })),
  },
  "an update that does not say what it changes": {
    finds: ["session-state", "/$defs/Update/oneOf/0", "Update.one"],
    broken: updating(variant("one", {})),
    sound: updating({ ...variant("one", {}), "x-state": {} }),
  },
  "a path that leads nowhere": {
    finds: ["session-state", "/$defs/Update/oneOf/0/x-state/session/0", "Update.one"],
    broken: updating(changing("one", "color", "text")),
    sound: updating(changing("one", "color", "color")),
  },
  "a target with ids of two types": {
    finds: ["session-state", "/$defs/Update/oneOf/1/x-state/session/0", "Update.two"],
    broken: updating(changing("one", "color", "color"), changing("two", "other", "other")),
    sound: updating(changing("one", "color", "color"), changing("two", "color", "color")),
  },
};

function updating(...oneOf: JsonSchema[]): ProtocolSource {
  const add = { ...notificationOf("note/add", "client", "Note"), traits: ["updates-session"] };
  const definitions = { Color: TEXT, Other: TEXT, Update: { description, oneOf } };
  return protocolOf({ ...GREETING, Note: note({ update: ref("Update") }), ...definitions }, [
    INITIALIZE,
    add as MethodSource,
  ]);
}

/** An update with an id, by which it changes a target. */
function changing(tag: string, name: "color" | "other", id: string): JsonSchema {
  const property = { [name]: ref(name === "color" ? "Color" : "Other") };
  const properties = { type: { type: "string", const: tag }, ...property } as const;
  const change = { action: "upsert", target: "thing", id } as const;
  return { ...variant(tag, { properties }), "x-state": { session: [change] } };
}

function withoutGate({ "x-gate": _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function bare(tag: string): JsonSchema {
  const { "x-meta": _, ...rest } = variant(tag, {});
  return rest;
}

function beside(added: JsonSchema): ProtocolSource {
  const Kind = { description, oneOf: [variant("plain", {})] };
  const parts = { with: { extra_1: { Kind: { oneOf: [added] } } } };
  return noting(note({ kind: ref("Kind") }), { Kind }, [parts, {}]);
}

/** The base gates a property by a capability; a feature has another one. */
function colored(agent: string): ProtocolSource {
  return noting(note({ color: { ...TEXT, "x-gate": { agent } } }), {}, [
    { add: { AgentCapabilities: { properties: { colors: TEXT } } } },
  ]);
}

/** A feature whose frames have the colors of another one. */
function framed(requires: readonly string[]): ProtocolSource {
  const gate = { always: "ungated" } as const;
  const frame = { ...ref("Frame"), "x-gate": gate };
  return noting(note({}), {}, [
    {
      requires,
      definitions: { Frame: note({ color: ref("Color") }) },
      add: { Note: { properties: { frame } } },
    },
    {
      definitions: { Color: TEXT },
      add: { Note: { properties: { color: { ...ref("Color"), "x-gate": gate } } } },
    },
  ]);
}

/** A feature that adds to the colors of another one, always or where that is on. */
function hued(place: "add" | "with"): ProtocolSource {
  const hue = { Color: { properties: { hue: { ...TEXT, "x-gate": { always: "ungated" } } } } };
  return noting(note({}), {}, [
    place === "add" ? { add: hue } : { with: { extra_1: hue } },
    { definitions: { Color: note({}) } },
  ] as Parameters<typeof featureOf>[1][]);
}
