import type { ErrorObject } from "ajv";

/** The longest value that is printed, in characters. */
const MOST = 60;

/** Returns what an error of ajv in verbose mode says, with the value where the error is about it. */
export function errorText({ keyword, message, params, data }: ErrorObject): string {
  switch (keyword) {
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).map(shortJson).join(", ")}, not ${shortJson(data)}`;
    case "const":
      return `must be ${shortJson(params["allowedValue"])}, not ${shortJson(data)}`;
    case "type":
    case "pattern":
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `${message}, not ${shortJson(data)}`;
    default:
      return message ?? "is invalid";
  }
}

/** Returns a value as JSON, cut where it is long. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
