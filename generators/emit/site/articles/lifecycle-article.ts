import type { TransitionStepSource } from "../../../schema/source/docs-source.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { bullets, heading, paragraph, paragraphs, table, type Block } from "../blocks/block.js";
import { lifecycleOf } from "../model/profile-lifecycle.js";
import { drawStates } from "../diagrams/state-diagram.js";
import { FLOWS_PATH } from "./flows-article.js";
import type { Article, PageScope } from "../model/site.js";
import { featureBadges } from "../components/badges.js";
import type { BadgeView } from "../blocks/badge-view.js";

export const LIFECYCLE_PATH = "lifecycle.html";

/** The states that a session goes through, and what leads from one to the next. */
export const lifecycleArticle: Article = {
  path: LIFECYCLE_PATH,
  title: "Session lifecycle",
  summary:
    "The states of a session, from its creation to its end, and the messages that change the state.",
  group: "learn",
  blocks: (scope) => {
    const lifecycle = lifecycleOf(scope.site);
    if (lifecycle === undefined) return [];
    const { summary, states, transitions, notes = [] } = lifecycle;
    const titles = new Map(states.map(({ id, title }) => [id, title]));
    const flows = scope.toPage(FLOWS_PATH);
    return [
      ...paragraphs(scope.prose(summary)),
      {
        states: drawStates(
          scope.id("picture"),
          `States of a session: ${[...titles.values()].join(", ")}. The table below has the arrows.`,
          states,
          transitions.map(({ from, to, steps }) => ({ from, to, names: namesOf(steps, scope) })),
        ),
      },
      heading(scope.id("arrows"), inline("Transitions")),
      ...table(
        "Arrows of the diagram",
        ["Arrow", "Event"],
        transitions.map(({ from, to, steps }) => ({
          id: scope.id(`${from}-to-${to}`),
          cells: [
            inline(`${titles.get(from)!} → ${titles.get(to)!}`),
            {
              lines: steps.map((step) => stepLine(step, scope)),
              badges: steps.flatMap(({ method }) => methodBadges(method, scope)),
            },
          ],
        })),
      ),
      heading(scope.id("states"), inline("States")),
      ...bullets(states.map(({ title, text }) => inline(`${title}: `, ...scope.prose(text)))),
      ...notes.flatMap((text): readonly Block[] => paragraphs(scope.prose(text))),
      ...(flows === undefined
        ? []
        : [paragraph(inline("Complete message sequences: ", textLink("Flows", flows), "."))]),
    ];
  },
};

/** The most names at an arrow; the table has all of them. */
const NAMED = 3;

/** The messages at an arrow: what the handler of a method sends about it is its response. */
function namesOf(steps: readonly TransitionStepSource[], { site }: PageScope): readonly string[] {
  const isResponse = ({ by, method }: TransitionStepSource): boolean =>
    site.protocol.methods.some(({ name, side }) => name === method && side === by);
  const names = [...new Set(steps.map((step) => (isResponse(step) ? "response" : step.method)))];
  return names.length <= NAMED ? names : [...names.slice(0, NAMED - 1), "and others"];
}

function methodBadges(name: string, scope: PageScope): readonly BadgeView[] {
  const method = scope.site.protocol.methods.find((item) => item.name === name);
  return featureBadges(method?.feature, scope);
}

function stepLine({ by, method, text }: TransitionStepSource, scope: PageScope): Inline {
  return inline(codeSpan(method, scope.toMethod(method)), ` (${by}): `, ...scope.prose(text));
}
