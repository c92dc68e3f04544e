import type {
  ClientFeature,
  ClientRow,
  ElementPlace,
  LinkReport,
  Problem,
  ProjectState,
  SizeReport,
  TemplateReport,
} from "../../src/preview/contract.js";
import type { Severity } from "../../src/diagnostic.js";
import { byWorst, countsInWords, countsOf, grouped, severities, sumOf, toneOf } from "../state/counts.js";
import { matcherOf } from "../palette/match.js";
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
  { id: "variables", label: "Variables", found: report ? variablesFound(report) : [] },
  ...(can.seeRemote ? [{ id: "remote", label: "Remote" } as const] : []),
];

const variablesFound = ({ variables, computed }: TemplateReport): readonly Count[] => [
  { count: variables.length + computed.length, tone: "neutral" },
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

/** The problems that contain every word of the filter, in any of their fields. */
export const filterProblems = (problems: readonly Problem[], filter: string): readonly Problem[] => {
  const matches = matcherOf(filter);
  return problems.filter(({ message, hint = "", rule, severity, at }) =>
    matches(message, hint, rule, severity, at?.file ?? ""),
  );
};

/**
 * The new number of an element, found by where it was written in the source. If the source position has changed too,
 * the number is shifted by how many elements were added or removed.
 */
export const followElement = (
  place: number,
  before: readonly ElementPlace[],
  after: readonly ElementPlace[],
): number | undefined => {
  const element = before[place];
  if (!element) return undefined;
  const isThere = (other: ElementPlace | undefined) =>
    other?.file === element.file && other.line === element.line && other.column === element.column;
  const twins = before.slice(0, place).filter(isThere).length;
  const matches = after.flatMap((other, number) => (isThere(other) ? number : []));
  const moved = place + after.length - before.length;
  return matches[twins] ?? matches.at(-1) ?? (after[moved]?.file === element.file ? moved : undefined);
};

/**
 * Whether the report is of a finished check. A template that does not compile has not been checked: its error goes away
 * as soon as it compiles.
 */
export const isChecked = ({ isPartial, isBroken }: TemplateReport): boolean => !isPartial && !isBroken;

/** A report of a running check, with the findings of the last finished one. */
export const withFormerFindings = (report: TemplateReport, checked: TemplateReport | undefined): TemplateReport => {
  const isKept = report.isPartial && !report.problems.some(({ severity }) => severity === "error");
  return isKept && checked ? { ...report, problems: checked.problems.map(withoutPlace) } : report;
};

const withoutPlace = (problem: Problem): Problem => {
  const { place, ...others } = problem;
  return place === undefined ? problem : others;
};

type Loss = ClientFeature["loss"];

export const lossNames: Readonly<Record<Loss, string>> = {
  content: "Content or layout breaks without it",
  style: "Looks different without it",
  extra: "Barely noticeable without it",
};

/** A feature with each client's support. Clients that are not listed support it fully. */
export interface FeatureSupport {
  readonly name: string;
  readonly page: string;
  readonly byClient: ReadonlyMap<string, ClientFeature>;
}

interface LossGroup {
  readonly loss: Loss;
  /** Features that most clients lack come first. */
  readonly features: readonly FeatureSupport[];
}

const losses: readonly Loss[] = ["content", "style", "extra"];

export const featureRows = (clients: readonly ClientRow[]): readonly LossGroup[] => {
  const all = clients.flatMap(({ name, features }) => features.map((feature) => [name, feature] as const));
  return losses.flatMap((loss) => {
    const own = all.filter(([, feature]) => feature.loss === loss);
    const features = Array.from(
      grouped(own, ([, { name }]) => name),
      ([name, found]) => ({
        name,
        page: found[0]?.[1].page ?? "",
        byClient: new Map(found),
      }),
    );
    return own.length === 0 ? [] : [{ loss, features: features.sort((a, b) => weight(b) - weight(a)) }];
  });
};

const weights = { none: 10_000, partial: 100, unknown: 1 } as const;

const weight = ({ byClient }: FeatureSupport): number =>
  [...byClient.values()].reduce((sum, { support }) => sum + weights[support], 0);

/** From where images may be loaded. */
interface Allowed {
  /** Base URL of the project's own images in compiled HTML. */
  readonly assetsBase: string | undefined;
  /** Whether images of other hosts are shown. */
  readonly remoteImages: boolean;
}

/**
 * The URL from which the page shows an image of the email: the project's own images always, those of other hosts if
 * remote images are on. Undefined if the image may not or cannot be shown.
 */
export const imageUrl = (src: string, { assetsBase: base, remoteImages }: Allowed): string | undefined => {
  if (src === "" || src.includes("{{")) return undefined;
  if (base !== undefined && src.startsWith(`${base}/`)) return `assets/${src.slice(base.length + 1)}`;
  if (/^data:image\//i.test(src)) return src;
  if (/^https?:\/\//i.test(src)) return remoteImages ? src : undefined;
  return src.startsWith("assets/") ? src : undefined;
};
