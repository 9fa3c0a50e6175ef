// Our own decoders as a codec: a line with { id, profile, definition, input } in, the answer out.
// With `strict: true`, the value is validated, not decoded.
import { createInterface } from "node:readline";

const profiles = new Map();
async function schemasOf(profile) {
  if (!profiles.has(profile))
    profiles.set(profile, await import(`acp-bindings/${profile}/schemas`));
  return profiles.get(profile);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

const reports = (list) =>
  list
    .map(({ pointer, rule }) => [pointer, rule])
    .sort(([a, b], [c, d]) => (a < c || (a === c && b < d) ? -1 : 1));

function answer(schema, input, strict) {
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  if (strict) return { issues: reports(schema.issues(value)) };
  const decoded = schema.decode(value);
  if (!decoded.ok) return { verdict: "invalid", issues: reports(decoded.issues) };
  return { verdict: "ok", value: canonical(decoded.value), notes: reports(decoded.notes) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, profile, definition, input, strict } = JSON.parse(line);
  const schema = (await schemasOf(profile))[definition];
  process.stdout.write(`${JSON.stringify({ id, ...answer(schema, input, strict) })}\n`);
}
