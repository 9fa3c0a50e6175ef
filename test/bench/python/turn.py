"""Runs a prompt turn over stdio, of this package or of the official one.

Arguments: the package, a file with the params of `session/update`, and how many of them the
agent sends, each awaited. The client prints the seconds of CPU time of both processes. With
`agent` as its first argument, the program is the agent.
"""

import asyncio
import os
import resource
import sys


def read_updates(file, decode):
    with open(file, encoding="utf-8") as lines:
        return [decode(line).update for line in lines]


def numbered(updates, count):
    return (updates[index % len(updates)] for index in range(count))


async def own_agent(file, count):
    from acp_bindings import serve
    from acp_bindings.v1 import Agent, schemas, types

    def decode(line):
        return schemas.SessionNotification.decode_json(line).value

    updates = read_updates(file, decode)

    class Bench(Agent):
        async def session_new(self, params, context):
            return types.NewSessionResponse(session_id="s-1")

        async def session_prompt(self, params, context):
            for update in numbered(updates, count):
                await context.session.send(update)
            return types.PromptResponse(stop_reason="end_turn")

    info = types.Implementation(name="bench", version="1.0.0")
    await serve(Bench(info=info))


async def own_client(command):
    from acp_bindings import spawn_agent
    from acp_bindings.v1 import Client, schemas, types

    received = 0

    class Bench(Client):
        async def session_request_permission(self, params, context):
            raise NotImplementedError

        async def session_update(self, params, context):
            nonlocal received
            received += 1

    capabilities = schemas.ClientCapabilities.parse(
        {"session": {"notices": {}, "compaction": {}, "configOptions": {"boolean": {}}}}
    )
    info = types.Implementation(name="bench", version="1.0.0")
    client = Bench(info=info, capabilities=capabilities)
    async with spawn_agent(client, *command) as agent:
        session = await agent.new_session(os.getcwd())
        await session.prompt("Hello")
    return received


async def official_agent(file, count):
    import acp
    from acp import schema

    updates = read_updates(file, schema.SessionNotification.model_validate_json)

    class Bench(acp.Agent):
        def on_connect(self, conn):
            self.client = conn

        async def initialize(self, protocol_version, **more):
            return schema.InitializeResponse(protocol_version=protocol_version)

        async def new_session(self, **more):
            return schema.NewSessionResponse(session_id="s-1")

        async def prompt(self, **more):
            for update in numbered(updates, count):
                await self.client.session_update("s-1", update)
            return schema.PromptResponse(stop_reason="end_turn")

    await acp.run_agent(Bench())


async def official_client(command):
    import acp
    from acp import schema

    received = 0

    class Bench(acp.Client):
        async def session_update(self, **more):
            nonlocal received
            received += 1

    async with acp.spawn_agent_process(Bench(), *command) as (connection, _):
        await connection.initialize(protocol_version=1)
        session = await connection.new_session(cwd=os.getcwd(), mcp_servers=[])
        block = schema.TextContentBlock(type="text", text="Hello")
        await connection.prompt(session_id=session.session_id, prompt=[block])
    return received


def main():
    role, package, file, count = sys.argv[1:]
    if role == "agent":
        agents = {"ours": own_agent, "official": official_agent}
        asyncio.run(agents[package](file, int(count)))
        return
    clients = {"ours": own_client, "official": official_client}
    command = [sys.executable, __file__, "agent", package, file, count]
    received = asyncio.run(clients[package](command))
    if received != int(count):
        raise SystemExit(f"{received} of {count} updates were received")
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(sum(usage.ru_utime + usage.ru_stime for usage in usages))


main()
