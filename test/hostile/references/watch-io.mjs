// Notes every path that is opened and every address that is connected to, from the first import on.
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const seen = { paths: [], addresses: [] };
globalThis.seenIo = seen;

const note = (path) => {
  if (typeof path === "string" || path instanceof URL) seen.paths.push(String(path));
};
const watch = (module) => {
  for (const [name, call] of Object.entries(module)) {
    if (typeof call !== "function" || /^[A-Z_]|Stream$/.test(name)) continue;
    module[name] = Object.assign(function (...args) {
      note(args[0]);
      return call.apply(this, args);
    }, call);
  }
};
watch(fs);
watch(fs.promises);
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const address = JSON.stringify(args[0]);
  // The loader of TypeScript speaks with its parent.
  if (!/[\\/]tsx-\d+[\\/]/.test(address)) seen.addresses.push(address);
  return connect.apply(this, args);
};
const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  seen.addresses.push(host);
  return lookup(host, ...rest);
};
const { fetch } = globalThis;
globalThis.fetch = (...args) => {
  seen.addresses.push(String(args[0]));
  return fetch(...args);
};
syncBuiltinESMExports();
