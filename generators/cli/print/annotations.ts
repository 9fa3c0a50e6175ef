import type { Problem } from "../../schema/problem.js";

/** More of them than this are not shown for a step (GitHub's limit). */
export const MAX_ANNOTATIONS = 10;

/** An error or a warning that GitHub shows at a file. */
export interface Annotation {
  /** An error when absent. */
  readonly level?: "error" | "warning";
  /** Relative to the repository; absent when it is about no file. */
  readonly file?: string;
  /** Counted from 1; absent when it is about the whole file. */
  readonly line?: number;
  readonly title: string;
  readonly message: string;
}

/** A problem of an input as an annotation. */
export function annotationOf({ file, pointer, message, hint }: Problem): Annotation {
  const place = pointer ? `${pointer}: ` : "";
  return {
    ...(file !== undefined && { file }),
    title: "acp-codegen",
    message: `${place}${message}${hint === undefined ? "" : `. ${hint}`}`,
  };
}

/**
 * Workflow commands that make GitHub show errors beside the files.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function printAnnotations(annotations: readonly Annotation[]): string[] {
  return annotations
    .slice(0, MAX_ANNOTATIONS)
    .map(({ level = "error", file, line, title, message }) => {
      const place = file === undefined ? "" : `file=${property(file)},`;
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
