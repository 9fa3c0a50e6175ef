/** Knows the value that the running code was called with, however deep in the calls it is. */
export interface Scope<T> {
  /** Whether the value is known behind the first `await` of a function as well. */
  readonly isExact: boolean;
  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, ...args: Args): R;
  current(): T | undefined;
}

interface Storage<T> {
  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, ...args: Args): R;
  getStore(): T | undefined;
}

interface Platform {
  readonly process?: {
    getBuiltinModule?(
      name: string,
    ): { readonly AsyncLocalStorage?: new <T>() => Storage<T> } | undefined;
  };
}

/**
 * Creates a scope. Node.js, Bun and Deno follow the value through promises; browsers cannot, so
 * that it is known there until a function first waits.
 */
export function createScope<T>(): Scope<T> {
  const { process } = globalThis as Platform;
  const Storage = process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  return Storage === undefined ? new CallScope() : new StorageScope(new Storage());
}

class StorageScope<T> implements Scope<T> {
  readonly isExact = true;
  readonly #storage: Storage<T>;

  constructor(storage: Storage<T>) {
    this.#storage = storage;
  }

  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, ...args: Args): R {
    return this.#storage.run(value, call, ...args);
  }

  current(): T | undefined {
    return this.#storage.getStore();
  }
}

class CallScope<T> implements Scope<T> {
  readonly isExact = false;
  #current: T | undefined;

  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, ...args: Args): R {
    const outer = this.#current;
    this.#current = value;
    try {
      return call(...args);
    } finally {
      this.#current = outer;
    }
  }

  current(): T | undefined {
    return this.#current;
  }
}
