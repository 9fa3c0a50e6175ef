import type { Config } from "acp-codegen";

// What `acp-codegen generate` makes; with `--print-config` it only shows what this comes to.
export default {
  outputs: [
    {
      // The output folder, from this one. It holds an npm package, `acp/typescript`; a starter compiles
      // it into its own `dist/acp` and imports it as "#acp/…" (`imports` in package.json).
      out: "acp",

      // The surface: v1, v1-unstable, v1-full, v2, v2-unstable, v2-full.
      profiles: ["v1"],

      // Features to add to one profile or to leave out of it: names (`acp-codegen features`), or
      // files of your own.
      // with: ["session_fork", "./my-proposal.json"],
      // without: ["subagents"],
      // The name of such a selection: a folder and a subpath of the package.
      // name: "editor",

      // A protocol version in place of a profile, for a selection from nothing.
      // protocol: "v1",

      // Any schema in upstream's format, instead of profiles.
      // schema: "./schema.json",
      // meta: "./meta.json",
      // methods: "./methods.json",
      // allow: ["opened-objects", "patterns"],
      // allowUnknownKeywords: ["x-mine"],
      // rootName: "Document",
      // refs: { "https://example.com/other.json": "./other.json" },

      // Names of values and properties that would have those of others in some languages.
      // names: { "Op/a-b": "OpDash", "Row#line-no": "lineNumber" },

      // Without this line, all targets except docs and those on request; a path is an emitter of your own.
      // targets: ["types", "schemas", "./my-target.js"],

      // Only the sources, for a folder in your own sources, instead of an npm package.
      // layout: "flat",

      // With it, imports that run without a build, in Node.js 22.18, Deno and Bun.
      // importExtension: "ts",

      // What the packages say about themselves, if you publish them.
      // package: { name: "@me/acp", version: "1.0.0", license: "MIT", licenseFile: "./LICENSE" },
      // The same for one language, where it differs.
      // python: { name: "me-acp", module: "me_acp" },
      // go: { name: "example.com/me/acp" },

      // The site that `acp-codegen docs` builds.
      // site: { title: "My protocol", url: "https://example.org/docs", pages: "./pages" },

      // Lines to put at the top of generated TypeScript and Markdown.
      // header: ["Copyright Me"],
    },
  ],
} satisfies Config;
