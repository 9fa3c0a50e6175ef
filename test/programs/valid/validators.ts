import type { Issue } from "acp-bindings";
import { validateContentBlock, validateSessionNotification } from "acp-bindings/v1";
import { validateErrorCode } from "acp-bindings/v1/validators";
import type { ContentBlock, ErrorCode, SessionNotification } from "acp-bindings/v1/types";

// A validator narrows what nobody knows anything about.
export function parse(json: string): SessionNotification {
  const value: unknown = JSON.parse(json);
  if (validateSessionNotification(value)) return value;
  const first: Issue | undefined = validateSessionNotification.issues[0];
  throw new Error(`${first?.pointer ?? ""} ${first?.rule ?? ""}`);
}

export function blocks(values: readonly unknown[]): ContentBlock[] {
  return values.filter(validateContentBlock);
}

export function code(value: unknown): ErrorCode | undefined {
  return validateErrorCode(value) ? value : undefined;
}
