import { Project, type SourceFile } from "ts-morph";
import type { Protocol } from "../../model/protocol.js";
import { receivedDefinitions } from "../../model/received.js";
import { code, printedCode, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import { InputError } from "../../schema/problem.js";
import type { Emitter } from "../emitter.js";
import { roleInterfaces } from "./interfaces.js";
import { printMethodsTable } from "./methods-table.js";
import { printRoles } from "./roles.js";

const IMPORTS = code`import type { Channel, MessageStream } from "../runtime/channel.js";
import type { CallOptions } from "../runtime/connection.js";
import type { Checks } from "../runtime/methods.js";
import { defineRole, RoleSession, type ExtensiblePeer, type HandlerContext, type RoleConnection, type RoleOptions } from "../runtime/role.js";
import * as checks from "./internal/checks.js";
import { METHODS } from "./methods.js";
import type * as types from "./types.js";

/** A value, or a promise of one. */
type Awaitable<T> = T | Promise<T>;
`;

/** Typed handlers and peers for both roles, and the table of methods; the behavior is the runtime's. */
export const dispatch: Emitter = {
  name: "dispatch",
  summary: "handler interfaces, typed peers and the method table, for both roles",
  requires: ["types", "decoders"],
  emit: (protocol) => {
    const path = (...file: string[]): string => outputPath("typescript", "src", ...file);
    return [
      {
        path: path(protocol.profile, "methods.ts"),
        text: printMethodsTable(protocol),
        language: "typescript",
      },
      {
        path: path(protocol.profile, "dispatch.ts"),
        text: printDispatch(protocol),
        language: "typescript",
      },
    ];
  },
};

function printDispatch(protocol: Protocol): Code {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const received = receivedDefinitions(protocol.definitions);
  const moduleOf = (name: string): Code => (received.has(name) ? code`received` : code`types`);
  const file = project.createSourceFile("dispatch.ts", IMPORTS);
  if (received.size > 0)
    file.addImportDeclaration({
      isTypeOnly: true,
      namespaceImport: "received",
      moduleSpecifier: "./received.js",
    });
  file.addInterfaces([
    ...roleInterfaces("agent", protocol, moduleOf),
    ...roleInterfaces("client", protocol, moduleOf),
  ]);
  file.addStatements(code`\n${printRoles(protocol, moduleOf)}`);
  refuseClashes(file, protocol);
  return printedCode(file.getFullText());
}

/** The index of a profile exports types and dispatch side by side, so their names must differ. */
function refuseClashes(file: SourceFile, protocol: Protocol): void {
  const declared = [...file.getInterfaces(), ...file.getFunctions()].map((item) => item.getName());
  const exported = new Set([...declared, "METHODS", "PROTOCOL", "RENAMES", "SnakeCase"]);
  const clashes = protocol.definitions.filter(({ identifier }) => exported.has(identifier));
  if (clashes.length === 0) return;
  throw new InputError(
    clashes.map(({ name, identifier }) => ({
      message: `the definition "${name}" has the name of a generated export, ${identifier}`,
      hint: "Rename the definition.",
    })),
  );
}
