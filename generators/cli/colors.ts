import pc from "picocolors";

type Stream = { readonly isTTY?: boolean };

function colorsFor({ isTTY }: Stream): ReturnType<typeof pc.createColors> {
  return pc.createColors(isTTY === true && pc.isColorSupported);
}

/** Colors on a terminal only: never in a file, a pipe or a build log. */
export const colors = colorsFor(process.stdout);

/** The same for what goes to standard error. */
export const errorColors = colorsFor(process.stderr);
