/** Hints that name options of the library; the command replaces them by hints that name its flags. */
export const HINTS = {
  oneProfile: "Select one profile with the option inputs.",
  testee: "If the agent has the fixed behaviors of a testee, set the option isTestee.",
  scripts: "The target behavior writes all scripts with their ids and rules.",
} as const;
