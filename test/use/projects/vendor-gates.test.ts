import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { lintPaths } from "../../../generators/run/lint/lint.js";
import { runProgram } from "../../programs/run-program.js";
import { pythonTest, runPython } from "../../python/run-python.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "./find-type-errors.js";

const description = "A thing of example.org.";
const params = { description, type: "object", "x-meta": true };
const method = (name: string, side: string, gate: object, more: object): object => ({
  name: `_example.org/${name}`,
  side,
  kind: "request",
  summary: "Does something.",
  description,
  gate,
  params: "ExampleRequest",
  result: "ExampleResponse",
  examples: [{ title: "An example", params: {}, result: {} }],
  ...more,
});

/** Methods of both sides and a property, with gates below `_meta`. */
const FEATURE = {
  $schema: join(ROOT, "schema/dialect/feature.schema.json"),
  name: "example",
  protocol: "v1",
  title: "Example",
  description: "The extensions of example.org.",
  status: "vendor",
  methods: [
    method("reindex", "agent", { agent: 'agentCapabilities._meta["example.org"].reindex' }, {}),
    method("panel", "client", { client: 'clientCapabilities._meta["example.org/panel"]' }, {}),
  ],
  $defs: {
    ExampleRequest: {
      ...params,
      properties: {
        deep: {
          description,
          type: "boolean",
          "x-gate": { agent: 'agentCapabilities._meta["example.org"].deep' },
        },
      },
    },
    ExampleResponse: params,
  },
};

const REINDEX = 'agentCapabilities._meta["example.org"].reindex';
const PANEL = 'clientCapabilities._meta["example.org/panel"]';

const TYPESCRIPT = `
import * as acp from "./src/ours/index.js";

const info = { name: "test", version: "1" };
const log = (text: unknown): void => console.log(String(text));
const named = (error: unknown): void => log((error as acp.CapabilityError).capability);

async function talk(has: boolean): Promise<void> {
  const agent = acp.createAgent({
    info,
    capabilities: { _meta: { other: 1, "example.org": { deep: has } } },
    handlers: {
      session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }) },
      exampleOrg: has
        ? {
            reindex: async (_, { client, supports }) => {
              log(supports('${PANEL}'));
              await client.request("_example.org/panel", {}).then(() => log("panel"), named);
            },
          }
        : {},
    },
  });
  const client = acp.createClient({
    info,
    handlers: {
      session: { requestPermission: () => acp.CANCELLED },
      ...(has && { exampleOrg: { panel: (_, { supports }) => log(supports('${REINDEX}')) } }),
    },
  });
  const [near, far] = acp.memoryTransports();
  agent.connect(far);
  await using connection = await client.connect(near);
  log(JSON.stringify(connection.handshake.response.agentCapabilities?._meta));
  log(connection.agent.exampleOrg.reindex !== undefined);
  await connection.agent.request("_example.org/reindex", {}).catch(named);
  await connection.agent.request("_example.org/reindex", { deep: true }).then(() => log("deep"), named);
}
await talk(true);
await talk(false);
`;

const PYTHON = `
import asyncio, json
from acp_bindings import CapabilityError, connect_in_memory
from acp_bindings.ours import Agent, Client, types

INFO = types.Implementation(name="test", version="1")

class Plain(Agent):
    async def session_new(self, params, context):
        return types.NewSessionResponse(session_id="s")
    async def session_prompt(self, params, context):
        return types.PromptResponse(stop_reason="end_turn")

class Indexing(Plain):
    async def example_org_reindex(self, params, context):
        print(context.peer.supports('${PANEL}'))
        await attempt(context.peer.example_org_panel(types.ExampleRequest()), "panel")

class Editor(Client):
    async def session_request_permission(self, params, context):
        raise NotImplementedError

class WithPanel(Editor):
    async def example_org_panel(self, params, context):
        return None

async def attempt(call, done=None):
    try:
        await call
        done and print(done)
    except CapabilityError as error:
        print(error.capability)

async def talk(agent, client, has):
    own = {"other": 1, "example.org": {"deep": has}}
    made = agent(info=INFO, capabilities=types.AgentCapabilities(meta=own))
    async with connect_in_memory(made, client(info=INFO)) as peer:
        print(peer.supports('${REINDEX}'))
        await attempt(peer.example_org_reindex(types.ExampleRequest()))
        await attempt(peer.example_org_reindex(types.ExampleRequest(deep=True)), "deep")

async def main():
    await talk(Indexing, WithPanel, True)
    await talk(Plain, Editor, False)

asyncio.run(main())
`;

// Inside the repository, so that what is generated finds the types of Node.js.
const folder = temporaryFolder(join(ROOT, "node_modules/.vendor-"));
const feature = join(folder, "example.json");
beforeAll(async () => {
  writeFileSync(feature, JSON.stringify(FEATURE));
  const targets = ["roles", "package", "docs", "python"];
  await generate({ out: folder, protocol: "v1", with: [feature], name: "ours", targets });
});
test("a vendor's capability in _meta is a gate without findings of lint", () => {
  expect(lintPaths({ paths: [feature] }).findings).toEqual([]);
});

test("a vendor's capability is advertised, and checked in both directions, in TypeScript", async () => {
  const program = join(folder, "typescript/program.ts");
  writeFileSync(program, TYPESCRIPT);
  expect(findTypeErrors([program]).map(({ messageText }) => messageText)).toEqual([]);
  const { out, err } = await runProgram(program);
  expect(err).toBe("");
  expect(out.trim().split("\n")).toEqual([
    '{"other":1,"example.org":{"deep":true,"reindex":true}}',
    ...["true", "true", "true", "panel", "true", "true", "panel", "deep"],
    '{"other":1,"example.org":{"deep":false}}',
    ...["false", REINDEX, REINDEX],
  ]);
});

pythonTest("a vendor's capability is advertised, and checked in both directions, in Python", () => {
  const { out, err } = runPython(["-c", PYTHON], "", { PYTHONPATH: join(folder, "python") });
  expect(err).toBe("");
  expect(out.trim().split("\n")).toEqual([
    "True",
    "True",
    "panel",
    "True",
    "panel",
    "deep",
    "False",
    REINDEX,
    REINDEX,
  ]);
});
