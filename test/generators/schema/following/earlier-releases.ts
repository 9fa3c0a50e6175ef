import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Documents are edited as people edit them: as plain data. */
// eslint-disable-next-line -- a document of any form
type Data = any;

/** Edits a folder with the canonical schema as people edit it: its documents and nothing else. */
class SchemaEditor {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  edit(path: string, change: (document: Data) => void): void {
    const file = join(this.folder, path);
    const document = JSON.parse(readFileSync(file, "utf8")) as Data;
    change(document);
    writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  }

  /** Edits a definition of one version's base; one that both versions share is split first. */
  define(version: string, name: string, change: (definition: Data) => void): void {
    const own = this.#moduleOf(`${version}/base`, name);
    if (own !== undefined) return this.edit(own, ({ $defs }) => change($defs[name]));
    const shared = this.#moduleOf("shared", name)!;
    let definition: Data;
    this.edit(shared, ({ $defs }) => {
      definition = $defs[name];
      delete $defs[name];
    });
    for (const each of ["v1", "v2"]) {
      this.edit(shared.replace("shared", `${each}/base`), ({ $defs }) => {
        $defs[name] = structuredClone(definition);
        if (each === version) change($defs[name]);
      });
    }
  }

  removeDefinitions(version: string, names: readonly string[]): void {
    for (const name of names)
      this.edit(this.#moduleOf(`${version}/base`, name)!, ({ $defs }) => delete $defs[name]);
  }

  removeMethods(version: string, names: readonly string[]): void {
    for (const module of readdirSync(join(this.folder, version, "base"))) {
      this.edit(`${version}/base/${module}`, (document) => {
        const kept = document.methods?.filter(({ name }: Data) => !names.includes(name));
        if (document.methods !== undefined) document.methods = kept;
      });
    }
  }

  /** Removes what the site says of methods. */
  undocument(names: readonly string[]): void {
    for (const part of ["after", "errors"])
      this.edit(`docs/${part}.json`, ({ [part]: entries }) => {
        for (const name of names) delete entries[name];
      });
  }

  /** Lists places whose texts state other requirements than the published ones; forgets those of others. */
  except(
    version: string,
    places: {
      readonly adds?: readonly string[];
      readonly lacks?: readonly string[];
      readonly no?: readonly string[];
    },
  ): void {
    this.edit("requirement-exceptions.json", (document) => {
      const { adds = [], lacks = [], no = [] } = places;
      for (const exception of document.exceptions)
        exception.places = exception.places.filter((place: string) => !no.includes(place));
      for (const [difference, all] of Object.entries({ adds, lacks }))
        if (all.length > 0)
          document.exceptions.push({
            ...{ difference, versions: [version], places: all },
            reason: "A later release states it.",
          });
    });
  }

  removeFeature(name: string): void {
    for (const folder of ["v1", "v2", "shared"])
      rmSync(join(this.folder, folder, "features", `${name}.json`), { force: true });
    this.edit("profiles.json", ({ profiles }) => {
      for (const profile of Object.values<Data>(profiles))
        profile.features = profile.features.filter((feature: string) => feature !== name);
    });
  }

  /** Removes what the mapping of the bridge says of something, by the names that lead to it. */
  unmap(file: string, ...path: readonly [...string[], string]): void {
    this.edit(`bridge/${file}.json`, (document) => {
      const holder = path.slice(0, -1).reduce((value: Data, name) => value[name], document);
      delete holder[path.at(-1)!];
    });
  }

  #moduleOf(folder: string, definition: string): string | undefined {
    return readdirSync(join(this.folder, folder))
      .filter((name) => name.endsWith(".json"))
      .map((name) => `${folder}/${name}`)
      .find(
        (path) =>
          definition in (JSON.parse(readFileSync(join(this.folder, path), "utf8")) as Data).$defs,
      );
  }
}

/** Takes a canonical schema of release 2.3.0 or 2.4.0, which have the same schemas, back to 2.2.0. */
export function takeBackTo220(folder: string): void {
  const schema = new SchemaEditor(folder);
  for (const feature of [
    "auth_status",
    "proxy_chains",
    "session_archive",
    "session_set_title",
    "session_status",
  ])
    schema.removeFeature(feature);
  schema.removeMethods("v2", ["tool_call/cancel", "terminal/cancel"]);
  schema.undocument([
    ...["auth/status", "auth/status_update", "proxy/initialize", "proxy/successor"],
    ...["session/archive", "session/unarchive", "session/set_title", "session/status"],
    ...["terminal/cancel", "tool_call/cancel"],
  ]);
  schema.removeDefinitions("v2", [
    ...["BackgroundTerminal", "BackgroundToolCall", "BackgroundWork"],
    ...["CancelTerminalRequest", "CancelTerminalResponse", "CancelToolCallRequest"],
    ...["CancelToolCallResponse", "TerminalCancelCapabilities", "TerminalCapabilities"],
    ...["ToolCallCancelCapabilities", "ToolCallCapabilities"],
  ]);
  for (const state of ["IdleStateUpdate", "RequiresActionStateUpdate", "RunningStateUpdate"])
    schema.define("v2", state, ({ properties }) => delete properties.background);
  for (const update of ["TerminalUpdate", "ToolCallUpdate"])
    schema.define("v2", update, ({ properties }) => delete properties.capabilities);
  schema.define("v2", "ToolCallStatus", (status) => {
    status.anyOf = status.anyOf.filter((value: Data) => value.const !== "paused");
  });
  schema.edit("v2/base/session-updates.json", ({ methods }) => {
    for (const { params } of methods.flatMap(({ examples }: Data) => examples))
      if (params.update?.sessionUpdate !== "subagent_update")
        for (const name of ["background", "capabilities"]) delete params.update?.[name];
  });
  for (const state of ["Idle", "RequiresAction", "Running", "Unknown"]) {
    const background = [`${state}StateUpdate`, "properties", "background"] as const;
    schema.unmap("session-updates", "definitions", ...background);
  }
  schema.unmap("session", "definitions", "SessionStatusResponse");
  schema.unmap("tool-calls", "definitions", "ToolCallStatus", "values", "paused");
  schema.unmap("tool-calls", "definitions", "ToolCallUpdate", "properties", "capabilities");
  schema.unmap("tool-calls", "methods", "tool_call/cancel");
  schema.unmap("terminals", "methods", "terminal/cancel");
  schema.edit("lint-exceptions.json", (document) => {
    document.exceptions = document.exceptions.filter(
      ({ subject }: Data) => subject !== "SessionInfo.archived",
    );
  });
  schema.edit("v2/features/subagents.json", ({ add, $defs }) => {
    delete add.BackgroundWork;
    delete $defs.BackgroundSubagent;
    delete $defs.UnknownStateUpdate.properties.background;
  });
  // The texts are those of later releases, which state more.
  schema.except("v1", { adds: ["SystemPrompt.content"] });
  schema.except("v2", {
    adds: ["RequestPermissionOutcome/cancelled", "SystemPrompt.content"],
    lacks: ["RequestPermissionOutcome/cancelled"],
  });
}

/** Takes a canonical schema of release 2.2.0 back to 2.1.0. */
export function takeBackTo210(folder: string): void {
  const schema = new SchemaEditor(folder);
  schema.edit("v2/protocol.json", (protocol) => {
    protocol.envelopes = { batches: true, nullErrorId: false };
  });
  for (const version of ["v1", "v2"]) {
    schema.edit(`${version}/features/subagents.json`, ({ $defs }) => {
      delete $defs.SubagentUpdate.properties.cwd;
      delete $defs.SubagentUpdate.properties.additionalDirectories;
    });
  }
  const define = (name: string, change: (definition: Data) => void): void =>
    schema.define("v2", name, change);
  define("Annotations", ({ properties }) => (properties.lastModified.format = "date-time"));
  define("Cost", ({ properties }) => (properties.currency.pattern = "^[A-Z]{3}$"));
  define("ElicitationContentValue", (value) => {
    value.anyOf = value.anyOf.filter(({ title }: Data) => title !== "Other");
  });
  define("ElicitationSchema", (form) => {
    form.properties.type.default = "object";
    form.properties.properties.default = {};
    delete form.required;
  });
  define("Error", ({ properties: { data } }) => {
    delete data.anyOf;
    data.description = data.description.replace(/ Two codes .*/, "");
  });
  define("ErrorCode", ({ anyOf }) => {
    for (const code of anyOf) code.description = code.description.replace(/ `data` holds .*/, "");
  });
  schema.removeDefinitions("v2", [
    ...["ErrorData", "SessionNotFoundErrorData", "UnsupportedProtocolVersionErrorData"],
  ]);
  define("PromptRequest", ({ properties }) => delete properties.prompt.minItems);
  define("SessionConfigSelectGroup", ({ properties }) => delete properties.options.minItems);
  define("SessionConfigSelectOptions", ({ anyOf }) => {
    for (const variant of anyOf) delete variant.minItems;
  });
  schema.unmap(
    "config-options",
    "definitions",
    "SessionConfigSelectGroup",
    "properties",
    "options",
  );
  schema.unmap("config-options", "definitions", "SessionConfigSelectOptions");
  schema.unmap("prompt", "definitions", "PromptRequest", "properties", "prompt");
  define("SessionInfo", ({ properties }) => {
    delete properties.additionalDirectories["x-deserialize-default-on-null"];
  });
  // Version 1 allows any currency and no other answers of a form.
  schema.edit("bridge/session-updates.json", ({ definitions }) => {
    const text = "Version 2 allows currencies of ISO 4217 only; the cost is left out.";
    const limit = { when: "limit", do: "reject", loss: "dropped", text };
    definitions.Cost = { properties: { currency: { toV2: [limit] } } };
  });
  schema.unmap("elicitation", "definitions", "ElicitationContentValue");
  // The texts are those of later releases, which state more.
  schema.except("v2", {
    adds: [
      ...["AvailableCommand/other.name", "CloseSessionRequest", "Command.name"],
      ...["ForkSessionResponse.configOptions", "Icon.src", "McpServerStdio.env"],
      ...["NewSessionResponse.configOptions", "PermissionOption.optionId", "PromptRequest.prompt"],
      ...["RequestPermissionOutcome/selected", "ResumeSessionRequest.cwd"],
      ...["ResumeSessionRequest.mcpServers", "ResumeSessionResponse.configOptions"],
      "SessionConfigSelectGroup.options",
    ],
    no: ["SubagentUpdate.cwd", "SubagentUpdate.additionalDirectories"],
  });
}
