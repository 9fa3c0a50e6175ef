import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import type { MethodSource, ProtocolSource } from "../../../../generators/schema/source/sources.js";
import { featureOf, notificationOf, protocolOf, requestOf } from "../sources.js";

/** A small thing that a rule objects to, and the same thing as it should be. */
export interface LintCase {
  readonly what: string;
  readonly rule: string;
  /** Where the violation is found. */
  readonly pointer: string;
  readonly subject: string;
  /** The base module when absent. */
  readonly file?: string;
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

export const LINT_CASES: readonly LintCase[] = [
  {
    what: "a definition without a description",
    rule: "undocumented",
    pointer: NOTE,
    subject: "Note",
    broken: noting(meta),
    sound: noting({ description, ...meta }),
  },
  {
    what: "a property, also one that is called properties",
    rule: "undocumented",
    pointer: `${NOTE}/properties/properties`,
    subject: "Note.properties",
    broken: noting(note({ properties: { type: "string" } })),
    sound: noting(note({ properties: TEXT })),
  },
  {
    what: "a value of an enumeration",
    rule: "undocumented",
    pointer: "/$defs/Mood/oneOf/0",
    subject: "Mood.gay",
    broken: noting(note({ mood: ref("Mood") }), {
      Mood: { description, oneOf: [{ const: "gay" }] },
    }),
    sound: noting(note({ mood: ref("Mood") }), {
      Mood: { description, oneOf: [{ const: "gay", description }] },
    }),
  },
  {
    what: "a list of values, none of which can have one",
    rule: "undocumented",
    pointer: `${NOTE}/properties/mood/enum`,
    subject: "Note.mood",
    broken: noting(note({ mood: { description, enum: ["gay"] } })),
    sound: noting(note({ mood: { description, oneOf: [{ const: "gay", description }] } })),
  },
  {
    what: "a variant that a feature adds",
    rule: "undocumented",
    file: FEATURE,
    pointer: "/add/Kind/oneOf/0",
    subject: "Kind.colored",
    broken: union({ description: " " }),
    sound: union({}),
  },
  {
    what: "a method",
    rule: "undocumented",
    pointer: "/methods/1/summary",
    subject: "note/add",
    broken: withMethod({ summary: " " }),
    sound: withMethod({ summary: "Adds a note." }),
  },
  {
    what: "a property that a feature adds to a message",
    rule: "gate-missing",
    file: FEATURE,
    pointer: "/add/Note/properties/color",
    subject: "Note.color",
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
  {
    what: "a variant that a feature adds beside another one",
    rule: "gate-missing",
    file: FEATURE,
    pointer: "/with/extra_1/Kind/oneOf/0",
    subject: "Kind.colored",
    broken: beside(withoutGate(variant("colored", {}))),
    sound: beside(variant("colored", {})),
  },
  {
    what: "a method whose gate names nobody",
    rule: "gate-missing",
    pointer: "/methods/1/gate",
    subject: "note/add",
    broken: withMethod({ gate: { strength: "should" } }),
    sound: withMethod({ gate: { agent: "capabilities.notes", strength: "should" } }),
  },
  {
    what: "a capability that nobody can advertise",
    rule: "unknown-capability",
    pointer: "/methods/1/gate",
    subject: "note/add",
    broken: withMethod({ gate: { agent: "capabilities.note" } }),
    sound: withMethod({ gate: { client: "capabilities.notes" } }),
  },
  {
    what: "a vendor's capability without a name",
    rule: "unknown-capability",
    pointer: "/methods/1/gate",
    subject: "note/add",
    broken: withMethod({ gate: { agent: "capabilities._meta" } }),
    sound: withMethod({ gate: { agent: 'capabilities._meta["example.org"].notes' } }),
  },
  {
    what: "a reference of the base to a feature's definition",
    rule: "unstable-from-stable",
    pointer: `${NOTE}/properties/color/$ref`,
    subject: "Note.color",
    broken: noting(note({ color: ref("Color") }), {}, [{ definitions: { Color: TEXT } }]),
    sound: noting(note({ color: ref("Color") }), { Color: TEXT }),
  },
  {
    what: "a gate of the base on a feature's capability",
    rule: "unstable-from-stable",
    pointer: `${NOTE}/properties/color/x-gate`,
    subject: "Note.color",
    broken: colored("capabilities.colors"),
    sound: colored("capabilities.notes"),
  },
  {
    what: "a definition of a feature that is not required",
    rule: "unrequired-feature",
    file: FEATURE,
    pointer: "/$defs/Frame/properties/color/$ref",
    subject: "Frame.color",
    broken: framed([]),
    sound: framed(["extra_1"]),
  },
  {
    what: "an addition to a definition of a feature that is not required",
    rule: "unrequired-feature",
    file: FEATURE,
    pointer: "/add/Color",
    subject: "Color",
    broken: hued("add"),
    sound: hued("with"),
  },
  {
    what: "a feature that requires itself by another",
    rule: "requires-itself",
    file: FEATURE,
    pointer: "/requires",
    subject: "extra",
    broken: noting(note({}), {}, [{ requires: ["extra_1"] }, { requires: ["extra"] }]),
    sound: noting(note({}), {}, [{ requires: ["extra_1"] }, {}]),
  },
  {
    what: "a variant to stand behind that there is not",
    rule: "unknown-predecessor",
    file: FEATURE,
    pointer: "/add/Kind/oneOf/0/x-after/0",
    subject: "plane",
    broken: union({ "x-after": ["plane"] }),
    sound: union({ "x-after": ["plain"] }),
  },
  {
    what: "a method to stand behind that there is not, in the base too",
    rule: "unknown-predecessor",
    pointer: "/methods/1/after/0",
    subject: "note/new",
    broken: withMethod({ after: ["note/new"] }),
    sound: withMethod({ after: ["initialize"] }),
  },
  {
    what: "an order of variants in the base",
    rule: "misplaced-order",
    pointer: "/$defs/Kind/oneOf/0/x-after",
    subject: "Kind.plain",
    broken: union({}, { "x-after": ["colored"] }),
    sound: union({ "x-after": ["plain"] }),
  },
  {
    what: "a definition whose acronym is in capitals",
    rule: "definition-name",
    pointer: "/$defs/NoteURL",
    subject: "NoteURL",
    broken: noting(note({ url: ref("NoteURL") }), { NoteURL: TEXT }),
    sound: noting(note({ url: ref("NoteUrl") }), { NoteUrl: TEXT }),
  },
  {
    what: "a property in snake_case",
    rule: "property-name",
    pointer: `${NOTE}/properties/note_id`,
    subject: "Note.note_id",
    broken: noting(note({ note_id: TEXT })),
    sound: noting(note({ noteId: TEXT, _meta: { description, ...meta } })),
  },
  {
    what: "a tag in camelCase",
    rule: "value-name",
    pointer: "/$defs/Kind/oneOf/0/properties/type/const",
    subject: "Kind.inColor.type",
    broken: union({}, { properties: { type: { type: "string", const: "inColor" } } }),
    sound: union({}, { properties: { type: { type: "string", const: "in_color" } } }),
  },
  {
    what: "a method without an area",
    rule: "method-name",
    pointer: "/methods/0/name",
    subject: "addNote",
    broken: protocolOf({}, [notificationOf("addNote", "agent", "Note")]),
    sound: protocolOf({}, [notificationOf("$/add_note", "agent", "Note")]),
  },
  {
    what: "a vendor's method without an underscore",
    rule: "method-name",
    file: FEATURE,
    pointer: "/methods/0/name",
    subject: "craft/openPanel",
    broken: vendor({ methods: [notificationOf("craft/openPanel", "agent", "Note")] }),
    sound: vendor({ methods: [notificationOf("_my-craft.dev/openPanel", "agent", "Note")] }),
  },
  {
    what: "a vendor's name of a method that is a proposal",
    rule: "method-name",
    file: FEATURE,
    pointer: "/methods/0/name",
    subject: "_craft/open_panel",
    broken: protocolOf(
      {},
      [],
      [featureOf("extra", { methods: [notificationOf("_craft/open_panel", "agent", "Note")] })],
    ),
    sound: vendor({ methods: [notificationOf("_craft/open_panel", "agent", "Note")] }),
  },
  {
    what: "a vendor's tag without an underscore",
    rule: "value-name",
    file: FEATURE,
    pointer: "/add/Kind/oneOf/0/properties/type/const",
    subject: "Kind.diagram.type",
    broken: vendor({ add: { Kind: { oneOf: [variant("diagram", {})] } } }),
    sound: vendor({
      add: { Kind: { oneOf: [variant("_myDiagram", {})] } },
    }),
  },
  {
    what: "a vendor's value without an underscore",
    rule: "value-name",
    file: FEATURE,
    pointer: "/add/Color/anyOf/0/const",
    subject: "Color.mauve",
    broken: vendor({ add: { Color: { anyOf: [{ description, const: "mauve" }] } } }),
    sound: vendor({
      add: { Color: { anyOf: [{ description, const: "_Mauve" }] } },
      // Values of the vendor's own enumerations are its own business.
      definitions: { CraftMode: { description, type: "string", enum: ["Fast"] } },
    }),
  },
  {
    what: "a method that the other side handles",
    rule: "method-of-both-sides",
    file: FEATURE,
    pointer: "/methods/0/side",
    subject: "note/add",
    broken: noting(note({}), {}, [{ methods: [notificationOf("note/add", "client", "Note")] }]),
    sound: noting(note({}), {}, [{ methods: [notificationOf("note/added", "client", "Note")] }]),
  },
  {
    what: "a value that is listed twice",
    rule: "value-repeated",
    pointer: `${NOTE}/properties/color/enum/2`,
    subject: "Note.color",
    broken: noting(note({ color: { description, type: "string", enum: ["red", "blue", "red"] } })),
    sound: noting(note({ color: { description, type: "string", enum: ["red", "blue"] } })),
  },
  {
    what: "a feature in kebab-case",
    rule: "feature-name",
    file: "schema/v9/features/note-color.json",
    pointer: "/name",
    subject: "note-color",
    broken: protocolOf({}, [], [featureOf("note-color", {})]),
    sound: protocolOf({}, [], [featureOf("note_color", {})]),
  },
  {
    what: "an object that a message carries",
    rule: "meta-missing",
    pointer: "/$defs/Author",
    subject: "Author",
    broken: noting(note({ by: ref("Author") }), {
      Author: { description, type: "object", properties: { name: TEXT } },
    }),
    // A definition that only lends its properties to another object needs none.
    sound: noting(note({ by: { description, ...meta, allOf: [ref("Author")] } }), {
      Author: { description, type: "object", properties: { name: TEXT } },
    }),
  },
  {
    what: "one variant of a union",
    rule: "meta-missing",
    pointer: "/$defs/Kind/oneOf/0",
    subject: "Kind.plain",
    broken: noting(note({ kind: ref("Kind") }), {
      Kind: { description, oneOf: [bare("plain"), variant("colored", {})] },
    }),
    sound: noting(note({ kind: ref("Kind") }), {
      Kind: { description, ...meta, oneOf: [bare("plain"), bare("colored")] },
    }),
  },
  {
    what: "a definition that only itself refers to",
    rule: "unused-definition",
    pointer: "/$defs/Tree",
    subject: "Tree",
    broken: noting(note({}), { Tree: note({ parts: { description, items: ref("Tree") } }) }),
    sound: noting(note({ tree: ref("Tree") }), {
      Tree: note({ parts: { description, items: ref("Tree") } }),
    }),
  },
  {
    what: "a method that nothing shows",
    rule: "examples-missing",
    pointer: "/methods/1/examples",
    subject: "note/add",
    broken: withMethod({ examples: [] }),
    sound: withMethod({}),
  },
  {
    what: "a request whose example is not answered",
    rule: "examples-missing",
    pointer: "/methods/1/examples/0",
    subject: "note/add",
    broken: withMethod({ examples: [{ title: "Any", params: {} }] }),
    sound: withMethod({ examples: [{ title: "Any", params: {}, result: {} }] }),
  },
  {
    what: "a definition that two features have",
    rule: "does-not-compose",
    file: "schema/v9/features/extra_1.json",
    pointer: "/$defs/Color",
    subject: "v9",
    broken: noting(note({}), {}, [
      { definitions: { Color: TEXT } },
      { definitions: { Color: TEXT } },
    ]),
    sound: noting(note({}), {}, [{ definitions: { Color: TEXT } }, { definitions: { Hue: TEXT } }]),
  },
  {
    what: "a text that depends on the version",
    rule: "hedged",
    pointer: "/$defs/Note/properties/text/description",
    subject: "Note.text",
    broken: noting(
      note({
        text: { ...TEXT, description: "Whether it is kept depends on the protocol version." },
      }),
    ),
    sound: noting(note({ text: { ...TEXT, description: "The agent keeps it." } })),
  },
  {
    what: "an update that does not say what it changes",
    rule: "session-state",
    pointer: "/$defs/Update/oneOf/0",
    subject: "Update.one",
    broken: updating(variant("one", {})),
    sound: updating({ ...variant("one", {}), "x-state": {} }),
  },
  {
    what: "a path that leads nowhere",
    rule: "session-state",
    pointer: "/$defs/Update/oneOf/0/x-state/session/0",
    subject: "Update.one",
    broken: updating(changing("one", "color", "text")),
    sound: updating(changing("one", "color", "color")),
  },
  {
    what: "a target with ids of two types",
    rule: "session-state",
    pointer: "/$defs/Update/oneOf/1/x-state/session/0",
    subject: "Update.two",
    broken: updating(changing("one", "color", "color"), changing("two", "other", "other")),
    sound: updating(changing("one", "color", "color"), changing("two", "color", "color")),
  },
];

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
