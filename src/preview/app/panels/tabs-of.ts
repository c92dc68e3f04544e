import type { LinkReport, ProjectState, SizeReport, TemplateReport } from "../../contract.js";
import type { Severity } from "../../../diagnostic.js";
import { byWorst, countsInWords, countsOf, severities, sumOf, toneOf } from "../state/counts.js";
import type { BottomTab } from "../state/view.js";
import type { Tone } from "../ui/badge.js";
import type { Tab } from "../ui/tabs.js";

/** A tab that has a place for counts, whether or not there are some: they come later, and nothing may move then. */
export interface FindingsTab extends Tab<BottomTab> {
  readonly found?: readonly Count[];
}

/** The tone is that of all that is counted. */
interface Count {
  readonly count: number;
  readonly tone: Tone;
  /** Of what, for who does not see the tone. */
  readonly words?: string;
}

/** The tabs with how much is in each, and whether that is bad. */
export const tabsOf = (report: TemplateReport | undefined, can: ProjectState["can"]): readonly FindingsTab[] => [
  { id: "problems", label: "Problems", found: report ? problemsOf(report) : [] },
  { id: "links", label: "Links", found: report ? rowsOf(report.links) : [] },
  { id: "images", label: "Images", found: report ? rowsOf(report.images) : [] },
  { id: "clients", label: "Client support" },
  { id: "size", label: "Size", ...(report && sizeOf(report.sizes)) },
  { id: "variables", label: "Variables", found: report ? [{ count: report.variables.length, tone: "neutral" }] : [] },
  ...(can.seeRemote ? [{ id: "remote", label: "Remote" } as const] : []),
];

/** The worst, then the others. None is no news before all rules have looked. */
const problemsOf = ({ isPartial, problems }: TemplateReport): readonly Count[] => {
  if (problems.length === 0) return isPartial ? [] : [{ count: 0, tone: "neutral" }];
  return byWorst(countsOf(problems)).map((counts) => ({
    count: sumOf(counts),
    tone: toneOf(counts),
    words: countsInWords(counts),
  }));
};

/** How many there are, and how many of them have the worst problem. */
const rowsOf = (rows: readonly Pick<LinkReport, "problems">[]): readonly Count[] => {
  const worst = severities.find((severity) => rows.some(({ problems }) => hasSeverity(problems, severity)));
  const bad = rows.filter(({ problems }) => worst !== undefined && worst !== "info" && hasSeverity(problems, worst));
  return [
    { count: rows.length, tone: "neutral" },
    ...(worst === undefined || bad.length === 0
      ? []
      : [{ count: bad.length, tone: toneOf({ [worst]: 1 }), words: `${bad.length} with ${worst}s` }]),
  ];
};

const hasSeverity = (problems: LinkReport["problems"], wanted: Severity): boolean =>
  problems.some(({ severity }) => severity === wanted);

/** From this share of a limit on it is time to make room. */
export const nearLimit = 0.9;

/** Only what is near a limit, or beyond it, counts; that is rare enough to have no place kept for it. */
const sizeOf = (sizes: readonly SizeReport[]): Pick<FindingsTab, "found"> => {
  const near = sizes.filter(({ value, limit }) => value > limit * nearLimit);
  if (near.length === 0) return {};
  const over = near.filter(({ value, limit }) => value > limit);
  const counted = over.length > 0 ? over : near;
  return { found: [{ count: counted.length, tone: over.length > 0 ? "error" : "warning" }] };
};
