import type { Protocol } from "../../model/protocol.js";
import { SENTENCES_MODULE } from "../../model/sentences.js";
import { outputPath } from "../../output/file.js";
import { templateText, type EmitContext, type EmittedFile, type ProfileFile } from "../emitter.js";
import {
  installationFacts,
  isOwnPackage,
  languageNames,
  licenseText,
  type PackageIdentity,
} from "../package-facts.js";
import { fitToProfiles } from "../sample-profiles.js";
import { LANGUAGE, packageOf, type GoNames } from "./names.js";
import { printSentences } from "./print-sentences.js";

/** Tools for Go recognize generated code by its first line. */
export const COMMENTS = { comment: "//", hasMark: true } as const;

/** The path of the module in the templates, which is that of ours. */
export const DEFAULT_PATH = "github.com/acp-codegen/acp-codegen/out/go";

/** The folder of the templates. */
const FOLDER = "go/";

/** The folder of what each package has besides generated code. */
const PROFILE = `${FOLDER}profile/`;

/** The types that the files with sessions need, by the version of the protocol. */
const TURNS: { readonly [version: number]: string } = {
  1: "Plan SessionNotification ToolCall",
  2: "PlanItems ToolCallPermissionSubject UpdateSessionNotification",
};

/** The types that the files with states of sessions need besides. */
const STATES: typeof TURNS = {
  1: "CurrentModeUpdate SessionModeState",
  2: "PlanUpdate TerminalUpdate",
};

/** The types that the file with logins and MCP servers needs. */
const LAUNCHES = "AuthMethod MCPServer";

/** The types that the file with forms needs. */
const FORMS = "ElicitationSchema CreateElicitationResponseAccept ElicitationContentValue";

/** The types that the file with the list of sessions needs. */
const LISTS = "ListSessionsRequest ListSessionsResponse SessionInfo";

/** The types that the file with terminals needs besides. */
const TERMINALS: typeof TURNS = {
  1: `CreateTerminalRequest KillTerminalRequest ReleaseTerminalRequest TerminalID TerminalOutputRequest
    TerminalOutputResponse Terminal WaitForTerminalExitRequest WaitForTerminalExitResponse`,
};

/** The methods that it calls. */
const TERMINAL_METHODS = ["create", "output", "wait_for_exit", "kill", "release"];

/** The profile of the examples in the documentation. */
const EXEMPLARY = "v1";

/** The types that sessions need in every version. */
const SESSION_TYPES = `ContentBlock TextContent NewSessionRequest PermissionOption PlanEntry PromptRequest PromptResponse
  RequestPermissionRequest SelectedPermissionOutcome SessionUpdate SessionUpdateAgentMessageChunk
  SessionUpdateAgentThoughtChunk SessionUpdateToolCallUpdate SetSessionConfigOptionResponse Content ToolCallUpdate ToolCallID ToolCallStatus`;

/** The types that states need in every version. */
const STATE_TYPES = `AvailableCommand MessageID SessionConfigOption AvailableCommandsUpdate
  ConfigOptionUpdate SessionInfoUpdate UsageUpdate`;

/** Returns the files with agents and clients, which are the same for each profile of a version. */
export function printRoles(
  { profile, versionNumber, methods }: Protocol,
  names: GoNames,
  context: EmitContext,
): readonly ProfileFile[] {
  const has = (types: string, own: typeof TURNS = { [versionNumber]: "" }): boolean =>
    own[versionNumber] !== undefined &&
    `${types} ${own[versionNumber]}`.trim().split(/\s+/).every(names.isType);
  const hasSessions = has(SESSION_TYPES, TURNS);
  const hasTerminals =
    has("", TERMINALS) &&
    TERMINAL_METHODS.every((part) => methods.some(({ name }) => name === `terminal/${part}`));
  const hasStates = hasSessions && has(STATE_TYPES, STATES);
  const files = [
    "roles.go",
    ...(has(LAUNCHES) ? ["launches.go"] : []),
    ...(has(FORMS) ? ["elicitation.go"] : []),
    ...(has(LISTS) && methods.some(({ traits }) => traits?.includes("lists-sessions"))
      ? ["session_list.go"]
      : []),
    ...(hasSessions ? ["sessions.go", "client_sessions.go", `turns_v${versionNumber}.go`] : []),
    ...(hasSessions && hasTerminals ? [`terminal_v${versionNumber}.go`] : []),
    ...(hasStates ? ["session_state.go", `state_v${versionNumber}.go`] : []),
    ...(hasStates && names.isType("Usage") ? ["turn_usage.go"] : []),
    ...(hasStates && profile === EXEMPLARY ? ["example_v1_test.go"] : []),
  ];
  const name = packageOf(profile);
  return files.map((file) => {
    const text = templateText(PROFILE + file, context.templates);
    return {
      path: outputPath("go", name, file.replace(/_v\d/, "")),
      text: withPath(
        text.replaceAll(`${DEFAULT_PATH}/profile`, `${DEFAULT_PATH}/${name}`),
        context,
      ).replace(/^package profile/m, `package ${name}`),
      language: COMMENTS,
      template: PROFILE + file,
    };
  });
}

/** Returns the path by which the module is imported. */
export function modulePath(context: PackageIdentity): string {
  return isOwnPackage(context) ? languageNames(context, LANGUAGE).distribution : DEFAULT_PATH;
}

/** Returns the runtime and the files around the packages. */
export function printGoModule(
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
  const license = licenseText(context);
  const hasExamples = protocols.some(({ profile }) => profile === EXEMPLARY);
  const sources = [...templates].filter(
    ([path]) =>
      path.startsWith(FOLDER) &&
      path.endsWith(".go") &&
      (hasExamples || !path.endsWith("_test.go")) &&
      !path.startsWith(PROFILE),
  );
  return [
    ...sources.map(([path, text]): EmittedFile => ({
      path: outputPath("go", ...path.slice(FOLDER.length).split("/")),
      profile: "*",
      text: withPath(text, context),
      language: COMMENTS,
      template: path,
    })),
    {
      path: outputPath("go", "internal", "sentences", "sentences.go"),
      profile: "*",
      text: printSentences(templates, FOLDER),
      language: COMMENTS,
      template: SENTENCES_MODULE,
    },
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
  const facts = installationFacts(context);
  const title = isOwnPackage(context)
    ? modulePath(context).split("/").at(-1)!
    : "acp-codegen for Go";
  const text = templateText("go/README.md", templates).replace("acp-codegen for Go", () => title);
  return fitToProfiles(text, { profiles, protocols, facts }, "acp", (profile) =>
    packageOf(profile).replace(/^acp/, ""),
  );
}
