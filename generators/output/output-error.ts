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

/** What some errors of the system mean, and what to do. */
const REASONS: { readonly [code: string]: string } = {
  EMFILE: "too many files are open. Raise the limit (ulimit -n), or run fewer programs at once",
  ENFILE: "too many files are open. Raise the limit of the system, or run fewer programs at once",
  ENAMETOOLONG: "the name is too long. Choose a shorter one",
  ENOMEM: "there is not enough memory. Run fewer programs at once",
};

/**
 * Returns an error of the system, wherever it was thrown, as an error of the environment.
 *
 * @returns undefined for all other errors
 */
export function systemError(error: unknown): OutputError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path = syscall } = error as NodeJS.ErrnoException;
  if (typeof syscall !== "string" || typeof code !== "string") return undefined;
  const reason =
    REASONS[code] ?? `the system refuses ${syscall}. Check the path and the permissions`;
  return new OutputError(`${shorten(path!)}: ${reason} (${code})`, { cause: error });
}

/** Shortens a path that may be the problem itself. */
function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 60)}…${path.slice(-60)}` : path;
}

/** The system's code of an error, e.g. `ENOSPC`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
