import { Driver } from "./play.js";

/** The drivers of the languages. */
export const DRIVERS = {
  typescript: () => new Driver(["node", "--no-warnings", "test/simulation/drive.mjs"]),
};
