import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import {
  isOf,
  type MessageExample,
  type ConventionSource,
  type FlowSource,
} from "../../../schema/source/docs-source.js";
import type { RuleSource } from "../../../schema/source/rule-source.js";
import { InputError, type Problem, jsonPointer } from "../../../schema/problem.js";
import { isValid } from "../../../model/sample/conforms.js";
import { conventionsOf, exampleOf, rulesOf } from "../model/profile-rules.js";
import { methodSentBy, flowMessages, flowsOf } from "../model/flow-messages.js";
import { chunksOf, type GuideExample } from "../articles/guides/guide-chunks.js";
import { guidesOf, type Guide } from "../articles/guides/read-guides.js";
import {
  guideMessages,
  isMessageExample,
  partOf,
  readExampleJson,
  type GuideMessage,
} from "../articles/guides/guide-messages.js";
import type { Site } from "../model/site.js";
import type { Definition } from "../../../model/protocol.js";
import { findMismatch } from "../../../schema/json-schema/find-mismatch.js";

/**
 * Checks the inputs of the site: the names of types must be usable as addresses,
 * the messages of flows, rules and guides are as declared.
 *
 * @throws InputError with every problem found
 */
export function checkDocs(site: Site, guides: readonly Guide[]): void {
  const problems = [
    ...typeNameProblems(site.protocol.definitions),
    ...flowsOf(site).flatMap((flow) => flowProblems(flow, site)),
    ...lifecycleProblems(site),
    ...versionNoteProblems(site),
    ...conventionsOf(site).flatMap((convention) => conventionProblems(convention, site)),
    ...rulesOf(site).flatMap((rule) => ruleExampleProblems(rule, site)),
    ...guidesOf(guides, site).flatMap((guide) => guideProblems(guide, site)),
  ];
  if (problems.length > 0) throw new InputError(problems);
}

/** The messages of a flow are those that the profile has. */
export function flowProblems(flow: FlowSource, site: Site): readonly Problem[] {
  return flowMessages(flow, site).flatMap(({ kind, method, name, message }, index) => {
    const where = `the flow ${flow.id}, step ${index + 1} (${name})`;
    if (method === undefined) return [problem(where, "this side has no such method", site)];
    if (kind === "error") return [];
    const [type, value] =
      kind === "result" ? [method.result, message["result"]] : [method.params, message["params"]];
    if (type === undefined) return [problem(where, "a notification has no result", site)];
    return fitsType(type, value!, site) ? [] : [problem(where, `does not fit ${type}`, site)];
  });
}

/** Checks that each transition of a session's life leads from one existing state to another. */
function lifecycleProblems(site: Site): readonly Problem[] {
  return site.docs.lifecycle
    .filter((lifecycle) => isOf(lifecycle, site.protocol.version))
    .flatMap(({ states, transitions }) =>
      transitions
        .flatMap(({ from, to }) => [from, to])
        .filter((name) => !states.some(({ id }) => id === name))
        .map((name) => problem(`the state ${name} of the lifecycle`, "is not there", site)),
    );
}

/** Checks that the notes between versions name methods and types that their versions have. */
function versionNoteProblems(site: Site): readonly Problem[] {
  const { version } = site.protocol;
  return site.docs.betweenVersions
    .flatMap(({ from, to, before, after }) => [
      ...(from === version ? before : []),
      ...(to === version ? after : []),
    ])
    .filter((name) => !site.definitions.has(name) && !site.methodPaths.has(name))
    .map((name) => problem(`the note about ${name} between versions`, "is about nothing", site));
}

/** The messages of a rule of conduct are valid, or break what they are said to break. */
export function conventionProblems(
  { id, valid, invalid }: ConventionSource,
  site: Site,
): readonly Problem[] {
  const wrong = (
    cases: readonly MessageExample[],
    expected: boolean,
    mistake: string,
  ): readonly Problem[] =>
    cases
      .filter((item) => isOf(item, site.protocol.version) && item.message !== undefined)
      .filter(
        (item) =>
          messageFits(item.message!, item.from!, site) !== (expected || item.breaks === "rule"),
      )
      .map(({ note }) => problem(`the rule ${id}, "${note}"`, mistake, site));
  return [
    ...wrong(valid, true, "is invalid"),
    ...wrong(invalid, false, "is not what it is said to break"),
  ];
}

/** The conversation that keeps a rule consists of messages that the profile has. */
export function ruleExampleProblems(rule: RuleSource, site: Site): readonly Problem[] {
  return (exampleOf(rule, site)?.valid ?? []).flatMap(({ from, message }, index) => {
    const { method } = message as { readonly method?: string };
    const isKnown = method === undefined || /^[_$]/.test(method) || site.methodPaths.has(method);
    if (isKnown && messageFits(message as JsonObject, from, site)) return [];
    return [problem(`the rule ${rule.id}, line ${index + 1}`, "is not a valid message", site)];
  });
}

/** The messages and parts of messages in a guide fit the profile. */
export function guideProblems(guide: Guide, site: Site): readonly Problem[] {
  try {
    const own = chunksOf(guide.examples, site);
    const messages = guideMessages(own, site);
    return own.flatMap((example): Problem[] => {
      const mistake = mistakeIn(example, messages.get(example), site);
      if (mistake === undefined) return [];
      const text = example.text.replace(/\s+/g, " ").slice(0, 60);
      const where = `the guide ${guide.article.path}, "${example.use}", ${text}`;
      return [{ ...(guide.isOwn && { file: guide.file }), ...problem(where, mistake, site) }];
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map((one) => ({ ...(guide.isOwn && { file: guide.file }), ...one }));
  }
}

/**
 * Returns what is wrong with an example of a guide; undefined for nothing.
 *
 * @throws InputError for an example that is not JSON
 */
function mistakeIn(
  example: GuideExample,
  message: GuideMessage | undefined,
  site: Site,
): string | undefined {
  if (example.language !== "json" || /^(file|in) /.test(example.use)) return undefined;
  if (message !== undefined) {
    if (guideMessageFits(message) !== message.isInvalid) return undefined;
    return message.isInvalid ? "is valid" : `is not a valid message${reasonOf(message)}`;
  }
  const part = partOf(example);
  const owner = part?.version === undefined ? site : site.siblings.get(part.version);
  if (part !== undefined && owner?.definitions.has(part.type) !== false) {
    const value = readExampleJson(example);
    if (owner === undefined || fitsType(part.type, value, owner)) return undefined;
    return `does not fit ${part.type}${misfit(part.type, value, owner)}`;
  }
  return isMessageExample(example)
    ? undefined
    : "does not say what it is: <side> <method>, type <Name> or file <name>";
}

/** Checks that a message of a guide fits the method that it calls or answers. */
function guideMessageFits({ kind, method, name, message, site, from }: GuideMessage): boolean {
  if (kind === "error") return fitsType("Error", message["error"]!, site);
  if (method === undefined)
    return (/^[_$]/.test(name) || site.methodPaths.has(name)) && messageFits(message, from, site);
  if (kind !== "result") return fitsType(method.params, message["params"]!, site);
  return method.result !== undefined && fitsType(method.result, message["result"]!, site);
}

/** Says why a message does not fit, where that is known: the method, or the first part. */
function reasonOf({ kind, method, name, message, site, from }: GuideMessage): string {
  if (method === undefined)
    return site.methodPaths.has(name) ? "" : `: the ${from} sends no "${name}"`;
  const [type, part] =
    kind === "result" ? ([method.result, "result"] as const) : ([method.params, "params"] as const);
  return type === undefined ? "" : misfit(type, message[part]!, site);
}

/** Says what the first part of a value that does not fit should be. */
function misfit(type: string, value: Json, { protocol }: Site): string {
  const { $defs = {} } = protocol.schema;
  const found = findMismatch({ $ref: `#/$defs/${type}` }, value, $defs);
  return found === undefined
    ? ""
    : `: ${jsonPointer(found.path) || "it"} should be ${found.expected}`;
}

/** Checks that a request or notification is a whole message with valid params; other messages only need their envelope. */
function messageFits(message: JsonObject, from: string, site: Site): boolean {
  if (message["jsonrpc"] !== "2.0") return false;
  const name = message["method"];
  if (typeof name !== "string") return true;
  const method = methodSentBy(name, from, site);
  // A method that the protocol does not have is an extension and may have any params.
  return method === undefined || fitsType(method.params, message["params"] ?? {}, site);
}

function fitsType(name: string, value: Json, { definitions, definitionOf }: Site): boolean {
  // Another protocol may have no errors of its own.
  if (!definitions.has(name)) return false;
  return isValid({ shape: { kind: "reference", name }, nullable: false }, value, definitionOf);
}

function problem(where: string, mistake: string, { protocol }: Site): Problem {
  const message = `${where}: ${mistake} (${protocol.profile})`;
  return { message, hint: "Correct it or the schema." };
}

/** Names that are valid file names on every system and identifiers; longer file names are cut. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,79}$/;

/**
 * Reports type names that cannot serve as page addresses: names with characters other than letters
 * and digits, and names that differ only in case. An address is the unchanged name, so it does not
 * depend on other types.
 */
function typeNameProblems(definitions: readonly Definition[]): readonly Problem[] {
  const taken = new Map<string, string>();
  return definitions.flatMap(({ name, file }): Problem[] => {
    const where = { ...(file !== undefined && { file }), pointer: jsonPointer(["$defs", name]) };
    if (!NAME.test(name)) {
      const message = `${JSON.stringify(name)} cannot be the address of a page`;
      const hint = "Name the type with at most 80 letters and digits, a letter first.";
      return [{ ...where, message, hint }];
    }
    const other = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), other ?? name);
    if (other === undefined) return [];
    const message = `the types "${other}" and "${name}" would have the same page where capitals do not count`;
    return [{ ...where, message, hint: "Rename one of them." }];
  });
}
