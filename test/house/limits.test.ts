import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

const TYPESCRIPT = [
  "templates/typescript/runtime/rpc/limits.ts",
  "templates/typescript/runtime/rpc/backlog.ts",
];
const PYTHON = [
  "templates/python/acp_bindings/_runtime/rpc/receiver.py",
  "templates/python/acp_bindings/_runtime/rpc/backlog.py",
];
const GO = ["templates/go/acp/options.go", "templates/go/internal/rpc/writer.go"];

/** The limits of a connection, as each language states them. */
const LIMITS: { readonly [limit: string]: readonly [string, string, string] } = {
  "4,096 unanswered requests of the peer": [
    "maxInFlight: 4096,",
    "max_in_flight: int = 4096\n",
    "cmp.Or(l.MaxInFlight, 4096)",
  ],
  "1,000 malformed messages in a row": [
    "maxInvalidInRow: 1000,",
    "max_invalid_in_row: int = 1000\n",
    "cmp.Or(l.MaxInvalidInRow, 1000)",
  ],
  "30 s for a cancelled request": [
    "cancelGraceMs: 30_000,",
    "cancel_grace: float = 30.0\n",
    "cmp.Or(l.CancelGrace, 30*time.Second)",
  ],
  "1 s for handlers after the end of the input": [
    "endGraceMs: 1000,",
    "end_grace: float = 1.0\n",
    "cmp.Or(l.EndGrace, time.Second)",
  ],
  "60 s in which a peer reads nothing": [
    "stallMs: 60_000,",
    "stall: float = 60.0\n",
    "cmp.Or(l.Stall, time.Minute)",
  ],
  "1 MiB of unsent data before a peer has to read": [
    "STALL_BYTES = 1024 * 1024;",
    "_STALL_BYTES = 1024 * 1024\n",
    "stallBytes = 1 << 20\n",
  ],
  "64 MiB of answers before requests are refused": [
    "MOST_ANSWER_BYTES = 64 * 1024 * 1024;",
    "_MOST_ANSWER_BYTES = 64 * 1024 * 1024\n",
    "mostAnswerBytes = 64 << 20\n",
  ],
  "256 MiB of unsent data before the end": [
    "MOST_BYTES = 256 * 1024 * 1024;",
    "_MOST_BYTES = 256 * 1024 * 1024\n",
    "mostUnsent = 256 << 20\n",
  ],
};

test("the limits of a connection are the same in all languages", () => {
  const sources = [TYPESCRIPT, PYTHON, GO].map((files) =>
    files.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n"),
  );
  for (const [limit, texts] of Object.entries(LIMITS))
    expect([limit, texts.filter((text, language) => !sources[language]!.includes(text))]).toEqual([
      limit,
      [],
    ]);
});
