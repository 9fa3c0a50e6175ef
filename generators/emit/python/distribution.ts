import type { Protocol } from "../../model/protocol.js";
import { SENTENCES_MODULE } from "../../model/sentences.js";
import { outputPath } from "../../output/file.js";
import { InputError } from "../../schema/problem.js";
import { fitToProfiles } from "../sample-profiles.js";
import { templateText, type EmitContext, type EmittedFile } from "../emitter.js";
import {
  DEFAULT_MODULE,
  DEFAULT_PACKAGE,
  installationFacts,
  isOwnPackage,
  languageNames,
  licenseOf,
  licenseText,
  npmName,
  versionOf,
} from "../package-facts.js";
import { checkModule, LANGUAGE, subpackageName } from "./names.js";
import { printSentences } from "./print-sentences.js";
/** The form of comments in the sources. */
export const COMMENTS = { comment: "#" } as const;

/** The folder of the templates of the sources. */
const SOURCES = `python/${DEFAULT_MODULE}/`;

/**
 * Returns the runtime and the files of the distribution.
 *
 * @throws InputError for a name that programs could not import
 */
export function printDistribution(
  protocols: readonly Protocol[],
  context: EmitContext,
): EmittedFile[] {
  const { templates, texts = {} } = context;
  const { module } = languageNames(context, LANGUAGE);
  const what = `the name "${module}" of the Python package`;
  checkModule(what, module);
  if (STANDARD_MODULES.has(module)) {
    const message = `${what} is that of a module of the standard library, whose place it would take`;
    throw new InputError([{ message, hint: "Choose another name." }], "usage");
  }
  const file = (name: string, text: string): EmittedFile => ({
    path: outputPath("python", name),
    profile: "*",
    text,
    language: "plain",
  });
  const license = licenseText(context);
  return [
    ...[...templates]
      .filter(([path]) => path.startsWith(SOURCES))
      .map(([path, text]) => source(path, text, context)),
    {
      path: outputPath("python", module, "_runtime", "sentences.py"),
      profile: "*",
      text: printSentences(templates, SOURCES),
      language: COMMENTS,
      template: SENTENCES_MODULE,
    },
    file("pyproject.toml", printProject(license !== undefined, context)),
    file("README.md", texts.readmes?.[LANGUAGE] ?? printReadme(protocols, context)),
    ...(license === undefined ? [] : [file("LICENSE", license)]),
  ];
}

function source(path: string, text: string, context: EmitContext): EmittedFile {
  const { module } = languageNames(context, LANGUAGE);
  const version = /^__version__ = .*$/m;
  return {
    path: outputPath("python", module, ...path.slice(SOURCES.length).split("/")),
    profile: "*",
    text: text
      .replaceAll(DEFAULT_MODULE, module)
      .replace(version, () => `__version__ = ${quoted(ownVersion(context))}`),
    language: path.endsWith(".py") ? COMMENTS : "plain",
    template: path,
  };
}

function ownVersion(context: EmitContext): string {
  const own = context.languages?.[LANGUAGE]?.version;
  return own ?? toPythonVersion(versionOf(context, context.package?.version, context.version));
}

/**
 * Returns a semantic version in the form of the Python index, `1.0.0rc1` for `1.0.0-rc.1`.
 *
 * @throws InputError for a pre-release that has no such form
 * @see https://packaging.python.org/specifications/version-specifiers
 */
function toPythonVersion(version: string): string {
  const [, release, word, count = "0", build = ""] =
    /^([\d.]+)(?:-(alpha|beta|rc|a|b)\.?(\d+)?)?(\+.*)?$/.exec(version) ?? [];
  if (release === undefined) {
    const hint = 'Give one for Python as well, e.g. "python": { "version": "1.0.0rc1" }.';
    const message = `the version "${version}" has no form in Python`;
    throw new InputError([{ message, hint }], "usage");
  }
  const stage = word === undefined ? "" : word.replace(/^(a|b)[a-z]+/, "$1") + count;
  return release + stage + build;
}

/** Values that npm takes in place of an SPDX expression, and the Python index does not. */
const NPM_ONLY = /^(?:UNLICENSED$|SEE LICENSE IN )/;

/** Prints `pyproject.toml`: the template's lines with the values of the package, without ours. */
function printProject(hasLicense: boolean, context: EmitContext): string {
  const { package: own = {}, languages = {} } = context;
  const { distribution, module } = languageNames(context, LANGUAGE);
  const description = languages[LANGUAGE]?.description ?? own.description;
  const license = licenseOf(context);
  const origin = {
    authors: own.authors && `[${own.authors.map(printAuthor).join(", ")}]`,
    Homepage: own.homepage && quoted(own.homepage),
    Repository: own.repository && quoted(own.repository),
    Issues: own.bugs && quoted(own.bugs),
  };
  const isOurs = (value: string | undefined): boolean =>
    value === undefined && !isOwnPackage(context);
  const values = new Map([
    ["name", quoted(distribution)],
    ["version", quoted(ownVersion(context))],
    ["license", license === undefined || NPM_ONLY.test(license) ? undefined : quoted(license)],
    ["license-files", hasLicense ? '["LICENSE"]' : undefined],
    ["packages", `[${quoted(module)}]`],
    ...(description === undefined ? [] : ([["description", quoted(description)]] as const)),
    ...Object.entries(origin).filter(([, value]) => !isOurs(value)),
  ]);
  const text = templateText("python/pyproject.toml", context.templates);
  const lines = text.split("\n").flatMap((line) => {
    const key = /^([\w-]+) = /.exec(line)?.[1];
    if (key === undefined || !values.has(key)) return [line];
    const value = values.get(key);
    return value === undefined ? [] : [`${key} = ${value}`];
  });
  return lines.join("\n").replace("[project.urls]\n\n", "");
}

/** Prints an author, `Name <address>`, as a table of TOML. */
function printAuthor(author: string): string {
  const [, name = author, email] = /^([^<]*[^<\s])\s*<([^>]+)>/.exec(author) ?? [];
  return `{ name = ${quoted(name)}${email === undefined ? "" : `, email = ${quoted(email)}`} }`;
}

/** Prints a basic string of TOML. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** Prints the README, with the names and profiles of the package and the name of the npm package beside it. */
function printReadme(protocols: readonly Protocol[], context: EmitContext): string {
  const { distribution, module } = languageNames(context, LANGUAGE);
  const profiles = profilesOf(protocols, context);
  const facts = installationFacts(context);
  const text = templateText("python/README.md", context.templates);
  return fitToProfiles(text, { profiles, protocols, facts }, `${DEFAULT_MODULE}.`, subpackageName)
    .replaceAll(DEFAULT_MODULE, () => module)
    .replaceAll(
      /(npm\s+package\s+`|--package=)acp-bindings/g,
      (_, before) => before + npmName(context),
    )
    .replaceAll(DEFAULT_PACKAGE, () => distribution);
}

/** Returns the names of the profiles of this run and of earlier ones that are kept. */
function profilesOf(protocols: readonly Protocol[], { kept = [] }: EmitContext): string[] {
  const earlier = kept.flatMap(
    (path) => /^python\/\w+\/(v\d\w*)\/types\.py$/.exec(path)?.[1] ?? [],
  );
  return [...new Set([...protocols.map(({ profile }) => profile), ...earlier])].sort();
}

/** The modules of the standard library of Python; a package of such a name takes its place. */
const STANDARD_MODULES: ReadonlySet<string> = new Set(
  `
  abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop
  base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs
  codeop collections colorsys compileall compression concurrent configparser contextlib
  contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
  fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
  hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools
  json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
  operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib
  poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat
  queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
  sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
  sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
  threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
  turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref
  webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`.match(/\w+/g),
);
