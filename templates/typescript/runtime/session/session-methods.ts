import { findMethod } from "../find-method.js";
import type { MethodDescriptor, MethodTrait } from "../methods.js";

/** The names of the methods that sessions call. */
export interface SessionMethods {
  readonly prompt: string;
  readonly cancel: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly create: string;
  readonly list: string;
  readonly load: string;
  readonly resume: string;
}

/**
 * Returns the names of the methods that sessions call. A method that the protocol does not have
 * is named like its trait, so that a call of it is refused.
 */
export function sessionMethods(methods: readonly MethodDescriptor[]): SessionMethods {
  const nameOf = (trait: MethodTrait, kind?: MethodDescriptor["kind"]): string =>
    findMethod(methods, trait, kind)?.name ?? trait;
  return {
    prompt: nameOf("starts-turn"),
    cancel: nameOf("cancels-turn", "notification"),
    update: nameOf("updates-session", "notification"),
    requestPermission: nameOf("requests-permission"),
    create: nameOf("creates-session"),
    list: nameOf("lists-sessions"),
    load: nameOf("loads-session"),
    resume: nameOf("resumes-session"),
  };
}
