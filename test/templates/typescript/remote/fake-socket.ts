import { vi } from "vitest";
import type { WebSocketLike } from "../../../../templates/typescript/runtime/remote/web-socket-transport.js";

/** A socket without a network, whose peer reads nothing until `bufferedAmount` is set. */
export class FakeSocket implements WebSocketLike {
  readyState = 1;
  bufferedAmount = 0;
  readonly pause = vi.fn();
  readonly resume = vi.fn();
  readonly send = vi.fn((text: string) => void (this.bufferedAmount += text.length));
  readonly close = vi.fn(() => this.end());
  readonly #listeners: [type: string, listener: (event: object) => void][] = [];

  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.push([type, listener]);
  }

  emit(type: string, event: object): void {
    for (const [heard, listener] of this.#listeners) if (heard === type) listener(event);
  }

  end(): void {
    this.readyState = 3;
    this.emit("close", { code: 1000 });
  }
}
