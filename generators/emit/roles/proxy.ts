import type { Protocol } from "../../model/protocol.js";
import { code, docComment, literal, type Code } from "../../output/code.js";
import type { Handshake } from "./handshake.js";

/** Returns whether the protocol has proxies between client and agent. */
export function hasProxy({ methods }: Protocol): boolean {
  return methods.some(({ name, side }) => side === "proxy" && name === "proxy/initialize");
}

export const PROXY_IMPORTS = code`import { ProxySession } from "../runtime/role/proxy/proxy-session.js";
import { defineProxy, type Intercepting, type ProxyContext as ContextOfProxy, type ProxyOptions as OptionsOfProxy } from "../runtime/role/proxy/proxy-role.js";`;

/** Prints `createProxy` and its options. */
export function printProxy(
  protocol: Protocol,
  { handshake, receivedRequest, received }: Handshake,
): Code {
  const version = literal(protocol.versionNumber);
  return code`${docComment("The context of a proxy's handlers.")}
export type ProxyContext = ContextOfProxy<ConnectedClient, ConnectedAgent, ${handshake}>;

${docComment("Options of `createProxy`. Messages without a handler are forwarded unchanged.")}
export type ProxyOptions = OptionsOfProxy<Intercepting<AgentHandlers, ProxyContext>, Intercepting<ClientHandlers, ProxyContext>, ${receivedRequest}, ${received}>;

${docComment("A component between client and agent, which a conductor connects.")}
export interface Proxy {
readonly protocolVersion: ${version};
${docComment("Connects to the conductor; `proxy/initialize` is answered automatically.")}
connect(transport: Transport | MessageStream): Pick<RoleConnection, "closed" | "close">;
}

${docComment("Creates a proxy; it can be part of any number of chains.")}
export function createProxy(options: ProxyOptions): Proxy {
const proxy = defineProxy(options, { protocolVersion: ${version}, methods: METHODS, checks: CHECKS, declaredFields: DECLARED_FIELDS, capabilities: CAPABILITIES });
return {
protocolVersion: ${version},
connect: (transport) => {
const { connection } = new ProxySession(proxy, transport);
return { closed: connection.closed, close: () => connection.close() };
},
};
}`;
}
