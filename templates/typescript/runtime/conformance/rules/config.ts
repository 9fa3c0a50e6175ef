import { ErrorCodes } from "../../rpc/errors.js";
import { findInvalidOption, optionId } from "../config.js";
import { BOTH, onKinds, onResult, onSent, V2, type Rule } from "./rule.js";
import { at, list, show } from "../select.js";

const SET = "session/set_config_option";

/** Rules of the options of sessions. */
export const CONFIG_RULES: readonly Rule[] = [
  {
    id: "known-config-option",
    source: "session config options, from the client",
    level: "error",
    versions: BOTH,
    check: onSent([SET], function* ({ session, params }) {
      const invalid = findInvalidOption(session?.options, params);
      if (invalid !== undefined) yield invalid;
    }),
  },
  {
    id: "unfit-config-value-refused",
    source: "description of SetSessionConfigOptionRequest in version 2",
    level: "error",
    versions: V2,
    check: onKinds(["result", "error"], function* ({ kind, call, message }) {
      if (call?.method !== SET || !call.isInvalidOption) return;
      const code = at(message, "error", "code");
      if (code !== ErrorCodes.InvalidParams && code !== ErrorCodes.RequestCancelled)
        yield {
          message: "the session does not offer this, but the request succeeds",
          path: `/${kind}`,
        };
    }),
  },
  {
    id: "complete-config-options",
    source: "session config options; description of SetSessionConfigOptionResponse",
    level: "warning",
    versions: BOTH,
    check: onResult([SET], function* ({ params, result }) {
      const id = at(params, "configId");
      const options = at(result, "configOptions");
      if (Array.isArray(options) && !options.some((option) => optionId(option) === id))
        yield { message: `the list lacks the option ${show(id)}`, path: "/result/configOptions" };
    }),
  },
  {
    id: "config-option-set",
    source: "session config options, whose response has the new values",
    level: "note",
    versions: BOTH,
    check: onResult([SET], function* ({ params, result }) {
      const [id, value] = [at(params, "configId"), at(params, "value")];
      for (const [index, option] of list(at(result, "configOptions")).entries())
        if (optionId(option) === id && at(option, "currentValue") !== value)
          yield {
            message: `the client has set ${show(value)}`,
            path: `/result/configOptions/${index}/currentValue`,
          };
    }),
  },
];
