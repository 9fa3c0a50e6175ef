// A server in a process of its own, which prints its port as its only line.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Listens on a port of this machine. */
export function listen(web) {
  web.listen(0, "127.0.0.1", () => console.log(web.address().port));
}

/** Starts a server and returns its address and what ends it. */
export async function startServer(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  return { url: `http://127.0.0.1:${port}/acp`, kill: () => child.kill() };
}
