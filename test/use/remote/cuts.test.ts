import { afterEach, test } from "vitest";
import { deepTest } from "../../support/deep.js";
import { stopAll } from "./remote-agent.js";
import { takeTurnWithCuts } from "./turn-with-cuts.js";

afterEach(stopAll);

const seed = process.env["SEED"] ?? "20261126";

test("chunks and questions of a turn whose connections are cut at random arrive once each, in order", async () => {
  await takeTurnWithCuts({ chunks: 300, questions: 150, pause: 5 }, seed);
}, 60_000);

deepTest(
  "the same in 8 turns",
  async () => {
    for (let turn = 1; turn <= 8; turn++)
      await takeTurnWithCuts({ chunks: 300, questions: 150, pause: 20 }, `${seed} ${turn}`);
  },
  180_000,
);
