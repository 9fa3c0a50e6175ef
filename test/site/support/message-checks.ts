import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { Json, JsonObject } from "../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../support/paths.js";

/** Whether a value fits a definition. */
export type MessageCheck = (name: string, value: unknown) => boolean;

/**
 * Checks values by ajv and by the generated schemas, which have to agree.
 */
export async function createMessageCheck({ schema, profile }: Protocol): Promise<MessageCheck> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, "bundle");
  const path = join(ROOT, "out/typescript/dist", profile, "schemas.js");
  const schemas = (await import(pathToFileURL(path).href)) as {
    readonly [name: string]: { readonly is: (value: unknown) => boolean };
  };
  return (name, value) => {
    const byAjv = ajv.validate(`bundle#/$defs/${name}`, value);
    if (schemas[name]!.is(value) !== byAjv)
      throw new Error(`ajv and the validators do not agree on ${name}: ${JSON.stringify(value)}`);
    return byAjv;
  };
}

/**
 * Checks whole messages in the order in which they stand on a page: a response
 * by the type that its request asks for.
 *
 * @returns what is wrong with each message; nothing when it is right
 */
export function checkMessages(
  messages: readonly JsonObject[],
  { methods }: Protocol,
  fits: MessageCheck,
): readonly string[] {
  // Both sides number their requests, so that an id can be open twice.
  const asked: { readonly id: string; readonly result: string | undefined }[] = [];
  return messages.flatMap((message): string[] => {
    const { jsonrpc, method, params, id, result, error } = message;
    const text = JSON.stringify(message);
    if (jsonrpc !== "2.0") return [`no message: ${text}`];
    if (error !== undefined) return fits("Error", error) ? [] : [`no error: ${text}`];
    if (typeof method === "string") {
      const own = methods.filter(
        ({ name, kind }) => name === method && (kind === "request") === "id" in message,
      );
      for (const { result: type } of own)
        if (type !== undefined) asked.push({ id: JSON.stringify(id), result: type });
      // Extensions, and notices of the protocol that a receiver may not know, are free.
      if (own.length === 0 && /^(_|\$\/)/.test(method)) {
        asked.push({ id: JSON.stringify(id), result: undefined });
        return [];
      }
      return own.some((item) => fits(item.params, params ?? {})) ? [] : [`no ${method}: ${text}`];
    }
    const at = asked.findLastIndex((item) => item.id === JSON.stringify(id));
    const [request] = at < 0 ? [] : asked.splice(at, 1);
    if (request === undefined) return [`nobody asked: ${text}`];
    if (request.result === undefined) return [];
    return fits(request.result, result as Json) ? [] : [`no ${request.result}: ${text}`];
  });
}
