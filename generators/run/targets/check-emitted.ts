import type { EmittedFile, Emitter } from "../../emit/emitter.js";
import { targetMistake, type OwnTarget } from "../../emit/custom-target.js";
import { isOutputPath, type VirtualFile } from "../../output/file.js";
import { MANIFEST_FILE } from "../../output/manifest.js";
import { isObject } from "../../schema/json-schema/json.js";
import { thrownText } from "../../cli/print/format.js";

/** A record, so that a language that is new cannot be forgotten. */
const LANGUAGES: { readonly [language in VirtualFile["language"]]: true } = {
  typescript: true,
  markdown: true,
  json: true,
  plain: true,
};

/**
 * A target of the user's own, whose mistakes are told as such: what it throws,
 * and what it returns that is no list of files.
 *
 * @param file its module, as the user has named it
 * @param taken which target of ours has made a path in an earlier run
 */
export function checkEmitted(
  file: string,
  target: Emitter,
  taken: ReadonlyMap<string, string>,
): OwnTarget {
  const { name, summary, requires } = target;
  const checked = async (call: Call, emit: () => unknown): Promise<readonly EmittedFile[]> => {
    const files = await settle(file, call, emit);
    if (!Array.isArray(files)) {
      throw targetMistake(file, `${call.name} returned no list of files${call.scope}`);
    }
    return Array.from(files, (value: unknown, index) => {
      const problem = whatIsWrong(value, index, taken);
      if (problem === undefined) return value as EmittedFile;
      throw targetMistake(file, `${call.name} returned a wrong file${call.scope}: ${problem}`);
    });
  };
  return {
    file,
    name,
    summary,
    ...(requires !== undefined && { requires }),
    emit: (protocol, context) =>
      checked({ name: "emit", scope: ` for profile ${protocol.profile}` }, () =>
        target.emit(protocol, context),
      ),
    ...(target.finish !== undefined && {
      finish: (...given) => checked({ name: "finish", scope: "" }, () => target.finish?.(...given)),
    }),
  };
}

/** Which function of a target is called, and for what. */
interface Call {
  readonly name: "emit" | "finish";
  readonly scope: string;
}

async function settle(file: string, { name, scope }: Call, emit: () => unknown): Promise<unknown> {
  try {
    return await emit();
  } catch (error) {
    throw targetMistake(file, `${name} failed${scope}: ${thrownText(error)}`, error);
  }
}

function whatIsWrong(
  value: unknown,
  index: number,
  taken: ReadonlyMap<string, string>,
): string | undefined {
  if (!isObject(value)) return `file ${index} is no object`;
  const path = value["path"];
  if (typeof path !== "string") return `file ${index} has no path`;
  if (!isOutputPath(path)) {
    return `not a safe path below the output folder: ${JSON.stringify(path)}`;
  }
  const owner = taken.get(path);
  const problem = isManifest(path)
    ? "has the path of a manifest of acp-codegen"
    : owner !== undefined
      ? `is one that the target "${owner}" has made`
      : whatIsWrongInside(value);
  return problem === undefined ? undefined : `file "${path}" ${problem}`;
}

function whatIsWrongInside(file: { readonly [key: string]: unknown }): string | undefined {
  const { text, language, profile } = file;
  if (typeof text !== "string") return "has no text";
  const known = `there are ${Object.keys(LANGUAGES).join(", ")}`;
  if (typeof language !== "string") return `has no language; ${known}`;
  if (!Object.hasOwn(LANGUAGES, language)) {
    return `has the language ${JSON.stringify(language)}; ${known}`;
  }
  const isProfile = profile === undefined || typeof profile === "string";
  return isProfile ? undefined : "has a profile that is no name";
}

/** In any case of letters, since file systems differ; nor can a manifest be a folder. */
function isManifest(path: string): boolean {
  return path.toLowerCase().split("/").includes(MANIFEST_FILE);
}
