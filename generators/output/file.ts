import { withoutBidi } from "../schema/controls.js";

/** A file that an emitter wants to exist. */
export interface VirtualFile {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /**
   * The final step: formatted for readers, or left as printed; for a language with a comment form,
   * left as printed below the notice.
   */
  readonly language: "typescript" | "json" | "markdown" | "plain" | LineComments;
  /** The profile it belongs to; `*` when it serves all of them. */
  readonly profile: string;
  /** The target that emits it. */
  readonly target: string;
  /** The template that it is a copy of, relative to the folder of the templates. */
  readonly template?: string;
}

/** A language that this tool does not format. */
export interface LineComments {
  /** The text that makes the rest of a line a comment, e.g. `#`. */
  readonly comment: string;
  /** Set where tools recognize generated code by the line `Code generated … DO NOT EDIT.`. */
  readonly hasMark?: true;
}

/**
 * A path inside the output folder, from segments that come from us or a schema.
 *
 * @throws Error when a segment could leave the folder or clash with another system's rules
 */
export function outputPath(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (!isSafeName(segment)) throw new Error(`not a safe file name: ${JSON.stringify(segment)}`);
  }
  return segments.join("/");
}

/** Checks that a path stays inside the output folder, wherever it was read. */
export function isOutputPath(path: unknown): path is string {
  return typeof path === "string" && path.split("/").every(isSafeName);
}

/** Escapes bidirectional control characters as TypeScript and JSON do; pages show the escape. */
export function escapeBidi(file: VirtualFile): VirtualFile {
  const text = withoutBidi(file.text);
  return text === file.text ? file : { ...file, text };
}

/** The names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$)(\.|$)/i;

function isSafeName(segment: string): boolean {
  const hasForm = /^[A-Za-z0-9_$-][A-Za-z0-9_.$-]*$/.test(segment) && !DEVICE.test(segment);
  return hasForm && !segment.endsWith(".") && segment.length <= 120;
}
