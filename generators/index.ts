export { defineConfig, type Config, type ConfigOutput } from "./cli/config.js";
export { diff, type FoundChange, type FoundComparison } from "./cli/diff.js";
export { compileProfiles } from "./cli/generate-files.js";
export { generate, type GenerateOptions, type GenerateResult, type Step } from "./cli/generate.js";
export type { InputOptions } from "./cli/inputs.js";
export {
  inspect,
  type InspectListener,
  type InspectOptions,
  type InspectResult,
} from "./cli/inspect/inspect.js";
export type { LineReport, MethodCounts, RuleCounts, Tally } from "./cli/inspect/tally.js";
export { lintPaths as lint, type Linted, type LintOptions } from "./cli/lint.js";
export { verify, type Finding, type Verified, type VerifyOptions } from "./cli/verify.js";
export { compile } from "./compile.js";
export type { EmitContext, EmittedFile, Emitter } from "./emit/emitter.js";
export type * from "./model/protocol.js";
export type * from "./model/shape.js";
export { OutputError } from "./output/output-error.js";
export type { VirtualFile } from "./output/file.js";
export type { Impact } from "./schema/impact.js";
export type { LintFinding } from "./schema/lint/lint.js";
export { InputError, type Problem } from "./schema/problem.js";
