import { methodWith } from "../../../model/method-with.js";
import type { Protocol } from "../../../model/protocol.js";
import { code, docComment, literal, type Code } from "../../../output/code.js";
import type { HandshakeCode } from "./handshake.js";

/** Returns whether the protocol has conductors, which route the messages of proxies. */
function hasConductor(protocol: Protocol): boolean {
  return methodWith(protocol, "initializes-proxy") !== undefined;
}

const IMPORTS = code`import { connectPair, type ProxyConnection } from "../runtime/role/proxy/connect-pair.js";
import { defineProxy, type Intercepting, type ProxyContext as ContextOfProxy, type ProxyOptions as OptionsOfProxy } from "../runtime/role/proxy/proxy-role.js";`;

const CONDUCTOR_IMPORT = code`import { connectConductor } from "../runtime/role/proxy/connect-conductor.js";`;

/** Returns the imports of `createProxy`. */
export function proxyImports(protocol: Protocol): Code[] {
  if (protocol.initialize === undefined) return [];
  return hasConductor(protocol) ? [IMPORTS, CONDUCTOR_IMPORT] : [IMPORTS];
}

/** Prints `createProxy` and its options. */
export function printProxy(
  protocol: Protocol,
  { handshake, receivedRequest, received }: HandshakeCode,
): Code {
  const version = literal(protocol.versionNumber);
  const conductor = hasConductor(protocol)
    ? {
        method: code`\n${docComment("Connects to the conductor of a chain of proxies; `proxy/initialize` is answered automatically.")}
connectConductor(transport: Transport | MessageStream): ProxyConnection;`,
        call: code`\nconnectConductor: (transport) => connectConductor(proxy, transport),`,
      }
    : { method: code``, call: code`` };
  return code`${docComment("The context of a proxy's handlers.")}
export type ProxyContext = ContextOfProxy<ConnectedClient, ConnectedAgent, ${handshake}>;

${docComment("Options of `createProxy`. Messages without a handler are forwarded unchanged.")}
export type ProxyOptions = OptionsOfProxy<Intercepting<AgentHandlers, ProxyContext>, Intercepting<ClientHandlers, ProxyContext>, ${receivedRequest}, ${received}>;

${docComment("A component between a client and an agent.")}
export interface Proxy {
readonly protocolVersion: ${version};
${docComment("Connects a client with an agent, given the transports to both. When one of them closes, the other connection is closed as well.")}
connect(client: Transport | MessageStream, agent: Transport | MessageStream): ProxyConnection;${conductor.method}
}

${docComment("Creates a proxy; it can have any number of connections. Throws an Error for a handler whose name does not match a method.")}
export function createProxy(options: ProxyOptions): Proxy {
const proxy = defineProxy(options, { protocolVersion: ${version}, methods: METHODS, checks: CHECKS, capabilities: CAPABILITIES });
return {
protocolVersion: ${version},
connect: (client, agent) => connectPair(proxy, client, agent),${conductor.call}
};
}`;
}
