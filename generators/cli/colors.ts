import pc from "picocolors";

/** Colors on a terminal only: never in a file, a pipe or a build log. */
export const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
