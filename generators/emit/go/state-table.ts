import { stateTable, type UpdateChange, type StateTable } from "../../model/session-state.js";
import type { Protocol } from "../../model/protocol.js";
import { go, indent, joinGo, literal, type Go } from "./code.js";

/** A row of the table, as the runtime names its members; those that are empty are left out. */
type Row = { readonly [member: string]: Value };
type Value =
  string | true | undefined | readonly string[] | readonly Row[] | ReadonlyMap<string, string>;

/** The lists of the table in Go, and the types of their rows. */
export interface GoStateTable {
  readonly Updates: readonly Row[];
  readonly Messages: readonly Row[];
  readonly Targets: readonly Row[];
  readonly Merges: boolean;
}

/** Returns how messages change states, in the form of the runtime. */
export function goStateTable(protocol: Protocol): GoStateTable {
  const table = stateTable(protocol);
  return {
    Updates: Object.entries(table.updates).map(([Tag, changes]) => ({
      Tag,
      Changes: changes.map(({ action, target, id, field, value }) => ({
        Action: action,
        Target: target,
        ID: id,
        Field: field,
        Value: value,
      })),
    })),
    Messages: Object.entries(table.messages).flatMap(([Method, changes]) =>
      changes.map(({ part, from, tag, as, target, isList }) => ({
        ...{ Method, Part: part, From: from, Tag: tag, As: as, Target: target, IsList: isList },
      })),
    ),
    Targets: Object.keys(table.targets).map((name) => targetRow(name, table)),
    Merges: table.mergesMeta,
  };
}

function targetRow(name: string, { updates, targets }: StateTable): Row {
  const {
    kind,
    id,
    list,
    bytes,
    defaults,
    keepsNull,
    entry,
    joins,
    isUpdate,
    isValue,
    isIdOptional,
  } = targets[name]!;
  const reports = ({ action, target }: UpdateChange): boolean =>
    target === name && (action === "upsert" || action === "replace");
  const tags = Object.keys(updates).filter((tag) => updates[tag]!.some(reports));
  const patches = tags.find((tag) => updates[tag]!.some(({ action }) => action === "upsert"));
  const values = Object.entries(defaults ?? {});
  return {
    Name: name,
    Tag: isValue ? name : (kind ?? patches ?? tags[0] ?? name),
    ID: id,
    List: list,
    Bytes: bytes,
    Defaults: new Map(values.map(([field, value]) => [field, JSON.stringify(value)])),
    KeepsNull: keepsNull,
    HasOrder: entry === undefined ? undefined : true,
    Joins: joins,
    IsUpdate: isUpdate,
    IsValue: isValue,
    IsIDOptional: isIdOptional,
  };
}

/** Prints the table as typed code. */
export function printStateTable(protocol: Protocol): Go {
  const { Updates, Messages, Targets, Merges } = goStateTable(protocol);
  const list = (member: string, type: string, rows: readonly Row[]): Go => {
    const lines = joinGo(
      rows.map((row) => go`${printRow(row)},\n`),
      "",
    );
    return rows.length === 0 ? go`` : go`${member as Go}: []${type as Go}{\n${indent(lines)}},\n`;
  };
  return go`// stateTable returns how messages change the state of a session.
func stateTable() *role.StateTable {
	return &role.StateTable{
${indent(indent(joinGo([list("Updates", "role.StateUpdate", Updates), list("Messages", "role.MessageChange", Messages), list("Targets", "*role.StateTarget", Targets), go`Merges: ${(Merges ? "true" : "false") as Go},\n`], "")))}	}
}
`;
}

function printRow(row: Row): Go {
  const members = Object.entries(row).flatMap(([member, value]) => {
    const printed = value === undefined ? undefined : printValue(value);
    return printed === undefined ? [] : [go`${member as Go}: ${printed}`];
  });
  return go`{${joinGo(members, ", ")}}`;
}

function printValue(value: Exclude<Value, undefined>): Go | undefined {
  if (value === true) return go`true`;
  if (typeof value === "string") return literal(value);
  if (value instanceof Map) {
    const members = [...value].map(([key, one]) => go`${literal(key)}: ${literal(one)}`);
    return members.length === 0 ? undefined : go`map[string]string{${joinGo(members, ", ")}}`;
  }
  const items = value as readonly (string | Row)[];
  if (items.length === 0) return undefined;
  const isText = typeof items[0] === "string";
  const printed = items.map((one) => (typeof one === "string" ? literal(one) : printRow(one)));
  return go`[]${(isText ? "string" : "role.StateChange") as Go}{${joinGo(printed, ", ")}}`;
}
