import type { Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { templateText, type EmitContext, type EmittedFile } from "../emitter.js";
import { isOwnPackage, languageNames, licenseText } from "../package-facts.js";
import { fitToProfiles } from "../sample-profiles.js";
import { LANGUAGE, packageOf } from "./names.js";

/** Tools for Go recognize generated code by its first line. */
export const COMMENTS = { comment: "//", hasMark: true } as const;

/** The path of the module in the templates, which is that of ours. */
const DEFAULT_PATH = "github.com/acp-codegen/acp-codegen/out/go";

/** The folder of the templates. */
const FOLDER = "go/";

/** Returns the path by which the module is imported. */
export function modulePath(context: EmitContext): string {
  return isOwnPackage(context) ? languageNames(context, LANGUAGE).distribution : DEFAULT_PATH;
}

/** Returns the runtime and the files around the packages. */
export function printModule(
  protocols: readonly Protocol[],
  context: EmitContext,
): readonly EmittedFile[] {
  const { templates, texts = {} } = context;
  const file = (name: string, text: string): EmittedFile => ({
    path: outputPath("go", name),
    profile: "*",
    text: withPath(text, context),
    language: "plain",
  });
  const license = licenseText(context, templateText("go/LICENSE", templates));
  const sources = [...templates].filter(
    ([path]) => path.startsWith(FOLDER) && path.endsWith(".go"),
  );
  return [
    ...sources.map(([path, text]): EmittedFile => ({
      path: outputPath("go", ...path.slice(FOLDER.length).split("/")),
      profile: "*",
      text: withPath(text, context),
      language: COMMENTS,
      template: path,
    })),
    file("go.mod", templateText("go/go.mod", templates)),
    file("README.md", texts.readmes?.[LANGUAGE] ?? printReadme(protocols, context)),
    ...(license === undefined ? [] : [file("LICENSE", license)]),
  ];
}

function withPath(text: string, context: EmitContext): string {
  return text.replaceAll(DEFAULT_PATH, () => modulePath(context));
}

/** Prints the README with the profiles of the module. */
function printReadme(protocols: readonly Protocol[], context: EmitContext): string {
  const { kept = [], templates } = context;
  const earlier = kept.flatMap((path) => /^go\/acp(v\d)\/types\.go$/.exec(path)?.[1] ?? []);
  const profiles = [...new Set([...protocols.map(({ profile }) => profile), ...earlier])].sort();
  const facts = isOwnPackage(context) ? ["own"] : [];
  const text = templateText("go/README.md", templates);
  return fitToProfiles(text, { profiles, protocols, facts }, "acp", (profile) =>
    packageOf(profile).replace(/^acp/, ""),
  );
}
