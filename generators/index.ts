export {
  compareCodec,
  type CaseCounts,
  type CodecListener,
  type CodecOptions,
  type CodecResult,
  type DefinitionCounts,
  type CodecDifference,
} from "./tools/conformance/codec/compare-codec.js";
export type { Kind } from "./tools/conformance/codec/kinds.js";
export {
  testBehavior,
  type BehaviorOptions,
  type BehaviorResult,
} from "./tools/conformance/behavior/behavior.js";
export type {
  CommonFinding,
  ScriptResult,
  WireFinding,
} from "./tools/conformance/behavior/judge-scripts.js";
export type {
  ScriptedBehavior,
  MessagePattern,
  BehaviorScript,
  ScriptStep,
} from "./emit/behavior/script.js";
export type {
  BehaviorRule,
  BehaviorSource,
  MockScript,
  ScriptLevel,
  Subject,
} from "./schema/source/behavior-source.js";
export { defineConfig, type Config, type ConfigOutput } from "./run/config.js";
export { diff, type FoundChange, type FoundComparison } from "./run/diff.js";
export { compileProfiles } from "./run/generate/compile-profiles.js";
export { generate, type GenerateResult } from "./run/generate/generate.js";
export {
  inspect,
  type InspectListener,
  type InspectOptions,
  type InspectResult,
} from "./tools/inspect/inspect.js";
export type {
  LineReport,
  MethodCounts,
  RuleCounts,
  Statistics,
} from "./tools/inspect/statistics.js";
export {
  probe,
  type ProbeFinding,
  type ProbeOptions,
  type ProbeResult,
  type ProbeStep,
} from "./tools/probe/probe.js";
export { followLive, type LiveListener, type LiveOptions } from "./tools/live/live.js";
export type { OpenCall, TimelineRow } from "./tools/inspect/inspector-api.js";
export { replay, type ReplayOptions, type ReplayWorld } from "./tools/replay/replay.js";
export { mock, type MockOptions, type MockResult } from "./tools/mock/mock.js";
export { recordings } from "./tools/record/recordings.js";
export type {
  GenerateOptions,
  OmittedTexts,
  OutputOptions,
  RunOptions,
  Selection,
  SiteOptions,
  ProgressStep,
} from "./run/options.js";
export { lintPaths as lint, type Linted, type LintOptions } from "./run/lint/lint.js";
export {
  verify,
  type OutputFinding,
  type Verified,
  type VerifyOptions,
} from "./run/verify/verify.js";
export { compile } from "./compile.js";
export type { CodecAnswer, Operation, CorpusReport } from "./emit/corpus/answer.js";
export type { CorpusCase } from "./emit/corpus/cases.js";
export type {
  EmitContext,
  EmitInputs,
  EmittedFile,
  Emitter,
  InputName,
  Target,
} from "./emit/emitter.js";
export type { Codec, CodecReport } from "./emit/inputs.js";
export type * from "./model/gate.js";
export type * from "./model/protocol.js";
export type * from "./model/shape.js";
export { OutputError } from "./output/output-error.js";
export type { VirtualFile } from "./output/file.js";
export type { Layout } from "./output/layout.js";
export type { Impact } from "./schema/compare/impact.js";
export type { LintFinding } from "./schema/lint/lint.js";
export { InputError, type Problem } from "./schema/problem.js";
