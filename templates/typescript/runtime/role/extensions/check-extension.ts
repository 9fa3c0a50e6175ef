import { AcpError } from "../../acp-error.js";
import type { MethodDescriptor } from "../../methods.js";
import { notAnExtension } from "../../sentences.js";
import type { Decoded, Note } from "../../validate/decode-result.js";
import { pointerToken } from "../../validate/report-text.js";
import { InvalidValueError } from "../../validate/encode.js";
import type { Schema } from "../../validate/schema.js";
import type { StandardSchema } from "../../validate/standard-schema.js";
import type { AnyExtension } from "./extension.js";

type Part = "params" | "result";

/** Decodes received params or a received result of an extension. */
export function decodeExtension(
  extension: AnyExtension,
  part: Part,
  value: unknown,
): Decoded<unknown> {
  const schema = extension[part];
  if (schema === undefined) return { ok: true, value, notes: NO_NOTES };
  if (isOwn(schema)) return schema.decode(value);
  const result = schema["~standard"].validate(value);
  if ("then" in result) {
    // The validation is not used, so its failure is not an unhandled one.
    Promise.resolve(result).catch(() => {});
    throw new TypeError(
      `${extension.method}: the schema of its ${part} validates asynchronously; ` +
        "messages are decoded in the order of the wire, so use a synchronous schema",
    );
  }
  if (result.issues === undefined) return { ok: true, value: result.value, notes: NO_NOTES };
  return {
    ok: false,
    issues: result.issues.map(({ message, path = [] }) => ({
      pointer: path.map((step) => pointerToken(String(keyOf(step)))).join(""),
      rule: "schema",
      expected: message,
      found: "another value",
    })),
  };
}

/** Checks the name of an extension that is handled. */
export function checkName(
  { method }: AnyExtension,
  at: string,
  methods: readonly MethodDescriptor[],
): void {
  if (typeof method !== "string" || /^_?$|^\$\/|^rpc\./.test(method))
    throw new AcpError(
      `${at}: ${JSON.stringify(method)} cannot be a name; those of extensions start with _ and the vendor's domain, e.g. "_acme.dev/review"`,
    );
  if (methods.some(({ name }) => name === method))
    throw new AcpError(`${at}: ${notAnExtension(method, "handle it in handlers")}`);
}

/** Checks that params or a result of an extension may be sent. */
export function checkExtension(extension: AnyExtension, part: Part, value: unknown): void {
  const schema = extension[part];
  const { method } = extension;
  if (schema !== undefined && isOwn(schema)) {
    try {
      schema.encode(value as never);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      throw new InvalidValueError(error.definition, error.issues, method);
    }
    return;
  }
  const decoded = decodeExtension(extension, part, value);
  if (!decoded.ok) throw new InvalidValueError(`${part} of ${method}`, decoded.issues, method);
}

const NO_NOTES: readonly Note[] = [];

function keyOf(step: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof step === "object" ? step.key : step;
}

/** Returns whether a schema is one of this package, which distinguishes rules, repairs and sending. */
function isOwn(
  schema: StandardSchema<never, unknown> | Schema<never, unknown>,
): schema is Schema<never, unknown> {
  return schema["~standard"].vendor === "acp-codegen" && "decode" in schema;
}
