import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * The default export of a module of the user's own, as the file is now: modules
 * are cached by their URL, CommonJS ones by their path as well. What the module
 * imports stays as it was when it was first imported.
 *
 * @param path absolute
 * @throws whatever the module throws, and SyntaxError
 */
export async function importDefault(path: string): Promise<unknown> {
  if (/\.[cm]?ts$/.test(path)) {
    const { createJiti } = await import("jiti");
    return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(path, {
      default: true,
    });
  }
  const { mtimeMs } = statSync(path);
  delete createRequire(import.meta.url).cache[realpathSync(path)];
  const module = (await import(`${pathToFileURL(path).href}?${mtimeMs}`)) as { default?: unknown };
  return module.default;
}
