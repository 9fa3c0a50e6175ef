import { writeFileSync } from "node:fs";
import { format } from "prettier";
import { loadProtocols } from "../model/parts/profiles.js";
import { createDigest, DIGESTS } from "./digests.js";

// Writes the digests of the corpus: `npx tsx test/generators/conformance/update.ts`.
const digests: { [profile: string]: { [definition: string]: string } } = {};
for (const protocol of loadProtocols()) {
  const digest = await createDigest(protocol);
  digests[protocol.profile] = Object.fromEntries(
    protocol.definitions.map(({ name }) => [name, digest(name)]),
  );
}
writeFileSync(DIGESTS, await format(JSON.stringify(digests), { parser: "json" }));
