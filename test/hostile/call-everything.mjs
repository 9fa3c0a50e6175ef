// Imports every module below a folder and calls all that it exports; prints what it found out as JSON.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const before = Object.getOwnPropertyNames(Object.prototype).sort().join();
const inputs = [undefined, {}, JSON.parse('{"a":"*/","__proto__":{"x":1},"kind":"`${0}`"}')];
let modules = 0;
let calls = 0;
for (const path of readdirSync(folder, { recursive: true })) {
  if (!path.endsWith(".js")) continue;
  modules++;
  const exported = await import(pathToFileURL(join(folder, path)).href);
  for (const value of Object.values(exported)) {
    if (typeof value !== "function") continue;
    for (const input of inputs) {
      calls++;
      try {
        await value(input);
      } catch {
        // A refusal is as good as an answer: what counts is what runs besides.
      }
    }
  }
}
// What was started, if anything was, has its chance.
await new Promise((resolve) => setTimeout(resolve, 50));
const pwned = globalThis.PWNED !== undefined;
const polluted = Object.getOwnPropertyNames(Object.prototype).sort().join() !== before;
process.stdout.write(JSON.stringify({ modules, calls, pwned, polluted }));
