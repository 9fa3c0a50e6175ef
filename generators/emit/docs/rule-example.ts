import { isValid } from "../../model/sample/fits.js";
import { isObject, type Json, type JsonObject } from "../../schema/json.js";
import type { RuleExample, RuleSource } from "../../schema/rule-source.js";
import { findMethod } from "./flow.js";
import type { Site } from "./site.js";

/**
 * The example of a rule that a profile can show: the first whose valid
 * conversation is one of its version, with methods and types that it has.
 */
export function fittingExample({ examples }: RuleSource, site: Site): RuleExample | undefined {
  return examples.find(({ valid, version }) => {
    const { versionNumber } = site.protocol;
    return (version ?? versionNumber) === versionNumber && isOfProfile(valid, site);
  });
}

/** Whether a profile has everything that a conversation speaks of; extensions are anybody's. */
function isOfProfile(conversation: RuleExample["valid"], site: Site): boolean {
  const asked = new Map<string, string>();
  return conversation.every(({ from, message }) => {
    if (!isObject(message)) return true;
    const { method: name, id, params, result } = message as JsonObject;
    if (typeof name === "string") {
      const method = findMethod(name, from, site);
      if (method === undefined) return /^(_|\$\/)/.test(name);
      if (method.result !== undefined) asked.set(`${from} ${JSON.stringify(id)}`, method.result);
      return fitsType(method.params, params ?? {}, site);
    }
    if (result === undefined) return true;
    const type = asked.get(`${from === "agent" ? "client" : "agent"} ${JSON.stringify(id)}`);
    if (isObject(result) && isOtherVersion(result as JsonObject, site)) return false;
    return type === undefined || fitsType(type, result, site);
  });
}

/** The answer to `initialize` says the version that the rest of a conversation is of. */
function isOtherVersion({ protocolVersion }: JsonObject, { protocol }: Site): boolean {
  return protocolVersion !== undefined && protocolVersion !== protocol.versionNumber;
}

function fitsType(name: string, value: Json, { definitions }: Site): boolean {
  const slot = { shape: { kind: "reference", name } as const, nullable: false };
  return isValid(slot, value, (found) => definitions.get(found)!);
}
