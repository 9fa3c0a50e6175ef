import { InvalidArgumentError, type Command } from "commander";
import { ALLOWED_FORMS, isAllowedForm, type AllowedForm } from "../schema/import/allowed-forms.js";
import { IMPORT_EXTENSIONS, LAYOUTS, type ImportExtension } from "../output/layout.js";
import { isPackageName } from "../run/init/package-name.js";
import type { GenerateOptions, Selection } from "../run/options.js";

/** Flags that select what to compose. */
export interface SelectionFlags {
  readonly profile?: string[];
  readonly protocol?: string;
  readonly with?: string[];
  readonly without?: string[];
  readonly name?: string;
  readonly schema?: string;
  readonly meta?: string;
  readonly methods?: string;
  readonly allowUnknownKeywords?: string[];
  readonly allow?: AllowedForm[];
  readonly rootName?: string;
  readonly ref?: { readonly [address: string]: string };
}

/** Flags that select where to write and what. */
export interface OutputFlags {
  readonly target?: string[];
  readonly out?: string;
  readonly layout?: "package" | "flat";
  readonly importExtension?: ImportExtension;
  readonly package?: string;
  readonly force?: boolean;
}

/** Flags that control a run. */
export interface RunFlags {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly printConfig?: boolean;
}

type Parse = (value: string, previous?: never) => unknown;

/** The flags that select what to compose, except for profiles: each with its description and its parser. */
const SELECTION: readonly (readonly [string, string, Parse])[] = [
  ["--protocol <version>", "the protocol version of a custom selection, e.g. v1", parseOnce],
  ["--with <features...>", "features to turn on, by name or ./file.json", parseList],
  ["--without <features...>", "features to turn off", parseList],
  ["--schema <file>", "a schema in upstream's format, instead of the canonical one", parseOnce],
  ["--meta <file>", "its meta.json, with the protocol version", parseOnce],
  [
    "--methods <file>",
    "a mapping file for what that schema does not say about its methods",
    parseOnce,
  ],
  ["--allow-unknown-keywords <names...>", "keywords of that schema to ignore", parseList],
  ["--allow <forms...>", `what that schema may have: ${ALLOWED_FORMS.join(", ")}`, parseForms],
  [
    "--root-name <name>",
    "the name of the type that its root is (default: its title or its file)",
    parseOnce,
  ],
  [
    "--ref <address=file>",
    "the file of a document that the schema refers to; may be repeated",
    parseRef,
  ],
];

export function addSelectionFlags(command: Command): Command {
  command.option("-p, --profile <names...>", "named profiles (default: all)", parseList);
  for (const [flag, text, parse] of SELECTION) command.option(flag, text, parse as () => unknown);
  return command
    .option(
      "--name <profile>",
      "the name of a custom selection (default: <profile>-custom)",
      parseOnce,
    )
    .helpOption("-h, --help", "print this help");
}

/** The flags that select one profile, where others would be positional arguments. */
export type OneSelectionFlags = Omit<SelectionFlags, "profile"> & { readonly profile?: string };

/**
 * Adds the flags that select one profile. Names of a list are separated by commas.
 *
 * @param profile the description of `--profile`
 */
export function addOneSelectionFlags(command: Command, profile: string): Command {
  command.option("-p, --profile <name>", profile, parseOnce);
  for (const [flag, text, parse] of SELECTION)
    command.option(flag.replace("...", ""), text, parse as () => unknown);
  return command.helpOption("-h, --help", "print this help");
}

export function addRunFlags(command: Command): Command {
  return command
    .option("-o, --out <folder>", "output folder (default: out)", parseFolder)
    .option("--force", "overwrite files that no run has generated, or that were changed since")
    .option("--check", "compare without writing; exit 1 when the output is stale")
    .option("--dry-run", "list the changes without writing them")
    .option("--watch", "run again whenever an input changes")
    .option("--json", "print JSON")
    .option("-q, --quiet", "print problems only");
}

/** Adds the flags that name a configuration. */
export function addConfigFlags(command: Command): Command {
  return command
    .option("--config <file>", "a configuration file (default: acp-codegen.config.*)", parseOnce)
    .option("--no-config", "read no configuration file");
}

/** The flag that prints what the configuration and the flags describe, instead of a run. */
export function addPrintFlag(command: Command): Command {
  return command.option("--print-config", "print the resolved configuration and exit");
}

/** Returns the options of flags that select one profile. */
export function toSelection({ profile, ...flags }: OneSelectionFlags): Selection {
  return toOptions({ ...flags, ...(profile !== undefined && { profile: [profile] }) });
}

/** Returns the options that the flags give, without those that control the run. */
export function toOptions(flags: SelectionFlags & OutputFlags): GenerateOptions {
  const options = {
    profiles: flags.profile,
    protocol: flags.protocol,
    with: flags.with,
    without: flags.without,
    name: flags.name,
    schema: flags.schema,
    meta: flags.meta,
    methods: flags.methods,
    allowUnknownKeywords: flags.allowUnknownKeywords,
    allow: flags.allow,
    rootName: flags.rootName,
    refs: flags.ref,
    targets: flags.target,
    out: flags.out,
    layout: flags.layout,
    importExtension: flags.importExtension,
    package: flags.package === undefined ? undefined : { name: flags.package },
    force: flags.force,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as GenerateOptions;
}

/** Parses `a,b c` to three names. */
export function parseList(value: string, previous: readonly string[] = []): string[] {
  const names = value.split(",").filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("Expected at least one name.");
  return [...previous, ...names];
}

function parseForms(value: string, previous: readonly AllowedForm[] = []): AllowedForm[] {
  const forms = parseList(value).map((name) => {
    if (isAllowedForm(name)) return name;
    throw new InvalidArgumentError(`Expected ${ALLOWED_FORMS.join(" or ")}.`);
  });
  return [...previous, ...forms];
}

/** Parses a flag that must not be repeated. */
export function parseOnce(value: string, previous?: unknown): string {
  if (previous !== undefined) throw new InvalidArgumentError("Expected it once only.");
  return value;
}

/** Parses an address and its file, `https://example.com/a.json=./a.json`; may be given again. */
export function parseRef(
  value: string,
  previous: { readonly [address: string]: string } = {},
): { readonly [address: string]: string } {
  const [, address, file] = /^([^#]+)=([^=]+)$/.exec(value) ?? [];
  if (address === undefined || file === undefined)
    throw new InvalidArgumentError(
      "Expected an address and a file, such as https://example.com/a.json=./a.json.",
    );
  return { ...previous, [address]: file };
}

export function parsePackageName(value: string, previous?: unknown): string {
  if (!isPackageName(value)) throw new InvalidArgumentError("Expected an npm package name.");
  return parseOnce(value, previous);
}

export function parseFolder(value: string, previous?: unknown): string {
  if (value === "") throw new InvalidArgumentError("Expected the path of a folder.");
  return parseOnce(value, previous);
}

export function parseFile(value: string, previous?: unknown): string {
  if (value === "") throw new InvalidArgumentError("Expected the path of a file.");
  return parseOnce(value, previous);
}

export function parseLayout(value: string, previous?: unknown): string {
  if (LAYOUTS.some((layout) => layout === value)) return parseOnce(value, previous);
  throw new InvalidArgumentError(`Expected ${LAYOUTS.join(" or ")}.`);
}

export function parseImportExtension(value: string, previous?: unknown): string {
  if (IMPORT_EXTENSIONS.some((one) => one === value)) return parseOnce(value, previous);
  throw new InvalidArgumentError(`Expected ${IMPORT_EXTENSIONS.join(" or ")}.`);
}

export function parseNumber(value: string, previous?: unknown): number {
  if (/^[0-9]{1,9}$/.test(value)) return Number(parseOnce(value, previous));
  throw new InvalidArgumentError("Expected a whole number.");
}

/** Reads a whole number above 0. */
export function parsePositive(value: string, previous?: unknown): number {
  const number = parseNumber(value, previous);
  if (number === 0) throw new InvalidArgumentError("Expected a number above 0.");
  return number;
}

/** The longest time for an option, a day in seconds: timers overflow at 24 days. */
const MOST_SECONDS = 86_400;

/** Reads a time in seconds. */
export function parseSeconds(value: string, previous?: unknown): number {
  const seconds = parsePositive(value, previous);
  if (seconds > MOST_SECONDS)
    throw new InvalidArgumentError(`Expected at most ${MOST_SECONDS} seconds.`);
  return seconds;
}
