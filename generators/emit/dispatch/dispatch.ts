import { Project, type SourceFile } from "ts-morph";
import type { Protocol } from "../../model/protocol.js";
import { code, printedCode, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import { InputError } from "../../schema/problem.js";
import type { Emitter } from "../emitter.js";
import { roleInterfaces } from "./interfaces.js";
import { printMethodsTable } from "./methods-table.js";
import { hasNes, printRoles } from "./roles.js";
import { hasProxy, PROXY_IMPORTS } from "./proxy.js";
import { printSendable } from "./sendable.js";
import { methodVariants } from "./variants.js";

const IMPORTS = code`import type { Channel, MessageStream } from "../runtime/channel.js";
import type { CallOptions } from "../runtime/calls.js";
import { dispatchMessage, type DispatchOptions } from "../runtime/dispatch-message.js";
import type { ResponseMessage } from "../runtime/messages.js";
import type { Checks } from "../runtime/methods.js";
import type { NamedCalls } from "../runtime/peer.js";
import { RoleSession } from "../runtime/role-session.js";
import { defineRole, type AuthenticationOptions, type HandlerContext, type Handshake, type Role, type RoleConnection, type RoleOptions } from "../runtime/role.js";
import * as checks from "./internal/checks.js";
import { SENDABLE } from "./internal/sendable.js";
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
        path: path(protocol.profile, "internal", "sendable.ts"),
        text: printSendable(protocol),
        language: "plain",
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
  const { received } = protocol;
  const moduleOf = (name: string): Code => (received.has(name) ? code`received` : code`types`);
  const file = project.createSourceFile("dispatch.ts", IMPORTS);
  if (received.size > 0)
    file.addImportDeclaration({
      isTypeOnly: true,
      namespaceImport: "received",
      moduleSpecifier: "./received.js",
    });
  if (protocol.methods.some((method) => methodVariants(method, protocol) !== undefined))
    file.addStatements(code`import type { VariantHandlers } from "../runtime/handlers.js";`);
  if (hasNes(protocol)) {
    file.addStatements(
      code`import type { PositionEncoding } from "../runtime/nes/encoding.js";
import { cutSuggestion, declareEncoding } from "../runtime/nes/negotiation.js";`,
    );
  }
  if (hasProxy(protocol)) file.addStatements(PROXY_IMPORTS);
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
  const declared = [...file.getInterfaces(), ...file.getTypeAliases(), ...file.getFunctions()].map(
    (item) => item.getName(),
  );
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
