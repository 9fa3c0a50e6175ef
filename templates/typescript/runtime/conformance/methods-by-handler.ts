/** The methods by handling side and kind, which the compiler takes from the schema; none among the templates. */
export const METHODS_BY_HANDLER: Readonly<Record<string, string>> = {};
