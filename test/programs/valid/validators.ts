import type { Issue } from "acp-bindings";
import { schemas } from "acp-bindings/v1";
import { ContentBlock, ErrorCode, SessionNotification } from "acp-bindings/v1/schemas";

// A schema narrows what nobody knows anything about.
export function parse(json: string): SessionNotification {
  const value: unknown = JSON.parse(json);
  if (SessionNotification.is(value)) return value;
  const first: Issue | undefined = schemas.SessionNotification.issues(value)[0];
  throw new Error(`${first?.pointer ?? ""} ${first?.rule ?? ""}`);
}

export function blocks(values: readonly unknown[]): ContentBlock[] {
  return values.filter(ContentBlock.is);
}

export function code(value: unknown): ErrorCode | undefined {
  return ErrorCode.is(value) ? value : undefined;
}
