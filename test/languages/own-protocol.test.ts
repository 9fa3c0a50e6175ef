import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadMini } from "../generators/golden/compile-mini.js";
import { writePackage } from "../generators/schema/import/exporters/python-verdicts.js";
import { HAS_GO, runGo, writeModule } from "../go/toolchain.js";
import { pythonTest, runPython } from "../python/run-python.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* The `initialize` of the mini protocol has no name of an implementation, which v1 and v2 require. */

const folder = temporaryFolder();

pythonTest(
  "an agent of a protocol without names of implementations is made in Python",
  async () => {
    await writePackage([loadMini()], folder);
    const program = `
from acp_bindings.mini import Agent

class Own(Agent):
    async def note_save(self, params, context): ...

print(Own().SIDE)
`;
    const env = { PYTHONPATH: join(folder, "python") };
    expect(runPython(["-c", program], "", env)).toMatchObject({ code: 0, out: "agent\n" });
  },
);

test.skipIf(!HAS_GO && process.env["CI"] !== "true")(
  "and so it is in Go",
  { timeout: 300_000 },
  async () => {
    const module = await writeModule(join(folder, "module"), loadMini());
    mkdirSync(join(module, "own"));
    writeFileSync(
      join(module, "own/main.go"),
      `package main

import (
	"context"
	"fmt"

	"github.com/acp-codegen/acp-codegen/out/go/acpmini"
)

type own struct{}

func (own) NoteSave(context.Context, *acpmini.AgentCall, *acpmini.Note) (*acpmini.SaveNoteResponse, error) {
	return nil, nil
}

func main() {
	_, err := acpmini.NewAgent(own{}, nil, nil)
	fmt.Println(err)
}
`,
    );
    const { code, out, err } = runGo(["run", "./own"], { cwd: module });
    expect({ code, out }, err).toEqual({ code: 0, out: "<nil>\n" });
  },
);
