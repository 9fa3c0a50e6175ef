/** The colors are those of the site's stylesheet. */
const STYLE = `
.acp-view { --height: var(--view-height, min(34rem, 75vh)); container-type: inline-size; font-size: 0.875rem; line-height: 1.5; }
.acp-view [hidden] { display: none !important; }
.acp-view .tools-line { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.acp-view .filter { display: flex; flex: 1 1 18rem; gap: 0.5rem; align-items: center; }
.acp-view .filter input { flex: 1; min-width: 0; padding: 0.35rem 0.6rem; border: 1px solid var(--edge);
  border-radius: 0.375rem; background: var(--page); color: var(--text); font: inherit; }
.acp-view .filter input::placeholder { color: var(--muted); opacity: 1; }
.acp-view .filter input[aria-invalid="true"] { border-color: var(--red); }
.acp-view .follow { display: flex; gap: 0.35rem; align-items: center; }
.acp-view button { padding: 0.35rem 0.7rem; border: 1px solid var(--edge); border-radius: 0.375rem;
  background: var(--soft); color: var(--text); font: inherit; cursor: pointer; }
.acp-view .note-line { min-height: 1.5em; margin: 0.25rem 0; color: var(--red); }
.acp-view .panes { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
.acp-view nav { max-height: 12rem; overflow: auto; }
.acp-view summary { min-height: 1.5rem; font: 0.8125rem var(--mono); overflow-wrap: anywhere; cursor: pointer; }
.acp-view ol { margin: 0.25rem 0; padding-left: 1.5rem; }
.acp-view nav button { padding: 0.15rem 0.4rem; border: 0; background: none; color: var(--link); text-align: left;
  vertical-align: top; }
.acp-view .middle { min-width: 0; border: 1px solid var(--line); border-radius: 0.5rem; overflow: hidden; }
.acp-view .lanes { display: flex; justify-content: space-between; padding: 0.2rem 0.6rem;
  border-bottom: 1px solid var(--line); background: var(--soft); color: var(--muted); }
.acp-view .list { height: var(--height); overflow: auto; overflow-anchor: none; }
.acp-view .list:focus-visible { outline-offset: -2px; }
.acp-view .inner { position: relative; overflow: hidden; }
.acp-view .item { position: absolute; inset: 0 0 auto; display: flex; gap: 0.5rem; height: 26px; padding: 0 0.6rem;
  line-height: 26px; font-size: 0.8125rem; white-space: nowrap; cursor: pointer; }
.acp-view .item[aria-selected="true"] { background: var(--link-soft); }
.acp-view .time { flex: none; width: 3.6rem; color: var(--muted); font-family: var(--mono); font-size: 0.75rem;
  text-align: right; font-variant-numeric: tabular-nums; }
.acp-view .bars { display: flex; flex: none; gap: 3px; width: 36px; }
.acp-view .bars i { width: 3px; background: var(--edge); }
.acp-view .bars i.none { background: none; }
.acp-view .bars i.begin { margin-top: 10px; border-radius: 2px 2px 0 0; background: var(--link); }
.acp-view .bars i.end { margin-bottom: 10px; border-radius: 0 0 2px 2px; background: var(--link); }
.acp-view .lane { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--muted);
  unicode-bidi: isolate; }
.acp-view .lane b { color: var(--text); font-weight: 600; }
.acp-view .agent .lane { padding-left: 1.25rem; }
.acp-view .update b, .acp-view .notification b { font-weight: 400; }
.acp-view .wrong b, .acp-view .stderr b { color: var(--red); }
.acp-view :is(.finding.error :is(.lane, b), li.error) { color: var(--red); }
.acp-view :is(.finding.warning :is(.lane, b), li.warning) { color: var(--amber); }
.acp-view :is(.finding.note :is(.lane, b), li.note) { color: var(--muted); }
.acp-view section { min-width: 0; max-height: calc(var(--height) + 2rem); overflow: auto; padding: 0 0.5rem; }
.acp-view section h2 { margin: 0.25rem 0; font-size: 1rem; overflow-wrap: anywhere; }
.acp-view section ul { margin: 0.5rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.acp-view pre { margin: 0.5rem 0; padding: 0.6rem; overflow: auto; border-radius: 0.5rem; background: var(--soft);
  font: 0.75rem/1.5 var(--mono); }
.acp-view mark { background: var(--red-soft); color: inherit; }
.acp-view .quiet-text { margin: 0.25rem 0; color: var(--muted); }
.acp-view .status { margin: 0.5rem 0 0; color: var(--muted); }
@container (max-width: 30rem) {
  .acp-view .filter { flex-basis: 100%; }
  .acp-view .filter:has(+ .follow:not([hidden])) { flex-basis: calc(100% - 5.5rem); }
  .acp-view .tools-line button { flex: 1 1 0; min-height: 2.75rem; padding: 0.35rem 0.2rem; font-size: 0.8125rem; white-space: nowrap; }
}
@container (min-width: 44rem) {
  .acp-view .panes { grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr); align-items: start; }
  .acp-view nav { grid-column: 1 / -1; }
  .acp-view .agent .lane { padding-left: 25%; }
}
@container (min-width: 64rem) {
  .acp-view .panes:has(> nav:not([hidden])) { grid-template-columns: 12rem minmax(0, 1.4fr) minmax(0, 1fr); }
  .acp-view nav { grid-column: auto; max-height: var(--height); }
}
`;

let isAdopted = false;

/** Adds the style of the view to the page: a constructed stylesheet, which a Content-Security-Policy allows. */
export function adoptStyle(text: string = STYLE): void {
  if (isAdopted && text === STYLE) return;
  isAdopted ||= text === STYLE;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
