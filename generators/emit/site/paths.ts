export const INDEX_PATH = "index.html";
export const STYLESHEET_PATH = "assets/style.css";
export const SCRIPT_PATH = "assets/site.js";
export const ICON_PATH = "assets/favicon.svg";
/** Above the profiles; loaded when somebody searches. */
export const SEARCH_PATH = "search.js";
export const VALIDATOR_PATH = "validator.html";
export const FEATURES_PATH = "features.html";
export const MIGRATION_PATH = "migration.html";

/** The page of all losses between the versions, above the profiles; only where both are built. */
export const LOSSES_PATH = "tool/losses.html";
