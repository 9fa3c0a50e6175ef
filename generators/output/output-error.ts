/** The folder of new files until all are written; messages name their final paths instead. */
const STAGED = ".acp-codegen/files/";

/** The environment is in the way, e.g. the disk, its permissions or a command; exit code 3. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** Lines that explain the error, e.g. what a command has printed. */
  readonly details: readonly string[];

  constructor(
    message: string,
    { details = [], ...options }: ErrorOptions & { readonly details?: readonly string[] } = {},
  ) {
    super(message, options);
    this.details = details;
  }
}

/** Converts an error of the file system to one with its path. */
export function toOutputError(error: unknown, folder: string): OutputError {
  if (error instanceof OutputError) return error;
  const path = (error as NodeJS.ErrnoException).path ?? folder;
  const shown = path.replace(STAGED, "");
  const message = `${shown} cannot be written (${codeOf(error)}).`;
  return new OutputError(`${message} Check the disk and the permissions.`, { cause: error });
}

/** The system's code of an error, e.g. `ENOSPC`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
