// Our own bindings as a codec.
import { createInterface } from "node:readline";

const profiles = new Map();
async function schemasOf(profile) {
  if (!profiles.has(profile))
    profiles.set(profile, await import(`acp-bindings/${profile}/schemas`));
  return profiles.get(profile);
}

const reports = (list) => list.map(({ pointer, rule }) => [pointer, rule]);
const invalid = (issues) => ({ verdict: "invalid", issues: reports(issues) });

const OPERATIONS = {
  decode: (schema, value) => {
    const decoded = schema.decode(value);
    if (!decoded.ok) return invalid(decoded.issues);
    return { verdict: "ok", value: decoded.value, notes: reports(decoded.notes) };
  },
  validate: (schema, value) => {
    const issues = schema.issues(value);
    return issues.length > 0 ? invalid(issues) : { verdict: "ok" };
  },
  encode: (schema, value) => {
    try {
      return { verdict: "ok", value: schema.encode(value) };
    } catch ({ issues }) {
      return invalid(issues);
    }
  },
};

function answer({ op, definition, input }, schemas) {
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  return OPERATIONS[op](schemas[definition], value);
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const result = answer(request, await schemasOf(request.profile));
  process.stdout.write(`${JSON.stringify({ id: request.id, ...result })}\n`);
}
