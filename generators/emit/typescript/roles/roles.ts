import { methodWith } from "../../../model/method-with.js";
import type { Protocol } from "../../../model/protocol.js";
import { code, joinCode, type Code } from "../../../output/code.js";
import { outputPath } from "../../../output/file.js";
import type { Memo } from "../../../schema/memo.js";
import { printSource } from "../../../output/ts-morph/print-source.js";
import { perProfile, type Emitter } from "../../emitter.js";
import { roleInterfaces } from "./interfaces.js";
import { printMethodsTable } from "./methods-table.js";
import { hasNes, printRoles } from "./create-roles.js";
import { proxyImports } from "./proxy.js";
import { hasSessions } from "./session-updates.js";
import { printSessions, printStateTable, sessionImports } from "./sessions.js";
import { methodVariants } from "./variants.js";

const IMPORTS = code`import type { Transport, MessageStream } from "../runtime/rpc/transports/transport.js";
import type { CallOptions } from "../runtime/rpc/outbound-requests.js";
import { handleMessage, type HandleOptions } from "../runtime/role/handle-message.js";
import type { ResponseMessage } from "../runtime/rpc/messages.js";
import type { Checks } from "../runtime/methods.js";
import type { NamedCalls } from "../runtime/role/peer.js";
import { connectClient, openClient, type ConnectOptions } from "../runtime/role/open-client.js";
import type { RequestContext } from "../runtime/role/request-context.js";
import { RoleSession } from "../runtime/role/role-session.js";
import { requireArgument } from "../runtime/rpc/require-argument.js";
import { defineRole, type AuthenticationOptions, type HandlerContext, type Handshake, type RoleConnection, type RoleOptions } from "../runtime/role/role.js";
import * as checks from "./internal/checks.js";
import { METHODS } from "./methods.js";
import type * as types from "./types.js";`;

const AWAITABLE = code`
/** A value, or a promise of one. */
type Awaitable<T> = T | Promise<T>;
`;

/** Typed handlers and calls for both roles, and the table of methods; the runtime implements the behavior. */
export const roles: Emitter = {
  name: "roles",
  summary: "handler interfaces, typed calls and the method table, for both roles",
  handshake: "present",
  requires: ["types", "schemas", "runtime"],
  emit: perProfile(async (protocol, _, { memo }) => {
    const path = (...file: string[]): string => outputPath("typescript", "src", ...file);
    return [
      {
        path: path(protocol.profile, "methods.ts"),
        text: printMethodsTable(protocol),
        language: "typescript",
      },
      {
        path: path(protocol.profile, "roles.ts"),
        text: await printRolesModule(protocol, memo),
        language: "typescript",
      },
      ...(hasSessions(protocol)
        ? [
            {
              path: path(protocol.profile, "internal", "state-table.ts"),
              text: printStateTable(protocol),
              language: "typescript" as const,
            },
          ]
        : []),
    ];
  }),
};

async function printRolesModule(protocol: Protocol, memo?: Memo): Promise<Code> {
  const { received } = protocol;
  const moduleOf = (name: string): Code => (received.has(name) ? code`received` : code`types`);
  const sessions = printSessions(protocol, moduleOf);
  const imports = [...importsOf(protocol), sessionImports(protocol, sessions)];
  return printSource(
    {
      head: joinCode([IMPORTS, ...imports, AWAITABLE], "\n"),
      interfaces: [
        ...roleInterfaces("agent", protocol, moduleOf),
        ...roleInterfaces("client", protocol, moduleOf),
      ],
      tail: code`\n${printRoles(protocol, moduleOf)}\n\n${sessions}`,
    },
    memo,
  );
}

/** Returns the imports that only some protocols need. */
function importsOf(protocol: Protocol): Code[] {
  const imports: Code[] = [];
  if (protocol.received.size > 0)
    imports.push(code`import type * as received from "./received.js";`);
  if (protocol.methods.some((method) => methodVariants(method, protocol) !== undefined))
    imports.push(code`import type { VariantHandlers } from "../runtime/role/options/handlers.js";`);
  if (methodWith(protocol, "starts-turn") !== undefined)
    imports.push(code`import type { BusyOptions } from "../runtime/role/while-busy.js";`);
  if (protocol.versionNumber > 1)
    imports.push(code`import type { RetryOptions } from "../runtime/role/prompt-retries.js";`);
  if (hasNes(protocol)) {
    imports.push(code`import type { PositionEncoding } from "../runtime/nes/encoding.js";
import { cutSuggestion, declareEncoding } from "../runtime/nes/negotiation.js";`);
  }
  imports.push(...proxyImports(protocol));
  return imports;
}
