// Next edit suggestions: every method, and every kind of suggestion.

import { cancelled, extend, notify, request } from "./steps.mjs";
import { v1Unstable } from "./v1-unstable.mjs";

const sessionId = "n-1";
const uri = "file:///project/a.ts";
const at = (line, character) => ({ line, character });
const range = (from, to) => ({ start: at(0, from), end: at(0, to) });

export const nes = extend(v1Unstable, {
  client: {
    clientCapabilities: {
      nes: { jump: {}, rename: {}, searchAndReplace: {} },
      positionEncodings: ["utf-32", "utf-16"],
    },
  },
  agent: {
    agentCapabilities: {
      nes: {
        events: {
          document: {
            didOpen: {},
            didChange: { syncKind: "incremental" },
            didClose: {},
            didSave: {},
            didFocus: {},
          },
        },
        context: {
          recentFiles: { maxCount: 3 },
          relatedSnippets: {},
          editHistory: { maxCount: 2 },
          userActions: { maxCount: 5 },
          openFiles: {},
          diagnostics: {},
        },
      },
      positionEncoding: "utf-32",
    },
  },
  steps: [
    request(
      "nes/start",
      {
        workspaceUri: "file:///work",
        workspaceFolders: [{ uri: "file:///work", name: "work" }],
        repository: { name: "work", owner: "ada", remoteUrl: "https://git.example/ada/work" },
      },
      { sessionId },
    ),
    notify("document/didOpen", {
      sessionId,
      uri,
      languageId: "typescript",
      version: 1,
      text: "a€",
    }),
    notify("document/didFocus", {
      sessionId,
      uri,
      version: 1,
      position: at(0, 1),
      visibleRange: range(0, 2),
    }),
    notify("document/didChange", {
      sessionId,
      uri,
      version: 2,
      contentChanges: [{ range: range(0, 1), text: "b" }, { text: "b€😀" }],
    }),
    notify("document/didSave", { sessionId, uri }),
    request(
      "nes/suggest",
      {
        sessionId,
        uri,
        version: 2,
        position: at(0, 2),
        selection: range(1, 2),
        triggerKind: "diagnostic",
        context: {
          recentFiles: [{ uri, languageId: "typescript", text: "a" }],
          relatedSnippets: [{ uri, excerpts: [{ startLine: 0, endLine: 0, text: "a" }] }],
          editHistory: [{ uri, diff: "@@ -1 +1 @@\n-a\n+b\n" }],
          userActions: [
            { action: "cursorMovement", uri, position: at(0, 2), timestampMs: 1795300000500 },
          ],
          openFiles: [
            {
              uri,
              languageId: "typescript",
              visibleRange: range(0, 2),
              lastFocusedMs: 1795300000000,
            },
          ],
          diagnostics: [{ uri, range: range(0, 1), severity: "error", message: "No b" }],
        },
      },
      {
        suggestions: [
          {
            kind: "edit",
            id: "g-1",
            uri,
            edits: [{ range: range(0, 1), newText: "c" }],
            cursorPosition: at(0, 1),
          },
          { kind: "jump", id: "g-2", uri, position: at(0, 0) },
          { kind: "rename", id: "g-3", uri, position: at(0, 0), newName: "c" },
          { kind: "searchAndReplace", id: "g-4", uri, search: "b", replace: "c", isRegex: false },
        ],
      },
    ),
    notify("nes/accept", { sessionId, id: "g-1" }),
    notify("nes/reject", { sessionId, id: "g-2", reason: "rejected" }),
    cancelled("nes/suggest", {
      sessionId,
      uri,
      version: 2,
      position: at(0, 0),
      triggerKind: "manual",
    }),
    notify("document/didClose", { sessionId, uri }),
    request("nes/close", { sessionId }, {}),
  ],
});
