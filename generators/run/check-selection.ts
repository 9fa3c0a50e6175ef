import { checkOptions, OPTION, type OptionRule, type OptionRules } from "./check-options.js";
import { ALLOWED_FORMS, isAllowedForm } from "../schema/import/allowed-forms.js";
import type { Selection } from "./options.js";

const RULES: OptionRules<Selection> = {
  profiles: OPTION.texts,
  protocol: OPTION.text,
  with: OPTION.texts,
  without: OPTION.texts,
  name: OPTION.text,
  schema: OPTION.text,
  meta: OPTION.text,
  methods: OPTION.text,
  allowUnknownKeywords: OPTION.texts,
  allow: {
    accepts: (value) => Array.isArray(value) && value.every(isAllowedForm),
    expected: `a list with ${ALLOWED_FORMS.map((form) => `"${form}"`).join(" or ")}`,
  },
  names: OPTION.object,
  rootName: OPTION.text,
  refs: OPTION.object,
  schemaDirectory: OPTION.text,
};

/** The option `inputs`, which selects one profile. */
export const INPUTS_OPTION: OptionRule = {
  ...OPTION.object,
  expected: 'an object that selects one profile, such as { profiles: ["v1"] }',
  isRequired: true,
};

/**
 * Checks the names and types of the options that select a profile.
 *
 * @throws TypeError that names the first option that is wrong
 */
export function checkSelection(inputs: unknown): void {
  checkOptions<Selection>('"inputs"', inputs, RULES);
}
