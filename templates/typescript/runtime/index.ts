export * from "./entry.js";
export {
  checkElicitation,
  elicitationDefaults,
  type ElicitationContent,
} from "./conformance/elicitation.js";
export { filePath, fileUri } from "./file-uri.js";
export {
  mcpLaunch,
  type McpAddress,
  type McpCommand,
  type McpLaunch,
  type PassedMcpServer,
} from "./mcp-launch.js";
export { terminalLogin, type AgentLaunch, type OfferedLogin } from "./terminal-login.js";
export type {
  CapabilityGate,
  GatedPlace,
  GateStrength,
  MethodDescriptor,
  MethodOf,
  MethodGate,
  PlaceStep,
  SessionFact,
} from "./methods.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./rpc/messages.js";
export type { Report } from "./rpc/inbound-requests.js";
export type { ProtocolFacts } from "./gates/protocol.js";
export type { HandleOptions } from "./role/handle-message.js";
export type { NamedCalls } from "./role/peer.js";
export type { HandlerContext, RoleConnection, RoleOptions } from "./role/role.js";
export type { SchemaProperties } from "./validate/schema.js";
export type {
  StandardIssue,
  StandardProperties,
  StandardResult,
  StandardSchema,
} from "./validate/standard-schema.js";
