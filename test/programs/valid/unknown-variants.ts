import {
  schemas,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type ElicitationPropertySchema,
  type MultiSelectItems,
} from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// Known tags narrow to their variant, and what is left is the unknown one.
export function describe(request: CreateElicitationRequest): string {
  switch (request.mode) {
    case "form":
      return Object.keys(request.requestedSchema.properties ?? {}).join();
    case "url":
      return request.url;
    default: {
      type _ = Expect<Equal<typeof request.mode, `_${string}`>>;
      const payload: unknown = request["anything"];
      return `${request.message} ${String(payload)} ${"sessionId" in request}`;
    }
  }
}

// The scope is a union of its own, inside each variant.
export function scope(request: CreateElicitationRequest): string | number | null {
  return "sessionId" in request && typeof request.sessionId === "string" ? request.sessionId : null;
}

// The guard is for tags of later versions, which no literal type can name.
export function knownMode(request: CreateElicitationRequest): "form" | "url" | undefined {
  if (schemas.CreateElicitationRequest.isUnknown(request)) {
    type _ = Expect<Equal<typeof request.mode, `_${string}`>>;
    return undefined;
  }
  return request.mode;
}

export function label(field: ElicitationPropertySchema): string | null | undefined {
  return schemas.ElicitationPropertySchema.isUnknown(field) ? undefined : field.title;
}

export function choices(items: MultiSelectItems): number {
  if (schemas.MultiSelectItems.isUnknown(items)) return 0;
  return items.type === "string" ? items.enum.length : items.anyOf.length;
}

export const own: CreateElicitationRequest = {
  mode: "_voice",
  message: "Speak up.",
  sessionId: "s1",
  seconds: 30,
};

export const answers: CreateElicitationResponse[] = [
  { action: "accept", content: { name: "Ada", age: 36, tags: ["a"] } },
  { action: "decline" },
  { action: "_later", when: "tomorrow" },
];
