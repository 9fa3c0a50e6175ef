import { writeFileSync } from "node:fs";
import { format } from "prettier";
import { PINNED, partNames, readPinned } from "./part-names.js";
import { loadProtocols } from "./profiles.js";

// Adds the names of new parts to those that cannot change, and removes those of parts that no longer
// exist: `npx tsx test/generators/model/parts/pin.ts`.
const pinned = readPinned();
const names = new Map<string, { [path: string]: string }>();
for (const protocol of loadProtocols()) {
  const own = names.get(protocol.version) ?? {};
  for (const [path, name] of partNames(protocol))
    own[path] ??= pinned[protocol.version]?.[path] ?? name;
  names.set(protocol.version, own);
}
const sorted = [...names].map(([version, own]) => [
  version,
  Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1))),
]);
writeFileSync(PINNED, await format(JSON.stringify(Object.fromEntries(sorted)), { parser: "json" }));
