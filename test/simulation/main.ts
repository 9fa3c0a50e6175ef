// Prints the log of a conversation and the rules that it breaks:
// npx tsx test/simulation/main.ts <typescript | python | go> <seed | a line of found.ndjson>
import type { Conversation } from "./conversation.js";
import { DRIVERS } from "./drivers.js";
import { generate } from "./generate.js";
import { check } from "./model.js";
import { Talk } from "./talk.js";

const [language = "", given = ""] = process.argv.slice(2);
const asked = /^\d+$/.test(given)
  ? generate(Number(given))
  : (JSON.parse(given) as { readonly conversation: Conversation }).conversation;
const driver = DRIVERS[language as keyof typeof DRIVERS]();
const conversation = driver.adapt(asked);
const log = await driver.play(conversation);
driver.stop();
console.log(JSON.stringify(conversation));
for (const { n, t, kind, ...fields } of log)
  console.log(`${n}\t${t} ms\t${kind}\t${JSON.stringify(fields)}`);
for (const { rule, text, n } of check(new Talk(conversation, log)))
  console.log(`${rule}: ${text} (${n})`);
