"""A provider of next edit suggestions, and its editor, in one program."""

from __future__ import annotations

import asyncio

from acp_bindings import SessionStore, connect_in_memory
from acp_bindings.nes import convert_position, convert_range
from acp_bindings.v1_full import Agent, AgentContext, Client, ClientContext, types


class Provider(Agent):
    position_encodings = ("utf-32",)

    def __init__(self) -> None:
        super().__init__(
            info=types.Implementation(name="nes", version="1"),
            capabilities=types.AgentCapabilities(
                nes=types.NesCapabilities(
                    events=types.NesEventCapabilities(
                        document=types.NesDocumentEventCapabilities(
                            did_open=types.NesDocumentDidOpenCapabilities(),
                            did_change=types.NesDocumentDidChangeCapabilities(
                                sync_kind="full"
                            ),
                        )
                    ),
                    context=types.NesContextCapabilities(
                        recent_files=types.NesRecentFilesCapabilities(max_count=2)
                    ),
                )
            ),
        )
        self.sessions = SessionStore[dict[str, str]]()
        self.accepted: list[str] = []

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        raise NotImplementedError

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        raise NotImplementedError

    async def nes_start(
        self, params: types.StartNesRequest, context: AgentContext
    ) -> types.StartNesResponse:
        return types.StartNesResponse(session_id=self.sessions.create({}))

    async def document_did_open(
        self, params: types.DidOpenDocumentNotification, context: AgentContext
    ) -> None:
        self.sessions[params.session_id][params.uri] = params.text

    async def document_did_change(
        self, params: types.DidChangeDocumentNotification, context: AgentContext
    ) -> None:
        for change in params.content_changes:
            self.sessions[params.session_id][params.uri] = change.text

    async def nes_suggest(
        self, params: types.SuggestNesRequest, context: AgentContext
    ) -> types.SuggestNesResponse:
        text = self.sessions[params.session_id][params.uri]
        position = params.position
        encoding = context.peer.position_encoding
        shown = convert_position(text, position, encoding, "utf-16")
        assert (encoding, shown.character) == ("utf-32", 3)
        assert params.context and params.context.recent_files
        assert [one.text for one in params.context.recent_files] == ["2", "3"]
        assert not params.context.open_files
        edit = types.NesTextEdit(
            range=types.Range(start=position, end=position), new_text="!"
        )
        return types.SuggestNesResponse(
            suggestions=[types.NesSuggestionEdit(id="1", uri=params.uri, edits=[edit])]
        )

    async def nes_close(
        self, params: types.CloseNesRequest, context: AgentContext
    ) -> types.CloseNesResponse:
        del self.sessions[params.session_id]
        return types.CloseNesResponse()

    async def nes_accept(
        self, params: types.AcceptNesNotification, context: AgentContext
    ) -> None:
        self.accepted.append(params.id)


class Editor(Client):
    async def session_request_permission(
        self, params: types.RequestPermissionRequest, context: ClientContext
    ) -> types.RequestPermissionResponse:
        raise NotImplementedError


async def main() -> None:
    editor = Editor(
        info=types.Implementation(name="editor", version="1"),
        capabilities=types.ClientCapabilities(position_encodings=["utf-32", "utf-16"]),
    )
    provider = Provider()
    async with connect_in_memory(provider, editor) as agent:
        started = await agent.nes_start(types.StartNesRequest())
        uri = "file:///a.py"
        await agent.document_did_open(
            types.DidOpenDocumentNotification(
                session_id=started.session_id,
                uri=uri,
                language_id="python",
                version=1,
                text="a\N{GRINNING FACE}b",
            )
        )
        suggested = await agent.nes_suggest(
            types.SuggestNesRequest(
                session_id=started.session_id,
                uri=uri,
                version=1,
                position=types.Position(line=0, character=2),
                trigger_kind="automatic",
                context=types.NesSuggestContext(
                    recent_files=[
                        types.NesRecentFile(uri=uri, language_id="python", text=text)
                        for text in "123"
                    ],
                    open_files=[],
                ),
            ),
            timeout=1,
        )
        for suggestion in suggested.suggestions:
            match suggestion:
                case types.NesSuggestionEdit(id=own, edits=[edit]):
                    line = "a\N{GRINNING FACE}b"
                    moved = convert_range(line, edit.range, "utf-32", "utf-8")
                    assert moved.start.character == 5
                    await agent.nes_accept(
                        types.AcceptNesNotification(
                            session_id=started.session_id, id=own
                        )
                    )
                case _:
                    raise AssertionError(suggestion)
        await agent.nes_close(types.CloseNesRequest(session_id=started.session_id))
    assert provider.accepted == ["1"]


if __name__ == "__main__":
    asyncio.run(main())
