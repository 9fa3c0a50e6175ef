import type { ConversationEntry } from "./conversation.js";
import { element } from "./element.js";
import { TimelineView } from "./timeline-view.js";

/** What a page shows, as the command has written it into it. */
interface PageData {
  /** A rule's requirement and the consequence of a violation, by its id. */
  readonly rules: { readonly [rule: string]: string };
  /** The address of the stream of entries; absent where the page has them. */
  readonly events?: string;
}

const read = (id: string): unknown => JSON.parse(document.getElementById(id)!.textContent);
const { rules, events } = read("data") as PageData;
const view = new TimelineView({
  explain: (rule) => (Object.hasOwn(rules, rule) ? rules[rule] : undefined),
  isLive: events !== undefined,
});
document.querySelector("main")!.append(view.root);

if (events === undefined) {
  view.add(read("entries") as readonly ConversationEntry[]);
  view.refresh();
} else {
  const name = document.getElementById("name")!;
  const source = new EventSource(events);
  source.addEventListener("recording", ({ data }: MessageEvent<string>) => {
    name.textContent = JSON.parse(data) as string;
    view.clear();
  });
  source.addEventListener("entries", ({ data }: MessageEvent<string>) => {
    view.add(JSON.parse(data) as readonly ConversationEntry[]);
  });
  source.addEventListener("idle", () => view.refresh());
  const finish = (text: string): void => {
    view.refresh();
    source.close();
    name.after(element("p", { role: "status" }, text));
  };
  source.addEventListener("end", () => finish("The recording has ended."));
  source.addEventListener("failure", ({ data }: MessageEvent<string>) =>
    finish(JSON.parse(data) as string),
  );
  setInterval(() => view.refresh(), 1000);
}
