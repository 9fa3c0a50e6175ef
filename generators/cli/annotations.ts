import type { Problem } from "../schema/problem.js";

/** GitHub's limit for a step. */
export const MAX_ANNOTATIONS = 10;

/** An error or a warning that GitHub shows in a file. */
export interface Annotation {
  /** An error when absent. */
  readonly level?: "error" | "warning";
  /** Relative to the working folder; absent when it is about no file. */
  readonly file?: string;
  /** Counted from 1; absent when it is about the whole file. */
  readonly line?: number;
  readonly title: string;
  readonly message: string;
}

/** Returns the annotation of a problem. */
export function annotationOf({ file, pointer, position, message, hint }: Problem): Annotation {
  const place = pointer ? `${pointer}: ` : "";
  return {
    ...(file !== undefined && { file }),
    ...(position !== undefined && { line: position.line }),
    title: "acp-codegen",
    message: `${place}${message}${hint === undefined ? "" : `. ${hint}`}`,
  };
}

/**
 * Prints workflow commands, with which GitHub shows errors in files.
 *
 * @param fromRoot returns the path of a file from the root of the repository
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function printAnnotations(
  annotations: readonly Annotation[],
  fromRoot: (path: string) => string,
): string[] {
  return annotations
    .slice(0, MAX_ANNOTATIONS)
    .map(({ level = "error", file, line, title, message }) => {
      const place = file === undefined ? "" : `file=${property(fromRoot(file))},`;
      const row = line === undefined ? "" : `line=${line},`;
      return `::${level} ${place}${row}title=${property(title)}::${data(message)}`;
    });
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
