import type { LinkReport, ProjectState, SizeReport, TemplateReport } from "../../src/preview/contract.js";
import type { Severity } from "../../src/diagnostic.js";
import { byWorst, countsInWords, countsOf, severities, sumOf, toneOf } from "../state/counts.js";
import type { BottomTab } from "../state/view.js";
import type { Tone } from "../ui/badge.js";
import type { Tab } from "../ui/tabs.js";

/** A tab with space reserved for its counts: they arrive later, and nothing should move then. */
export interface FindingsTab extends Tab<BottomTab> {
  readonly found?: readonly Count[];
}

/** The tone applies to everything that is counted. */
interface Count {
  readonly count: number;
  readonly tone: Tone;
  /** What is counted, for screen readers, which don't announce the tone. */
  readonly words?: string;
}

/** The tabs, with the number of items in each and of those with problems. */
export const tabsOf = (report: TemplateReport | undefined, can: ProjectState["can"]): readonly FindingsTab[] => [
  { id: "problems", label: "Problems", found: report ? problemsOf(report) : [] },
  { id: "links", label: "Links", found: report ? rowsOf(report.links) : [] },
  { id: "images", label: "Images", found: report ? rowsOf(report.images) : [] },
  { id: "clients", label: "Client support" },
  { id: "size", label: "Size", ...(report && sizeOf(report.sizes)) },
  { id: "variables", label: "Variables", found: report ? [{ count: report.variables.length, tone: "neutral" }] : [] },
  ...(can.seeRemote ? [{ id: "remote", label: "Remote" } as const] : []),
];

/** The number of the worst problems, then of the others. Zero is only shown after all rules have run. */
const problemsOf = ({ isPartial, problems }: TemplateReport): readonly Count[] => {
  if (problems.length === 0) return isPartial ? [] : [{ count: 0, tone: "neutral" }];
  return byWorst(countsOf(problems)).map((counts) => ({
    count: sumOf(counts),
    tone: toneOf(counts),
    words: countsInWords(counts),
  }));
};

/** The number of rows, and of those with the worst problem. */
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

/** Share of a limit from which a size counts as near the limit. */
export const nearLimit = 0.9;

/** Only sizes near or over a limit count. This is rare, so no space is reserved for it. */
const sizeOf = (sizes: readonly SizeReport[]): Pick<FindingsTab, "found"> => {
  const near = sizes.filter(({ value, limit }) => value > limit * nearLimit);
  if (near.length === 0) return {};
  const over = near.filter(({ value, limit }) => value > limit);
  const counted = over.length > 0 ? over : near;
  return { found: [{ count: counted.length, tone: over.length > 0 ? "error" : "warning" }] };
};
