import type { ProbeResult } from "../../tools/probe/probe.js";
import { withoutControls } from "../../schema/controls.js";
import { colors as pc } from "../colors.js";
import { cut } from "./format.js";
import { printTable } from "./table.js";

/** The length of the lines of an agent's standard error that are shown, in characters, and how many. */
const SHOWN = { length: 200, lines: 5 };

/** Prints what a probe has found, for people. */
export function printProbe(result: ProbeResult): string[] {
  const { name = "an agent without a name", version, protocolVersions, usable } = result;
  const title = [name, version].filter((part) => part !== undefined).join(" ");
  const counts = (of: ProbeResult["updates"]): string[] =>
    Object.entries(of).map(([name, count]) => `${name} × ${count}`);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["advertises", result.capabilities],
    ["signs in by", result.authMethods.map(({ id, type }) => `${id} (${type})`)],
    ["modes", result.modes],
    ["options", result.options],
    ["updates", counts(result.updates)],
    ["asked for, and refused", counts(result.requests)],
  ];
  const steps = result.steps.map(({ method, works, ms, detail }) => {
    const answer = works ? pc.green("works") : pc.red("fails");
    return [`  ${method}`, answer, `${ms} ms`, withoutControls(detail)];
  });
  const findings = result.findings.map(({ level, rule, path, message, count }) => {
    const place = path === "" ? "" : ` ${path}`;
    const times = count > 1 ? ` (${count} times)` : "";
    return `  ${(level === "error" ? pc.red : pc.yellow)(level)} ${rule}${withoutControls(`${place}: ${message}`)}${times}`;
  });
  const errors = result.errors.split("\n").slice(-SHOWN.lines);
  return [
    `${pc.bold(withoutControls(title))}, ${protocolVersions.length === 0 ? "no version of the protocol" : `protocol version ${protocolVersions.join(" and ")}`}`,
    ...printTable(steps, [0, 1, 3]),
    ...lists
      .filter(([, items]) => items.length > 0)
      .map(([head, items]) => `  ${head}: ${withoutControls(items.join(", "))}`),
    ...(findings.length > 0 ? ["what the protocol does not allow:", ...findings] : []),
    ...(usable || result.errors === ""
      ? []
      : ["its standard error:", ...errors.map((line) => `  ${cut(line, SHOWN.length)}`)]),
    usable ? pc.green("usable") : pc.red("not usable"),
  ];
}
