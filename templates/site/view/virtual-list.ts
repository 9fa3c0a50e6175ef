import { element } from "./element.js";

/** The height of an item, in pixels. */
const HEIGHT = 26;

/** How many items beyond the visible ones are in the page. */
const BEYOND = 8;

/** What a list needs to know of its items. */
export interface ListSource {
  readonly length: () => number;
  readonly render: (index: number) => HTMLElement;
  readonly select: (index: number) => void;
}

/** A list of any length, of which only the visible part is in the page: a listbox for the keyboard. */
export class VirtualList {
  readonly root: HTMLElement;
  readonly #source: ListSource;
  readonly #inner: HTMLElement = element("div", { class: "inner", role: "presentation" });
  #selected = -1;
  #frame = 0;

  constructor(label: string, source: ListSource) {
    this.#source = source;
    this.root = element(
      "div",
      { class: "list", role: "listbox", tabindex: "0", "aria-label": label },
      this.#inner,
    );
    this.root.addEventListener("scroll", () => this.refresh());
    this.root.addEventListener("keydown", (event) => this.#key(event));
    this.root.addEventListener("click", (event) => {
      const item = (event.target as Element).closest<HTMLElement>("[data-index]");
      if (item !== null) this.select(Number(item.dataset["index"]));
    });
    new ResizeObserver(() => this.refresh()).observe(this.root);
  }

  get selected(): number {
    return this.#selected;
  }

  /** Shows the items anew, in the next frame. */
  refresh(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  /** Selects an item and makes it visible. */
  select(index: number): void {
    const last = this.#source.length() - 1;
    if (last < 0) return;
    this.#selected = Math.max(0, Math.min(index, last));
    const top = this.#selected * HEIGHT;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop) this.root.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight)
      this.root.scrollTop = top + HEIGHT - clientHeight;
    this.#render();
    this.#source.select(this.#selected);
  }

  /** Forgets the selection, for other items. */
  clear(selected = -1): void {
    this.#selected = selected;
    this.refresh();
  }

  scrollToEnd(): void {
    this.#render();
    this.root.scrollTop = this.root.scrollHeight;
  }

  #render(): void {
    const length = this.#source.length();
    this.root.hidden = length === 0;
    this.#inner.style.height = `${length * HEIGHT}px`;
    const first = Math.max(0, Math.floor(this.root.scrollTop / HEIGHT) - BEYOND);
    const shown = Math.ceil(this.root.clientHeight / HEIGHT) + 2 * BEYOND;
    const items: HTMLElement[] = [];
    for (let index = first; index < Math.min(length, first + shown); index++) {
      const item = this.#source.render(index);
      item.id = `item-${index}`;
      item.dataset["index"] = String(index);
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(index === this.#selected));
      item.setAttribute("aria-setsize", String(length));
      item.setAttribute("aria-posinset", String(index + 1));
      item.style.transform = `translateY(${index * HEIGHT}px)`;
      items.push(item);
    }
    this.#inner.replaceChildren(...items);
    const isShown = this.#selected >= first && this.#selected < first + items.length;
    if (isShown) this.root.setAttribute("aria-activedescendant", `item-${this.#selected}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.root.clientHeight / HEIGHT) - 1);
    const steps: { readonly [key: string]: number } = {
      ...{ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page },
      ...{ Home: -Infinity, End: Infinity },
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.select(this.#selected + step);
  }
}
