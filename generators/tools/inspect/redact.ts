import { constants } from "node:os";
import { FIELD_FLAGS, type FieldNode, type TableNode } from "../../model/check-table.js";
import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import type { Captured, Recorded, Side } from "./inspector-api.js";

/** The definitions whose values stay readable: ids, and the version that selects the schema. */
const KEPT_DEFINITION = /(Id|Version)$/;

/** The requests whose results have the version. */
const INITIALIZE = /(^|\/)initialize$/;

/** How many ids of unanswered requests are remembered; a response to a forgotten one is masked as a whole. */
const MOST_OPEN = 10_000;

/** What the schema says about the places of a profile's messages. */
export interface Positions {
  /** The number of the protocol version. */
  readonly version: number;
  readonly methods: readonly PositionedMethod[];
  /** The checks by definition. */
  readonly table: Table;
}

interface PositionedMethod {
  readonly name: string;
  readonly kind: string;
  readonly side: string;
  readonly params: string;
  readonly result?: string;
}

type Table = { readonly [definition: string]: TableNode };

/** A place in a schema. */
interface Position {
  readonly node: TableNode;
  readonly table: Table;
}

/** A place without references, unions and tags. */
interface Form {
  readonly node: Exclude<TableNode, string>;
  readonly table: Table;
  /** Whether a value of this form stays readable. */
  readonly isKept: boolean;
}

type ObjectForm = Form & {
  readonly node: Extract<TableNode, readonly [kind: "object", ...unknown[]]>;
};

interface OpenRequest {
  readonly method: string;
  readonly from: Side | undefined;
}

/**
 * Masks the messages of one conversation by their schema. The names that it declares stay, and so
 * do tags, listed values of enumerations, ids, and booleans. In everything else letters become `x`,
 * digits of texts `0` and digits of numbers `9`. Types, signs, and the forms of paths and addresses
 * stay, so that a masked message is checked like the original.
 */
export class Redactor {
  readonly #profiles: readonly Positions[];
  /** The profile of the version that the conversation has agreed on; all of them before. */
  #current: readonly Positions[];
  readonly #open = new Map<string, readonly OpenRequest[]>();
  #masks = new Masks();

  /** @param profiles one for each version that the conversation may agree on */
  constructor(profiles: readonly Positions[]) {
    this.#profiles = this.#current = profiles;
  }

  /** Masks a message, a line that is not one, or another event. */
  captured(captured: Captured): Captured {
    if ("recorded" in captured) {
      const { recorded, ...place } = captured;
      try {
        return { ...place, recorded: { ...recorded, message: this.message(recorded) } };
      } catch {
        const reason = "the message is nested too deeply to be masked";
        const { from } = recorded;
        const broken = { rule: "too-deep", message: reason, ...(from !== undefined && { from }) };
        return { ...place, broken };
      }
    }
    if ("broken" in captured) {
      const { rule, message, text = "", ...broken } = captured.broken;
      // A parser quotes what it cannot read.
      const reason = rule === "not-json" ? "the line is not JSON" : message;
      return { ...captured, broken: { ...broken, rule, message: reason, text: maskText(text) } };
    }
    const { text, signal, ...event } = captured.event;
    const masked = {
      ...event,
      ...(text !== undefined && { text: maskText(text) }),
      ...(signal !== undefined && { signal: signal in constants.signals ? signal : "masked" }),
    };
    return { ...captured, event: masked };
  }

  /**
   * Returns a masked message, whose members are in the order of the original.
   *
   * @throws RangeError for a message that is nested too deeply
   */
  message({ message, from }: Recorded): Json {
    this.#masks = new Masks();
    const items = Array.isArray(message) ? (message as readonly Json[]) : undefined;
    return items?.map((item) => this.#one(item, from)) ?? this.#one(message as Json, from);
  }

  #one(message: Json, from: Side | undefined): Json {
    if (!isObject(message)) return this.#mask([], message);
    const { id = null, method } = message;
    const answered = "method" in message ? undefined : this.#take(id, from);
    if (typeof method === "string" && INITIALIZE.test(method)) this.#current = this.#profiles;
    const kind = "id" in message ? "request" : "notification";
    if (typeof method === "string" && kind === "request") this.#ask(id, method, from);
    const envelopes = this.#current.map(({ table, methods }): Position => {
      const named = (request: OpenRequest | undefined, as: string): readonly PositionedMethod[] =>
        methods.filter(
          ({ name, kind: of, side }) =>
            name === request?.method && of === as && side !== request.from,
        );
      const params = named({ method: String(method), from }, kind).map((one) => one.params);
      const results = named(answered, "request").flatMap(({ result = [] }) => result);
      const names = methods.map(({ name }) => name);
      return { table, node: envelopeOf(names, params, results) };
    });
    const masked = this.#mask(envelopes, message);
    if (answered !== undefined && INITIALIZE.test(answered.method)) this.#agree(message["result"]);
    return masked;
  }

  #ask(id: Json, method: string, recorded: Side | undefined): void {
    const [handler] = this.#current.flatMap(({ methods }) =>
      methods.flatMap(({ name, kind, side }) =>
        name === method && kind === "request" ? side : [],
      ),
    );
    const asker = handler === "agent" ? "client" : handler === "client" ? "agent" : undefined;
    const from = recorded ?? asker;
    const key = JSON.stringify(id);
    const others = (this.#open.get(key) ?? []).filter((one) => one.from !== from);
    this.#open.set(key, [...others, { method, from }]);
    if (this.#open.size > MOST_OPEN) this.#open.delete(this.#open.keys().next().value!);
  }

  /** Removes and returns the request that a response answers; of two with the same id the later one. */
  #take(id: Json, from: Side | undefined): OpenRequest | undefined {
    const key = JSON.stringify(id);
    const open = this.#open.get(key) ?? [];
    const answered = open.findLast((one) => from === undefined || one.from !== from);
    const others = open.filter((one) => one !== answered);
    if (others.length > 0) this.#open.set(key, others);
    else this.#open.delete(key);
    return answered;
  }

  #agree(result: Json | undefined): void {
    const agreed = isObject(result) ? result["protocolVersion"] : undefined;
    if (typeof agreed !== "number") return;
    const lower = this.#profiles.filter(({ version }) => version <= agreed);
    const nearest = Math.max(...lower.map(({ version }) => version));
    if (lower.length > 0) this.#current = lower.filter(({ version }) => version === nearest);
  }

  /** @param isInMap whether it is the value of a key that no schema names, so that no scalar stays */
  #mask(positions: readonly Position[], value: Json, isInMap = false): Json {
    if (value === null) return value;
    const forms = positions.flatMap((position) => formsOf(position, value));
    if (Array.isArray(value)) {
      const items = forms.flatMap(({ node, table }) =>
        node[0] === "list" ? { node: node[1], table } : [],
      );
      return value.map((item: Json) => this.#mask(items, item, isInMap));
    }
    if (isObject(value)) return this.#object(forms, value);
    const scalar = value as string | number | boolean;
    if (!isInMap && isReadable(forms, scalar)) return scalar;
    if (typeof scalar === "string") return this.#masks.text(scalar);
    return typeof scalar === "number" ? maskNumber(scalar, forms) : false;
  }

  #object(forms: readonly Form[], value: JsonObject): Json {
    const objects = forms.filter((form): form is ObjectForm => form.node[0] === "object");
    const fits = ({ node: [kind, fields] }: Form): boolean =>
      kind === "any" ||
      kind === "map" ||
      (kind === "object" &&
        (fields as readonly FieldNode[]).every(
          ([name, , flags]) => (flags & FIELD_FLAGS.required) === 0 || Object.hasOwn(value, name),
        ));
    const fitted = new Set(forms.filter(fits).map(({ table }) => table));
    const declaring = objects.filter((form) => fits(form) || !fitted.has(form.table));
    const values = forms.flatMap(({ node, table }) =>
      node[0] === "map" ? { node: node[1], table } : [],
    );
    const masked: { [key: string]: Json } = {};
    for (const [key, member] of Object.entries(value)) {
      const declared = declaring.flatMap(({ node: [, fields], table }) =>
        fields.flatMap(([name, node]) => (name === key ? { node, table } : [])),
      );
      const isDeclared = declared.length > 0;
      Object.defineProperty(masked, isDeclared ? key : this.#masks.name(key, value, masked), {
        value: isDeclared ? this.#mask(declared, member) : this.#mask(values, member, true),
        enumerable: true,
      });
    }
    return masked;
  }
}

/** The masks of one message: different texts have different ones, the same text has one. */
class Masks {
  readonly #byText = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  text(text: string): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const plain = maskText(text);
    const count = (this.#counts.get(plain) ?? 0) + 1;
    this.#counts.set(plain, count);
    // A mask has no digit but 0, and a text that needs no mask keeps its form.
    const mask = count === 1 ? plain : `${plain}-${count}`;
    this.#byText.set(text, mask);
    return mask;
  }

  /** Masks the name of a member that no schema declares. */
  name(key: string, holder: JsonObject, masked: JsonObject): string {
    // An index would be sorted before the other names.
    let mask = this.text(key).replace(/^\d/, "x");
    while (Object.hasOwn(masked, mask) || Object.hasOwn(holder, mask)) mask += "x";
    return mask;
  }
}

/**
 * Masks a text: letters and other signs become `x`, digits `0`. The signs that form paths,
 * addresses and names stay, and so do blanks.
 */
export function maskText(text: string): string {
  return text.replace(/[0-9]/g, "0").replace(/[^\s0/\\:._$-]/gu, "x");
}

/** Masks a number. Its type stays, and on which side of the limits of its place it is. */
function maskNumber(value: number, forms: readonly Form[]): number {
  const limits = [0, ...forms.flatMap(({ node }) => limitsOf(node))];
  const verdict = (number: number): string =>
    [
      ...limits.map((limit) => Math.sign(number - limit)),
      Number.isInteger(number),
      Number.isSafeInteger(number),
    ].join();
  const candidates = limits.flatMap((limit) => [0, 1, -1, 0.5, -0.5].map((step) => limit + step));
  const plain = Number(String(value).replace(/\d/g, "9"));
  const same = [...(value === 0 ? [] : [plain]), ...candidates, 2 ** 53, -(2 ** 53)].find(
    (number) => Number.isFinite(number) && verdict(number) === verdict(value),
  );
  return same ?? 0;
}

function limitsOf(node: Form["node"]): readonly number[] {
  if (node[0] !== "integer" && node[0] !== "number") return [];
  return node.slice(1).filter((limit) => typeof limit === "number");
}

/** The node of messages whose method or request is known by its name. */
function envelopeOf(
  methods: readonly string[],
  params: readonly string[],
  results: readonly string[],
): TableNode {
  const union = (names: readonly string[]): TableNode => ["union", false, names, []];
  const fields: readonly FieldNode[] = [
    ["jsonrpc", ["enum", "string", ["2.0"], false], 0],
    ["id", "RequestId", 0],
    ["method", ["enum", "string", methods, true], 0],
    ["params", union(params), 0],
    ["result", union(results), 0],
    ["error", "Error", 0],
  ];
  return ["object", fields, false];
}

/** Returns the forms of a place that a value may have. */
function formsOf({ node, table }: Position, value: Json, isKept = false): readonly Form[] {
  if (typeof node === "string") {
    const definition = table[node];
    const isNamed = isKept || KEPT_DEFINITION.test(node);
    return definition === undefined ? [] : formsOf({ node: definition, table }, value, isNamed);
  }
  switch (node[0]) {
    case "nullable":
      return formsOf({ node: node[1], table }, value, isKept);
    case "union":
      return node[2].flatMap((alternative) =>
        withFields(formsOf({ node: alternative, table }, value, isKept), node[3], table),
      );
    case "tagged": {
      const [, tag, variants, [open, fallback, absent], shared] = node;
      const given = isObject(value) ? value[tag] : undefined;
      const isListed = typeof given === "string" && Object.hasOwn(variants, given);
      const other = typeof given === "string" ? (open ?? fallback) : (absent ?? fallback);
      const bodies = [isListed ? variants[given]! : other, isListed ? fallback : null];
      const tagField: FieldNode = [tag, ["enum", "string", Object.keys(variants), true], 0];
      const found = bodies.flatMap((body) => (body ? formsOf({ node: body, table }, value) : []));
      const empty: Form = { node: ["object", [], false], table, isKept };
      return withFields(found.length > 0 ? found : [empty], [tagField, ...shared], table);
    }
    default:
      return [{ node, table, isKept: isKept || node[0] === "boolean" }];
  }
}

/** Adds the properties that alternatives share. */
function withFields(
  forms: readonly Form[],
  shared: readonly FieldNode[],
  table: Table,
): readonly Form[] {
  if (shared.length === 0) return forms;
  return forms.map(({ node, isKept }) => {
    const own = node[0] === "object" ? node[1] : [];
    return { node: ["object", [...shared, ...own], false], table, isKept };
  });
}

/** The kinds of forms that accept a value of a type. */
const ACCEPTING: { readonly [type: string]: readonly string[] } = {
  string: ["any", "string"],
  number: ["any", "integer", "number"],
  boolean: ["any", "boolean"],
};

/** Returns whether every form that a value may have says that it stays readable, or one lists it. */
function isReadable(forms: readonly Form[], value: string | number | boolean): boolean {
  const isListed = ({ node }: Form): boolean =>
    node[0] === "enum" && (node[2] as readonly unknown[]).includes(value);
  const accepting = forms.filter(({ node }) => ACCEPTING[typeof value]!.includes(node[0]));
  return forms.some(isListed) || (accepting.length > 0 && accepting.every(({ isKept }) => isKept));
}
