// The official TypeScript SDK as a codec: the schemas with which it parses messages of v1. They do not
// report what they repair, and their issues have other rules than ours, so that there are neither.
import { createInterface } from "node:readline";

const sdk = import.meta.resolve("@agentclientprotocol/sdk");
const schemas = await import(new URL("../schema/zod.gen.js", sdk).href);

function answer({ op, definition, input }) {
  const schema = schemas[`z${definition}`];
  if (op !== "decode" || schema === undefined) return { verdict: "unsupported" };
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? { verdict: "ok", value: parsed.data } : { verdict: "invalid" };
}

/** Its integers of 64 bits are of the type bigint, which has no JSON. */
const printed = (_, value) => (typeof value === "bigint" ? Number(value) : value);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) }, printed)}\n`);
}
