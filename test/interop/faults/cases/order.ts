import { createOutcome, withPeer, type Fault } from "../fault.js";
import type { Message, Peer } from "../peer.js";

const TURNS = 10;
const UPDATES = 1000;
const EXTRAS = [0, 10, 50];
const PROMPTS = 100;

export const order: readonly Fault[] = [
  {
    id: "B9",
    fault:
      "1,000 updates and the response in one chunk, 10 turns (client with 0, 10, 50 further handlers)",
    asked: "0 of 10,000 updates after the response, none out of order",
    run: async (library) => {
      const late: number[] = [];
      const inverted: number[] = [];
      for (const extras of EXTRAS) {
        const { mistakes, figure } = await withPeer(
          library,
          { role: "client", extras },
          async (peer) => {
            let [after, wrong] = [0, 0];
            for (let turn = 0; turn < TURNS; turn++) {
              const { atEnd, numbers } = await takeTurn(peer);
              after += UPDATES - atEnd;
              wrong += countInversions(numbers) + UPDATES - numbers.length;
            }
            late.push(after);
            inverted.push(wrong);
            return createOutcome("", {});
          },
        );
        if (mistakes.length > 0) return { figure, mistakes };
      }
      const figure = `${late.join(", ")} late, ${inverted.join(", ")} out of order or lost`;
      return createOutcome(figure, {
        "no update comes after the response": late.every((count) => count === 0),
        "updates keep their order": inverted.every((count) => count === 0),
      });
    },
  },
  {
    id: "B9",
    fault: "100 prompts, each with its cancel, in one chunk (agent)",
    asked: "handlers start in wire order",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const numbered = Array.from({ length: PROMPTS }, (_, index) => [
          prompt(index * 2),
          cancel(index * 2 + 1),
        ]);
        void peer.send(`${numbered.flat().join("\n")}\n`);
        await peer.ping();
        const numbers = await takeNumbers(peer);
        const inversions = countInversions(numbers);
        return createOutcome(`${numbers.length} started, ${inversions} inversions`, {
          "every handler starts": numbers.length === 2 * PROMPTS,
          "in order": inversions === 0,
        });
      }),
  },
];

/** One turn in which the script is the agent. */
async function takeTurn(peer: Peer): Promise<{ atEnd: number; numbers: number[] }> {
  const request = peer.post("_fault/turn", {});
  const { id } = await peer.message(({ method }) => method === "session/prompt");
  const updates = Array.from({ length: UPDATES }, (_, index) => update(index));
  const response = { jsonrpc: "2.0", id, result: { stopReason: "end_turn" } };
  void peer.send(`${updates.join("\n")}\n${JSON.stringify(response)}\n`);
  const { atEnd } = (await peer.response(request)).result as { atEnd: number };
  return { atEnd, numbers: await takeNumbers(peer) };
}

/** The numbers of the messages in the order in which their handlers started. */
async function takeNumbers(peer: Peer): Promise<number[]> {
  const { result } = await peer.request("_fault/seen");
  return (result as Seen).seen.map(({ params }) => params._meta.n);
}

interface Seen {
  readonly seen: readonly { readonly params: { readonly _meta: { readonly n: number } } }[];
}

function countInversions(numbers: readonly number[]): number {
  return numbers.filter((number, index) => index > 0 && number < numbers[index - 1]!).length;
}

function update(n: number): string {
  const content = { type: "text", text: "token" };
  return notification("session/update", {
    sessionId: "s-1",
    update: { sessionUpdate: "agent_message_chunk", content },
    _meta: { n },
  });
}

function prompt(n: number): string {
  const params = { sessionId: "s-1", prompt: [], _meta: { n } };
  return write({ id: n, method: "session/prompt", params });
}

function cancel(n: number): string {
  return notification("session/cancel", { sessionId: "s-1", _meta: { n } });
}

function notification(method: string, params: object): string {
  return write({ method, params });
}

function write(message: Message): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}
