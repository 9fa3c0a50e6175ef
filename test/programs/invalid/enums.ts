import type { ErrorCode, NoticeSeverity, StopReason } from "acp-bindings/v1";

// A closed enumeration takes nothing else.
export const reason: StopReason = "bored"; // @error 2322
declare const received: string;
export const passed: StopReason = received; // @error 2322

// An open one takes custom names only.
export const later: NoticeSeverity = "later"; // @error 2322
export const other: NoticeSeverity = received; // @error 2322
export const severity: NoticeSeverity = 3; // @error 2322
export const code: ErrorCode = "-32700"; // @error 2322
export const missing: NoticeSeverity = null; // @error 2322
