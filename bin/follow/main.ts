// `npm run follow -- FOLDER`: edits the schema until it composes to a release, and lists what is left.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { InputError } from "../../generators/schema/problem.js";
import { followRelease } from "./follow.js";
import { findTasks, type KeyWords } from "./tasks.js";
import { readRelease } from "./release.js";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder of a release: npm run follow -- FOLDER");
const schema = fileURLToPath(new URL("../../schema", import.meta.url));
const keyWords = join(folder, "key-words.json");
try {
  const { changed, differences } = await followRelease(readRelease(folder), schema);
  for (const path of changed) console.log(`edited schema/${path}`);
  for (const [profile, all] of differences)
    for (const { kind, pointer } of all)
      console.log(`edit by hand: ${profile} ${pointer} (${kind})`);
  const words = existsSync(keyWords) ? readFileSync(keyWords, "utf8") : "{}";
  for (const task of findTasks(schema, JSON.parse(words) as KeyWords)) console.log(task);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
