import { parseFilter, type RowFilter } from "../inspector/filter.js";
import type { TimelineRow } from "../inspector/timeline.js";
import {
  Conversation,
  type ConversationEntry,
  type LinkedFinding,
  type PlacedRow,
} from "./conversation.js";
import { element, withEscapes } from "./element.js";
import { jsonView } from "./json-view.js";
import { copy, reportOf } from "./report.js";
import { adoptStyle } from "./style.js";
import { VirtualList } from "./virtual-list.js";

/** How many messages of a row are printed. */
const MOST_PRINTED = 50;

const ARROWS = { client: "→", agent: "←" } as const;

export interface ViewOptions {
  /** Describes a rule; undefined for one that needs no explanation. */
  readonly explain?: (rule: string) => string | undefined;
  /** Whether messages arrive while it is shown. */
  readonly isLive?: boolean;
}

/** An item of the list: a row, or a finding about it. */
interface Item {
  readonly placed: PlacedRow;
  readonly finding?: LinkedFinding;
}

/**
 * Shows a conversation: its sessions and turns, two lanes with the open calls, and the selected
 * message with its findings.
 */
export class TimelineView {
  readonly root: HTMLElement = element("div", { class: "acp-view" });
  readonly #options: ViewOptions;
  #conversation: Conversation = new Conversation();
  #items: Item[] = [];
  /** How many rows are among the items, or were left out. */
  #placed = 0;
  #fits: RowFilter = () => true;
  #start: number | undefined;
  #last = 0;
  /** Whether the detail has a message. */
  #hasDetail = false;
  readonly #filter: HTMLInputElement = element("input", {
    ...{ type: "search", spellcheck: "false", autocomplete: "off" },
    placeholder: "method: session: kind: is:finding slow:>1s, or a text",
  });
  readonly #follow: HTMLInputElement = element("input", { type: "checkbox" });
  readonly #note: HTMLElement = element("p", { class: "note-line", role: "alert" });
  readonly #sessions: HTMLElement = element("nav", { "aria-label": "Sessions and turns" });
  readonly #detail: HTMLElement = element("section", { "aria-label": "Message", tabindex: "0" });
  readonly #status: HTMLElement = element("p", { class: "status", role: "status" });
  readonly #list: VirtualList = new VirtualList("Messages", {
    length: () => this.#items.length,
    render: (index) => this.#item(this.#items[index]!),
    select: (index) => this.#show(this.#items[index]!),
  });

  constructor(options: ViewOptions = {}) {
    this.#options = options;
    adoptStyle();
    const next = this.#button("Next finding", () => this.#toFinding(1));
    const previous = this.#button("Previous", () => this.#toFinding(-1));
    const report = this.#button("Copy as report", () => void this.#copy());
    const follow = element("label", { class: "follow" }, this.#follow, " Follow");
    follow.hidden = options.isLive !== true;
    this.#follow.checked = options.isLive === true;
    const filter = element(
      "label",
      { class: "filter" },
      element("span", {}, "Filter"),
      this.#filter,
    );
    const lanes = element("div", { class: "lanes", "aria-hidden": "true" });
    lanes.append(element("span", {}, "client →"), element("span", {}, "← agent"));
    this.root.append(
      element("div", { class: "tools-line" }, filter, follow, previous, next, report),
      this.#note,
      element(
        "div",
        { class: "panes" },
        this.#sessions,
        element("div", { class: "middle" }, lanes, this.#list.root),
        this.#detail,
      ),
      this.#status,
    );
    this.#filter.addEventListener("input", () => this.#changeFilter());
    this.#follow.addEventListener("change", () => this.#refresh());
    this.#list.root.addEventListener("wheel", ({ deltaY }) => {
      if (deltaY < 0) this.#follow.checked = false;
    });
    this.#list.root.addEventListener("keydown", (event) => this.#key(event));
    this.clear();
  }

  /** Begins anew, for another conversation. */
  clear(): void {
    this.#conversation = new Conversation();
    this.#start = undefined;
    this.#hasDetail = false;
    this.#rebuild();
    this.#detail.replaceChildren(element("p", { class: "quiet-text" }, "Select a message."));
  }

  /** Takes entries. Updates that may go on are shown with the next call of `refresh`. */
  add(entries: readonly ConversationEntry[]): void {
    for (const entry of entries) this.#conversation.add(entry);
  }

  /** Shows what was added. */
  refresh(): void {
    this.#conversation.flush();
    this.#refresh();
  }

  #refresh(): void {
    if (this.#conversation.hasChanged) this.#rebuild();
    else this.#place();
    this.#list.refresh();
    if (this.#follow.checked) this.#list.scrollToEnd();
    this.#showSessions();
    this.#showStatus();
    // Until a message is selected, the first one with a finding is shown.
    const first = this.#hasDetail ? undefined : this.#items.find(({ finding }) => finding);
    if (first !== undefined) this.#show(first);
  }

  /** Makes the items of all rows anew. */
  #rebuild(): void {
    const selected = this.#items[this.#list.selected]?.placed;
    this.#conversation.hasChanged = false;
    this.#items = [];
    this.#placed = 0;
    this.#place();
    this.#list.clear(this.#items.findIndex(({ placed }) => placed === selected));
    this.#showStatus();
  }

  /** Makes items of the rows that have none. */
  #place(): void {
    const { rows } = this.#conversation;
    for (; this.#placed < rows.length; this.#placed++) {
      const placed = rows[this.#placed]!;
      const { row } = placed;
      this.#start ??= row.time;
      this.#last = row.time ?? this.#last;
      if (!this.#fits(row)) continue;
      this.#items.push({ placed });
      for (const finding of row.findings) this.#items.push({ placed, finding });
    }
  }

  #changeFilter(): void {
    let reason = "";
    try {
      this.#fits = parseFilter(this.#filter.value);
    } catch (error) {
      reason = (error as Error).message;
    }
    this.#filter.setAttribute("aria-invalid", String(reason !== ""));
    this.#note.textContent = reason;
    if (reason === "") this.#rebuild();
  }

  #setFilter(text: string): void {
    this.#filter.value = text;
    this.#changeFilter();
  }

  #item({ placed, finding }: Item): HTMLElement {
    const { row, bars } = placed;
    const { from, head, text, kind, isError } = row;
    const lines = bars.map((bar) => {
      if (finding === undefined) return bar;
      return bar === "end" ? "none" : bar === "begin" ? "open" : bar;
    });
    const drawn = lines.map((bar) => element("i", { class: bar }));
    const lane = element("span", { class: "lane" });
    if (finding !== undefined) {
      const { rule, path, message } = finding;
      const place = path === "" ? "" : ` ${path}:`;
      lane.append(element("b", {}, rule), withEscapes(`${place} ${message}`));
    } else {
      const arrow = from === undefined ? "" : `${ARROWS[from]} `;
      const short = text.slice(0, 300).replace(/\s+/g, " ");
      lane.append(element("b", {}, withEscapes(arrow + head.trim())), withEscapes(` ${short}`));
    }
    const classes =
      finding === undefined
        ? ["item", kind, from ?? "none", isError === true ? "wrong" : "right"]
        : ["item", "finding", finding.level];
    return element(
      "div",
      { class: classes.join(" ") },
      element("span", { class: "time" }, finding === undefined ? this.#clock(row) : ""),
      element("span", { class: "bars", "aria-hidden": "true" }, ...drawn),
      lane,
    );
  }

  #clock({ time, line }: TimelineRow): string {
    if (time === undefined || this.#start === undefined) return String(line);
    return ((time - this.#start) / 1000).toFixed(3);
  }

  #show({ placed }: Item): void {
    const { row } = placed;
    this.#hasDetail = true;
    const captured = this.#conversation.messagesOf(placed);
    const sender = row.from === undefined ? "" : `, sent by the ${row.from}`;
    const parts: Node[] = [
      element("h2", {}, withEscapes(row.head.trim())),
      element("p", { class: "quiet-text" }, `Line ${row.line}${sender}`),
    ];
    if (row.findings.length > 0)
      parts.push(element("ul", {}, ...row.findings.map((finding) => this.#explain(finding))));
    const paths = row.findings.map(({ path }) => path);
    for (const one of captured.slice(0, MOST_PRINTED))
      if ("recorded" in one) parts.push(jsonView(one.recorded.message, paths));
      else parts.push(element("pre", { tabindex: "0" }, withEscapes(row.text)));
    const left = captured.length - MOST_PRINTED;
    if (left > 0) parts.push(element("p", {}, `And ${left} more.`));
    this.#detail.replaceChildren(...parts);
    this.#detail.scrollTop = 0;
  }

  #explain({ level, rule, path, message, url }: LinkedFinding): HTMLElement {
    const name = url === undefined ? rule : element("a", { href: url }, rule);
    const place = path === "" ? [] : [element("code", {}, withEscapes(path)), " "];
    const item = element("li", { class: level }, ...place, withEscapes(message), " (", name, ")");
    const text = this.#options.explain?.(rule);
    if (text !== undefined) item.append(element("p", { class: "quiet-text" }, text));
    return item;
  }

  #showSessions(): void {
    const { sessions } = this.#conversation;
    const count = [...sessions.values()].reduce((sum, turns) => sum + turns.length + 1, 0);
    const ends = [...sessions.values()].flat().filter(({ end }) => end !== undefined).length;
    if (this.#sessions.dataset["shown"] === `${count} ${ends}`) return;
    this.#sessions.dataset["shown"] = `${count} ${ends}`;
    const groups = [...sessions].map(([id, turns]) =>
      element(
        "details",
        { open: "" },
        element("summary", {}, withEscapes(id)),
        this.#button("Only this session", () => this.#setFilter(`session:${id}`)),
        element(
          "ol",
          {},
          ...turns.map((turn) =>
            element(
              "li",
              {},
              this.#button(turnText(turn), () => this.#toRow(turn.row)),
            ),
          ),
        ),
      ),
    );
    this.#sessions.replaceChildren(...groups);
    this.#sessions.hidden = sessions.size === 0;
  }

  #showStatus(): void {
    const { sessions, calls, findings } = this.#conversation;
    const open = this.#conversation.open();
    const [oldest] = open;
    const now = this.#options.isLive === true ? Date.now() : this.#last;
    const since =
      oldest?.time === undefined ? "" : ` for ${((now - oldest.time) / 1000).toFixed(0)} s`;
    const parts = [
      ...[counted(sessions.size, "session"), counted(calls, "call")],
      ...(oldest === undefined ? [] : [`${open.length} unanswered${since}`]),
      counted(findings, "finding"),
    ];
    this.#status.textContent = parts.join(" · ");
  }

  #toFinding(step: 1 | -1): void {
    const { length } = this.#items;
    let index = this.#list.selected;
    do index += step;
    while (index >= 0 && index < length && this.#items[index]!.finding === undefined);
    if (index >= 0 && index < length) this.#list.select(index);
  }

  #toRow(row: number): void {
    const placed = this.#conversation.rows[row];
    if (!this.#items.some((item) => item.placed === placed)) this.#setFilter("");
    this.#follow.checked = false;
    this.#list.select(this.#items.findIndex((item) => item.placed === placed));
    this.#list.root.focus();
  }

  async #copy(): Promise<void> {
    const item = this.#items[this.#list.selected];
    if (item === undefined) {
      this.#note.textContent = "Select a message first.";
      return;
    }
    const messages = this.#conversation
      .messagesOf(item.placed)
      .flatMap((one) => ("recorded" in one ? [one.recorded.message] : []));
    await copy(reportOf(item.placed.row, messages));
    this.#note.textContent = "Copied.";
  }

  /** The keys of the list, besides those that move. */
  #key(event: KeyboardEvent): void {
    const actions: { readonly [key: string]: () => void } = {
      "/": () => this.#filter.focus(),
      n: () => this.#toFinding(1),
      p: () => this.#toFinding(-1),
      c: () => void this.#copy(),
      Enter: () => this.#detail.focus(),
    };
    if (event.key === "ArrowUp" || event.key === "PageUp") this.#follow.checked = false;
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  #button(text: string, act: () => void): HTMLButtonElement {
    const made = element("button", { type: "button" }, withEscapes(text));
    made.addEventListener("click", act);
    return made;
  }
}

function turnText({
  text,
  end,
}: {
  readonly text: string;
  readonly end: string | undefined;
}): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text || "prompt";
  return `${short} · ${end ?? "running"}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
