import { join } from "node:path";
import { describe, expect } from "vitest";
import { smallProtocol, type SmallMethod } from "../generators/emit/small-protocol.js";
import { renamedProtocol } from "../generators/emit/renamed.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest } from "./go-test.js";
import { runGo, writeModule } from "./toolchain.js";

const folder = temporaryFolder();
const CLEAN = { code: 0, out: "", err: "" };

describe("the Go module is compiled", () => {
  goTest.each(["v1", "v2"] as const)(
    "with other names of methods in %s, and its sessions know none of them",
    async (version) => {
      const module = await writeModule(join(folder, version), renamedProtocol(version));
      expect(runGo(["gofmt", "-l", "."], { cwd: module })).toEqual(CLEAN);
      expect(runGo(["vet", "./..."], { cwd: module })).toEqual(CLEAN);
      const sessions = runGo(["doc", `./acp${version}renamed`, "Session"], { cwd: module });
      expect(sessions.out).toContain("Prompt(ctx context.Context");
    },
    180_000,
  );

  goTest(
    "with any names of methods, and definitions with those of roles",
    async () => {
      const hostile = [
        ...["close", "Close", "_close", "session", "func", "a/b", "a_b", "1x", "_", "é"],
        ...['`"', "*/ panic(1)", "supports", "call_extension"],
      ];
      const methods = hostile.flatMap((name): SmallMethod[] => [
        { name, params: "Client", result: "Agent", summary: `${name} */\n//go:x` },
        { name, params: "Client", side: "client", gate: { always: "optional" } },
      ]);
      const hello = { name: "initialize", params: "Hello", result: "Hello" };
      const object = (name: string): object => ({
        type: "object",
        description: "A thing.",
        properties: { [name]: { type: "integer", description: "A number." } },
      });
      const names = ["Agent", "Client", "NewAgent", "AgentHandler", "CloseHandler", "Session"];
      const definitions = {
        ...Object.fromEntries(names.map((name) => [name, object("of")])),
        Hello: object("protocolVersion"),
      };
      const protocol = smallProtocol({ definitions, methods: [hello, ...methods] });
      expect(protocol.initialize).toBeDefined();
      const module = await writeModule(join(folder, "hostile"), protocol);
      expect(runGo(["gofmt", "-l", "."], { cwd: module })).toEqual(CLEAN);
      expect(runGo(["vet", "./..."], { cwd: module })).toEqual(CLEAN);
    },
    180_000,
  );
});
