// The official TypeScript SDK as a codec: the schemas with which it parses messages of v1. Its
// schemas neither keep unknown values nor report what they repair, so that it has no notes.
import { createInterface } from "node:readline";

const sdk = import.meta.resolve("@agentclientprotocol/sdk");
const schemas = await import(new URL("../schema/zod.gen.js", sdk).href);

function canonical(value) {
  if (typeof value === "bigint") return JSON.stringify(Number(value));
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

function answer(schema, input) {
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { verdict: "ok", value: canonical(parsed.data), notes: [] };
  const issues = parsed.error.issues.map(({ path, code }) => [`/${path.join("/")}`, code]);
  return { verdict: "invalid", issues };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, definition, input } = JSON.parse(line);
  const schema = schemas[`z${definition}`];
  const result = schema === undefined ? { verdict: "unsupported" } : answer(schema, input);
  process.stdout.write(`${JSON.stringify({ id, ...result })}\n`);
}
