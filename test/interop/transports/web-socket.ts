import { createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const TEXT = 1;
const CLOSE = 8;

/**
 * A WebSocket as the official SDK's streams use one: whole text messages, no
 * fragments, no extensions (RFC 6455 sections 4 and 5). As a constructor it is the
 * client's; a server makes its own with `accept`.
 */
export class TextSocket extends EventEmitter {
  readyState = 0;
  #socket: Duplex | undefined;
  #isClient = true;
  #rest = Buffer.alloc(0);

  constructor(url?: string) {
    super();
    if (url === undefined) return;
    const key = randomBytes(16).toString("base64");
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Key": key,
      "Sec-WebSocket-Version": "13",
    };
    request(url.replace("ws:", "http:"), { headers })
      .on("upgrade", (response: IncomingMessage, socket: Duplex, head: Buffer) => {
        if (response.headers["sec-websocket-accept"] !== acceptOf(key))
          return this.emit("error", new Error("this is no answer to the handshake"));
        this.emit("upgrade", response);
        return this.#open(socket, head);
      })
      .on("error", (error) => this.emit("error", error))
      .end();
  }

  /** The server's end, behind the answer to the handshake. */
  static accept(socket: Duplex, head: Buffer): TextSocket {
    const accepted = new TextSocket();
    accepted.#isClient = false;
    accepted.#open(socket, head);
    return accepted;
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text));
  }

  close(): void {
    if (this.readyState !== 1) return;
    this.#write(CLOSE, Buffer.alloc(0));
    this.readyState = 2;
    this.#socket?.end();
  }

  #open(socket: Duplex, head: Buffer): void {
    this.#socket = socket;
    this.readyState = 1;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.emit("error", error));
    socket.on("close", () => {
      this.readyState = 3;
      this.emit("close");
    });
    this.emit("open");
    this.#read(head);
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let frame = readFrame(this.#rest); frame !== undefined; frame = readFrame(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.end);
      if (frame.opcode === TEXT) this.emit("message", frame.payload.toString("utf8"));
      else if (frame.opcode === CLOSE) this.close();
    }
  }

  #write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
    const header = Buffer.alloc(2 + extra);
    header[0] = 0x80 | opcode;
    header[1] = (this.#isClient ? 0x80 : 0) | (extra === 0 ? length : extra === 2 ? 126 : 127);
    if (extra === 2) header.writeUInt16BE(length, 2);
    if (extra === 8) header.writeBigUInt64BE(BigInt(length), 2);
    const mask = this.#isClient ? randomBytes(4) : Buffer.alloc(0);
    this.#socket?.write(Buffer.concat([header, mask, masked(payload, mask)]));
  }
}

/** The server's part of the handshake, in the form that the official SDK asks for. */
export class TextSocketServer extends EventEmitter {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    callback: (socket: TextSocket) => void,
  ): void {
    const key = request.headers["sec-websocket-key"] ?? "";
    const headers = [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${acceptOf(key)}`,
    ];
    this.emit("headers", headers, request);
    socket.write(`${headers.join("\r\n")}\r\n\r\n`);
    callback(TextSocket.accept(socket, head));
  }
}

function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  /** Where the next frame begins. */
  readonly end: number;
}

/** The first frame of some bytes; nothing when it is not whole. */
function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const extra = short < 126 ? 0 : short === 126 ? 2 : 8;
  const maskAt = 2 + extra;
  const start = maskAt + (bytes[1]! & 0x80 ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length =
    extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  const payload = masked(bytes.subarray(start, end), bytes.subarray(maskAt, start));
  return { opcode: bytes[0]! & 0x0f, payload, end };
}

function masked(payload: Buffer, mask: Buffer): Buffer {
  return mask.length === 0 ? payload : Buffer.from(payload.map((byte, at) => byte ^ mask[at % 4]!));
}
