import { Readable, Writable } from "node:stream";
import { schedule, sleep } from "./clock.mjs";

const failure = (text, code) => Object.assign(new Error(text), { code });

/** One direction of a wire: a bounded buffer whose bytes arrive in random pieces after random delays. */
export class Wire {
  /** What the sender writes to, and the receiver reads from. */
  writer = new Writable({
    highWaterMark: 16 * 1024,
    write: (bytes, _, done) => this.#write(bytes, done),
    final: (done) => {
      this.end();
      done();
    },
  });
  reader = new Readable({
    highWaterMark: 16 * 1024,
    read: () => {
      this.#isWanted = true;
      this.#kick();
    },
    destroy: (error, done) => {
      this.break();
      done(error);
    },
  });

  #random;
  #wire;
  #cut;
  #sent;
  #arrived;
  #held = Buffer.alloc(0);
  /** What has no room, and is written when there is some. */
  #waiting;
  #delivered = 0;
  #isWanted = false;
  #isScheduled = false;
  #isStalled = false;
  #isEnded = false;
  #isBroken = false;

  /**
   * @param random decides pieces and delays
   * @param wire its `capacity`, `chunk` and `delay`
   * @param cut after how many `bytes` it is cut, and what the reader sees (`by`)
   * @param onSent called with each line that is written, and `onArrived` with each that is read
   */
  constructor(random, wire, cut, onSent, onArrived) {
    this.#random = random;
    this.#wire = wire;
    this.#cut = cut;
    this.#sent = splitLines(onSent);
    this.#arrived = splitLines(onArrived);
  }

  /** The sender ends: what is held arrives, then the end. */
  end() {
    this.#isEnded = true;
    this.#failWriter();
    this.#kick();
  }

  /** The receiver is gone: nothing arrives any more. */
  break() {
    this.#isBroken = true;
    this.#held = Buffer.alloc(0);
    this.#failWriter();
  }

  stall(ms) {
    this.#isStalled = true;
    schedule(ms, () => {
      this.#isStalled = false;
      this.#kick();
    });
  }

  #write(bytes, done) {
    if (this.#isBroken || this.#isEnded) return done(failure("write EPIPE", "EPIPE"));
    this.#sent(bytes);
    this.#waiting = { bytes, done };
    this.#fill();
    this.#kick();
  }

  #fill() {
    const room = this.#wire.capacity - this.#held.length;
    if (this.#waiting === undefined || room <= 0) return;
    const { bytes, done } = this.#waiting;
    this.#held = Buffer.concat([this.#held, bytes.subarray(0, room)]);
    this.#waiting = bytes.length > room ? { bytes: bytes.subarray(room), done } : undefined;
    if (this.#waiting === undefined) done();
  }

  #kick() {
    const hasWork = this.#held.length > 0 ? this.#isWanted : this.#isEnded;
    if (this.#isScheduled || this.#isBroken || this.#isStalled || !hasWork) return;
    this.#isScheduled = true;
    schedule(this.#random.below(this.#wire.delay + 1), () => this.#deliver());
  }

  #deliver() {
    this.#isScheduled = false;
    if (this.#isBroken || this.#isStalled || this.reader.destroyed) return;
    if (this.#held.length === 0) {
      this.#isBroken = true;
      return void this.reader.push(null);
    }
    const most = Math.min(this.#held.length, 1 + this.#random.below(this.#wire.chunk));
    const left = (this.#cut?.bytes ?? Infinity) - this.#delivered;
    const piece = this.#held.subarray(0, Math.min(most, left));
    this.#held = this.#held.subarray(piece.length);
    this.#delivered += piece.length;
    this.#arrived(piece);
    this.#isWanted = piece.length === 0 || this.reader.push(piece);
    if (left <= most) {
      this.break();
      if (this.#cut.by === "eof") this.reader.push(null);
      else this.reader.destroy(failure("read ECONNRESET", "ECONNRESET"));
      return;
    }
    this.#fill();
    this.#kick();
  }

  #failWriter() {
    this.#waiting?.done(failure("write EPIPE", "EPIPE"));
    this.#waiting = undefined;
  }
}

/** A WebSocket whose messages are lines on two wires. */
export class Socket extends EventTarget {
  readyState = 1;
  #outgoing;

  constructor(incoming, outgoing) {
    super();
    this.#outgoing = outgoing;
    const receive = splitLines((data) => this.dispatchEvent(new MessageEvent("message", { data })));
    incoming.reader.on("data", receive);
    incoming.reader.on("end", () => this.#end(1000));
    for (const stream of [incoming.reader, outgoing.writer])
      stream.on("error", () => this.#end(1006));
  }

  get bufferedAmount() {
    return this.#outgoing.writer.writableLength;
  }

  send(text) {
    this.#outgoing.writer.write(`${text}\n`);
  }

  close() {
    this.readyState = 2;
    this.#outgoing.writer.end();
  }

  #end(code) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#outgoing.writer.end();
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

/** Requests to a server, some of which are lost, and the streams of its responses, which are cut. */
export class Http {
  #random;
  #wires;
  #cut;
  #handle;
  #ends = new Set();
  #isBroken = false;
  #stalled = Promise.resolve();
  /** How many streams are cut: one that always is never delivers a long message. */
  #cuts = 5;

  /**
   * @param random decides pieces, delays, and what is lost
   * @param wires the `chunk` and `delay` of both directions
   * @param cut whether requests are lost (`cutToAgent`), or after how many `bytes` each stream is cut
   * @param handle answers a request
   */
  constructor(random, wires, cut, handle) {
    this.#random = random;
    this.#wires = wires;
    this.#cut = cut;
    this.#handle = handle;
  }

  fetch = async (url, { signal, ...init }) => {
    const aborted = new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    aborted.catch(() => {});
    return Promise.race([this.#fetch(new Request(url, init)), aborted]);
  };

  /** One side is gone: streams end, and nobody answers any more. */
  break() {
    this.#isBroken = true;
    for (const end of this.#ends) end();
  }

  stall(ms) {
    this.#stalled = sleep(ms);
  }

  async #fetch(request) {
    const isNumbered = request.headers.has("Acp-Message-Number");
    const pass = async (dir) => {
      await this.#pass(dir);
      if (isNumbered && this.#cut?.kind === "cutToAgent" && this.#random.below(10) === 0)
        throw failure("fetch failed", "ECONNRESET");
    };
    await pass("toAgent");
    const response = await this.#handle(request);
    await pass("toClient");
    const isStream = request.method === "GET";
    return isStream ? new Response(this.#stream(response.body), response) : response;
  }

  async #pass(dir) {
    await sleep(this.#random.below(this.#wires[dir].delay + 1));
    await this.#stalled;
    if (this.#isBroken) throw failure("fetch failed", "ECONNREFUSED");
  }

  #stream(body) {
    const reader = body.getReader();
    const { chunk } = this.#wires.toClient;
    const isCut = this.#cut?.kind === "cutToClient" && this.#cuts-- > 0;
    let left = isCut ? this.#random.below(this.#cut.bytes + 1) : Infinity;
    let held = Buffer.alloc(0);
    let end;
    const close = () => {
      this.#ends.delete(end);
      void reader.cancel().catch(() => {});
    };
    return new ReadableStream(
      {
        start: (controller) => {
          end = () => {
            close();
            controller.error(failure("terminated", "ECONNRESET"));
          };
          this.#ends.add(end);
        },
        pull: async (controller) => {
          if (held.length === 0) {
            const { done, value } = await reader.read();
            if (done) {
              this.#ends.delete(end);
              return controller.close();
            }
            held = value;
          }
          await this.#pass("toClient");
          const piece = held.subarray(0, Math.min(1 + this.#random.below(chunk), left));
          held = held.subarray(piece.length);
          left -= piece.length;
          if (piece.length > 0) controller.enqueue(piece);
          if (left > 0) return;
          if (this.#cut.by === "error") return end();
          close();
          controller.close();
        },
        cancel: close,
      },
      { highWaterMark: 0 },
    );
  }
}

/** Returns a function that takes bytes and calls `onLine` with each whole line. */
function splitLines(onLine) {
  let rest = [];
  return (bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const line = Buffer.concat([...rest, bytes.subarray(start, end)]).toString();
      rest = [];
      start = end + 1;
      onLine(line);
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  };
}
