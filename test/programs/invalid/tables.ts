import { METHODS, PROTOCOL } from "acp-bindings/v1";

// The tables cannot be changed.
METHODS.push(METHODS[0]); // @error 2339
PROTOCOL.version = 2; // @error 2540

// Their values are known to the letter.
export const first: "authenticate" = METHODS[0].name; // @error 2322
export const beyond = METHODS[999]; // @error 2493
