import { read } from "../gates/capability.js";
import { elicitationDefaults, type ElicitationContent } from "../conformance/elicitation.js";
import { isRecord } from "../rpc/messages.js";
import { RpcError } from "../rpc/errors.js";

/** Computes a result that depends on the request; receives the sample of the result. */
export type Behavior = (params: unknown, context: unknown, sample: unknown) => unknown;

/**
 * The answers of a scripted user: one answer to every request, a list with an answer to each request in
 * order, or a function that computes the answer. A request after the end of the list fails.
 */
export type Script<Answer, Params> =
  Answer | readonly Answer[] | ((params: Params) => Answer | Promise<Answer>);

/** An answer to a permission request: the option of a kind or with an id, or none of them. */
export type PermissionAnswer<Kind extends string> =
  Kind | { readonly optionId: string } | "cancelled";

/**
 * An answer to an elicitation. An object is the content of a form that the user accepts; "accept"
 * stands for the defaults of the form.
 */
export type ElicitationAnswer = "accept" | "decline" | "cancel" | ElicitationContent;

/** The scripts of a user, by the property of the option `user`. */
export interface UserScripts {
  readonly permission?: Script<PermissionAnswer<string>, never>;
  readonly elicitation?: Script<ElicitationAnswer, never>;
}

/** The methods that ask the user, by the property of the option `user`. */
export const USER_METHODS: { readonly [Name in keyof UserScripts]-?: string } = {
  permission: "session/request_permission",
  elicitation: "elicitation/create",
};

/**
 * Creates the behavior of a user who answers as scripted. Without a script, the user allows every
 * tool call and declines every elicitation.
 *
 * @returns the behavior by method; it throws an RpcError when there is no answer or no such option
 */
export function createUser({
  permission = allow,
  elicitation = "decline",
}: UserScripts): readonly (readonly [method: string, behavior: Behavior])[] {
  return [
    [USER_METHODS.permission, scripted(USER_METHODS.permission, permission, select)],
    [USER_METHODS.elicitation, scripted(USER_METHODS.elicitation, elicitation, respond)],
  ];
}

function scripted<Answer>(
  method: string,
  script: Script<Answer, never>,
  toResult: (answer: Answer, params: unknown) => object,
): Behavior {
  let count = 0;
  return async (params, _context, sample) => {
    count++;
    const answer = await (typeof script === "function"
      ? (script as (params: unknown) => Answer | Promise<Answer>)(params)
      : Array.isArray(script)
        ? (script as readonly Answer[])[count - 1]
        : (script as Answer));
    if (answer === undefined)
      throw RpcError.internal(`The scripted user has no answer to request ${count} of ${method}`);
    return { ...(isRecord(sample) && sample), ...toResult(answer, params) };
  };
}

/** Selects the first option that allows the call. */
function allow(params: unknown): PermissionAnswer<string> {
  const option = optionsOf(params).find((one) =>
    `${String(read(one, "kind"))}`.startsWith("allow"),
  );
  return option === undefined ? "cancelled" : { optionId: read(option, "optionId") as string };
}

function select(answer: PermissionAnswer<string>, params: unknown): object {
  if (answer === "cancelled") return { outcome: { outcome: answer } };
  const [name, value] =
    typeof answer === "string" ? ["kind", answer] : ["optionId", answer.optionId];
  const option = optionsOf(params).find((one) => read(one, name!) === value);
  if (option === undefined)
    throw RpcError.internal(`The scripted user finds no option with the ${name} "${value}"`);
  return { outcome: { outcome: "selected", optionId: read(option, "optionId") } };
}

function optionsOf(params: unknown): readonly unknown[] {
  const options = read(params, "options");
  return Array.isArray(options) ? options : [];
}

/** Accepts a form with the values that it starts with, unless the answer has others. */
function respond(answer: ElicitationAnswer, params: unknown): object {
  if (typeof answer !== "string") return { action: "accept", content: answer };
  const schema = read(params, "requestedSchema");
  const isForm = answer === "accept" && isRecord(schema);
  return { action: answer, content: isForm ? elicitationDefaults(schema) : undefined };
}
