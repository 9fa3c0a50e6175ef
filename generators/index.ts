export { defineConfig, type Config, type ConfigOutput } from "./cli/config.js";
export { compile } from "./compile.js";
export { compileProfiles } from "./cli/generate-files.js";
export { generate, type GenerateOptions, type GenerateResult } from "./cli/generate.js";
export type { EmitContext, EmittedFile, Emitter } from "./emit/emitter.js";
export type * from "./model/protocol.js";
export type * from "./model/shape.js";
export { InputError, type Problem } from "./schema/problem.js";
export type { VirtualFile } from "./output/file.js";
