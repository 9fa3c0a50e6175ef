import { spawn, type ChildProcess } from "node:child_process";
import { ROOT } from "../../../support/paths.js";

const STDIO = new URL("../../../../templates/typescript/runtime/stdio/index.ts", import.meta.url)
  .href;
const CONNECTION = new URL(
  "../../../../templates/typescript/runtime/rpc/connection.ts",
  import.meta.url,
).href;

/**
 * Runs a script in a Node.js process of its own, with `spawnAgent`, `byteTransport`,
 * `stdio` and `Connection` of the runtime at hand.
 */
export function runScript(script: string, stderr: "inherit" | "pipe" = "inherit"): ChildProcess {
  const imports = `
    import { byteTransport, spawnAgent, stdio } from ${JSON.stringify(STDIO)};
    import { Connection } from ${JSON.stringify(CONNECTION)};`;
  const args = ["--import", "tsx", "--input-type=module", "-e", imports + script];
  return spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", stderr] });
}

/** The first line that a process prints, as JSON. */
export async function readLine(child: ChildProcess): Promise<unknown> {
  let text = "";
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes("\n")) return JSON.parse(text.slice(0, text.indexOf("\n")));
  }
  throw new Error(`the script printed no line: ${text}`);
}
