import type { Message } from "./peer.js";

/** The line of a request that is answered with its params. */
export function echo(id: unknown, text: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "_fault/echo", params: { text } });
}

/** The line of a request, from its parts as text. */
export function requestLine(id: string, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`;
}

/** Whether this is exactly one refusal, by default of something without an id that can be used. */
export function isRefusal(answers: readonly Message[], code: number, id: unknown = null): boolean {
  return answers.length === 1 && answers[0]!.error?.code === code && answers[0]!.id === id;
}

/** Answers in a few words. */
export function describe(answers: readonly Message[]): string {
  if (answers.length === 0) return "not answered";
  return answers
    .map(({ id, error, method }) => {
      if (method !== undefined) return `calls ${method}`;
      const what = error === undefined ? "result" : String(error.code);
      return `${what} with id ${JSON.stringify(id)}`;
    })
    .join(", ")
    .slice(0, 100);
}
