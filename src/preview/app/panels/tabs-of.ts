import type { LinkReport, ProjectState, SizeReport, TemplateReport } from "../../contract.js";
import { countsOf, sumOf, toneOf } from "../state/counts.js";
import type { BottomTab } from "../state/view.js";
import type { Tone } from "../ui/badge.js";
import type { Tab } from "../ui/tabs.js";

/** A tab that has a place for a count, whether or not there is one: counts come later, and nothing may move then. */
export interface FindingsTab extends Tab<BottomTab> {
  readonly found?: { readonly count?: number; readonly tone?: Tone };
}

/** The tabs with how much is in each, and whether that is bad. */
export const tabsOf = (report: TemplateReport | undefined, can: ProjectState["can"]): readonly FindingsTab[] => [
  { id: "problems", label: "Problems", found: report ? problemsOf(report) : {} },
  { id: "links", label: "Links", found: report ? rowsOf(report.links) : {} },
  { id: "images", label: "Images", found: report ? rowsOf(report.images) : {} },
  { id: "clients", label: "Client support" },
  { id: "size", label: "Size", ...(report && sizeOf(report.sizes)) },
  { id: "variables", label: "Variables", found: report ? { count: report.variables.length } : {} },
  ...(can.seeRemote ? [{ id: "remote", label: "Remote" } as const] : []),
];

type Found = NonNullable<FindingsTab["found"]>;

/** None is no news before all rules have looked. */
const problemsOf = ({ isPartial, problems }: TemplateReport): Found => {
  const counts = countsOf(problems);
  return isPartial && problems.length === 0 ? {} : { count: sumOf(counts), tone: toneOf(counts) };
};

/** How many there are; the colour is that of the worst finding about them. */
const rowsOf = (rows: readonly Pick<LinkReport, "problems">[]): Found => ({
  count: rows.length,
  tone: toneOf(countsOf(rows.flatMap(({ problems }) => problems))),
});

/** From this share of a limit on it is time to make room. */
export const nearLimit = 0.9;

/** Only what is near a limit, or beyond it, counts; that is rare enough to have no place kept for it. */
const sizeOf = (sizes: readonly SizeReport[]): Pick<FindingsTab, "found"> => {
  const near = sizes.filter(({ value, limit }) => value > limit * nearLimit);
  if (near.length === 0) return {};
  return { found: { count: near.length, tone: near.some(({ value, limit }) => value > limit) ? "error" : "warning" } };
};
