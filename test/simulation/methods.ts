/** The methods of calls, by what drivers name them. */
export const METHODS: { readonly [op: string]: string } = {
  new: "session/new",
  mode: "session/set_mode",
  option: "session/set_config_option",
  ask: "session/request_permission",
  elicit: "elicitation/create",
  terminal: "terminal/create",
};

/** How questions of a cancelled turn are answered. */
export const ANSWERS_OF_CANCELLED: { readonly [op: string]: string } = {
  ask: "cancelled",
  elicit: "cancel",
};
