import { ownFields } from "../../../../model/map-shape.js";
import type { Field } from "../../../../model/shape.js";
import type { Json, JsonObject } from "../../../../schema/json-schema/json.js";
import type { FlowStepSource } from "../../../../schema/source/docs-source.js";
import { InputError } from "../../../../schema/problem.js";
import { createFlow, methodSentBy, type FlowMessage } from "../../model/flow-messages.js";
import type { Site } from "../../model/site.js";
import type { GuideExample } from "./guide-chunks.js";

/** A message in a guide, as it is on the wire. */
export interface GuideMessage extends Pick<
  FlowMessage,
  "from" | "kind" | "method" | "name" | "message"
> {
  /** The profile that it is a message of. */
  readonly site: Site;
  /** Whether it shows a mistake. */
  readonly isInvalid: boolean;
}

/**
 * The words before the JSON of a message in an `acp` fence: `client session/new` with
 * the params of a request or notification, `agent update tool_call` with the properties of
 * an update, `agent answers session/new` with a result, `agent fails session/new` with an error,
 * `client message` with a whole message. A version before them is that of another profile,
 * `invalid` after them marks a mistake. Params that lack a required `sessionId` get one.
 */
const USE =
  /^(?:(?<version>v\d+) )?(?<from>client|agent) (?:(?<form>answers|fails|update) )?(?<name>\S+?)(?<invalid> invalid)?$/;

const SESSION = "sess_8f2c";

/** Whether an example is a message. */
export function isMessageExample({ language, use }: GuideExample): boolean {
  return language === "json" && USE.test(use);
}

/**
 * The messages of a guide by their examples, with the ids that they have in the
 * order of the guide. A message of a profile that is not built has none.
 */
export function guideMessages(
  examples: readonly GuideExample[],
  site: Site,
): ReadonlyMap<GuideExample, GuideMessage> {
  const flows = new Map<Site, ReturnType<typeof createFlow>>();
  const found = new Map<GuideExample, GuideMessage>();
  for (const example of examples.filter(isMessageExample)) {
    const { version, from, form, name, invalid } = USE.exec(example.use)!.groups as unknown as {
      readonly version?: string;
      readonly from: "client" | "agent";
      readonly form?: "answers" | "fails" | "update";
      readonly name: string;
      readonly invalid?: string;
    };
    const own = version === undefined ? site : site.siblings.get(version);
    if (own === undefined) continue;
    const flow = flows.get(own) ?? createFlow(own, "answers-repeat");
    flows.set(own, flow);
    const value = readExampleJson(example) as JsonObject;
    const isInvalid = invalid !== undefined;
    if (name === "message") {
      const kind = "error" in value ? "error" : "id" in value ? "request" : "notification";
      const called = String(value["method"]);
      const message = { from, kind, method: undefined, name: called, message: value } as const;
      found.set(example, { site: own, isInvalid, ...message });
      continue;
    }
    const params = form === "update" ? { update: { sessionUpdate: name, ...value } } : value;
    const call = form === "update" ? "session/update" : name;
    const step: Partial<FlowStepSource> =
      form === "answers"
        ? { answers: name, result: value }
        : form === "fails"
          ? { answers: name, error: value as unknown as NonNullable<FlowStepSource["error"]> }
          : { method: call, params: isInvalid ? params : withSession(params, call, from, own) };
    found.set(example, { site: own, isInvalid, ...flow({ from, note: "", ...step }) });
  }
  return found;
}

/**
 * Reads the JSON of an example.
 *
 * @throws InputError for a text that is not JSON
 */
export function readExampleJson({ use, text }: GuideExample): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const message = `the message "${use}" of a guide is not JSON: ${String(error)}`;
    throw new InputError([{ message, hint: `Correct ${text}` }]);
  }
}

function withSession(params: JsonObject, name: string, from: string, site: Site): JsonObject {
  const type = site.definitions.get(methodSentBy(name, from, site)?.params ?? "");
  const isNeeded = (field: Field): boolean => field.name === "sessionId" && field.required;
  return type !== undefined && ownFields(type.shape).some(isNeeded)
    ? { sessionId: SESSION, ...params }
    : params;
}

/** The type of the value in a fence `type ContentBlock`, and the version before it. */
export function partOf({
  use,
}: GuideExample): { readonly version: string | undefined; readonly type: string } | undefined {
  const [, version, type] = /^(?:(v\d+) )?type (\w+)$/.exec(use) ?? [];
  return type === undefined ? undefined : { version, type };
}
