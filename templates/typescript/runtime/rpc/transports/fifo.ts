/** The number of read items after which a queue drops them. */
const SPARE = 1024;

/** A queue whose `shift` takes constant time; that of a long array moves every item. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes the oldest item and returns it; undefined when there is none. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first >= SPARE && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
