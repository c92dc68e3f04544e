import type { ContentField } from "../../../sync/content.js";
import { plural } from "../check-report.js";
import type {
  ChangeEntry,
  PlanCounts,
  DifferenceEntry,
  HeldEntry,
  HunkEntry,
  OperationEntry,
  PlanDocument,
} from "./document.js";

const FILES_MAX = 3;

const FLAGS_MAX = 3;

/** Display names of fields. */
export const fieldNames: Readonly<Record<ContentField, string>> = {
  subject: "subject",
  description: "description",
  text_body: "text",
  html_body: "html",
};

/** "200 to update, 2 held back, 12 unchanged" */
export function countsInWords(counts: PlanCounts): string {
  const parts = [
    [counts.create, "to create"],
    [counts.update, "to update"],
    [counts.rename, "to rename"],
    [counts.delete, "to delete"],
    [counts.mark, "to mark as managed"],
    [counts.held, "held back"],
    [counts.retired, "no longer in the project"],
    [counts.unchanged, "unchanged"],
    [counts.unmanaged, "not managed by this project"],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return phrases.join(", ") || "there are no templates";
}

/** The last line of a plan. */
export function planSummary({ environment, base, counts, operations, obstacles }: PlanDocument): string {
  const what = `${countsInWords(counts)}.`;
  if (environment === undefined) return `Compared with ${base}: ${what}`;
  const place = `${environment.name} (${environment.domain})`;
  if (obstacles.length > 0) return `Nothing can be applied to ${place}: ${what}`;
  if (operations.length > 0) return `Plan for ${place}: ${what}`;
  return counts.held > 0 ? `Nothing to apply to ${place}: ${what}` : `Nothing to change in ${place}: ${what}`;
}

/** The number of requests and the duration of applying; undefined if it needs no requests. */
export function requestsInWords({ requests, seconds, obstacles }: PlanDocument): string | undefined {
  if (requests.length === 0 || obstacles.length > 0) return undefined;
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  return `${plural(total, "request")}, ${timeInWords(requests, seconds)}.`;
}

function timeInWords(requests: PlanDocument["requests"], seconds: number): string {
  if (seconds === 0) return "no waiting";
  const time = durationInWords(seconds);
  return requests.some(({ limit }) => limit !== undefined)
    ? `at least ${time} because of the rate limits`
    : `at least ${time} at the documented rate limits; the service reports none`;
}

/** "45 s", "3 min", "3 min 20 s" */
export function durationInWords(seconds: number): string {
  const rounded = Math.ceil(seconds);
  const minutes = Math.floor(rounded / 60);
  const rest = rounded % 60;
  return [minutes > 0 ? `${minutes} min` : "", rest > 0 || minutes === 0 ? `${rest} s` : ""].filter(Boolean).join(" ");
}

export function headingOf({ templates, variants, hunks: [first] }: ChangeEntry): string {
  if (templates.length === 1) return templates[0] ?? "";
  const sources = first?.sources ?? [];
  const cause = sources.length === 0 ? "" : `, from ${filesInWords(sources)}`;
  const fields = new Set(variants.flatMap(({ hunks }) => hunks.map(({ field }) => fieldNames[field])));
  const ways = variants.length === 0 ? "" : `, with ${variants.length} variants of their ${[...fields].join(" and ")}`;
  return `${plural(templates.length, "template")} get the same change${cause}${ways}`;
}

/** A hunk's label: its field, its templates among the change's, and the files that caused it. */
export function labelOf({ field, sources }: HunkEntry, templates: readonly string[], all: number): string {
  const named = templates.length <= 3 ? templates.join(", ") : String(templates.length);
  const among = all === 1 ? "" : templates.length === all ? ` of all ${all}` : ` of ${named}`;
  return `${fieldNames[field]}${among}${sources.length === 0 ? "" : ` from ${filesInWords(sources)}`}`;
}

/** There can be many files, if the same edit was made in each template. */
function filesInWords(files: readonly string[]): string {
  return files.length <= FILES_MAX ? files.join(", ") : `${plural(files.length, "file")} such as ${files[0]}`;
}

/** "text +1 −1, html +3 −2" */
export function formatSize({ hunks }: DifferenceEntry): string {
  const fields = [...new Set(hunks.map(({ field }) => field))];
  return fields
    .map((field) => {
      const ofField = hunks.filter((hunk) => hunk.field === field);
      const sum = (side: "added" | "removed"): number => ofField.reduce((lines, hunk) => lines + hunk[side].length, 0);
      return `${fieldNames[field]} +${sum("added")} −${sum("removed")}`;
    })
    .join(", ");
}

/** Why templates are held back, and what the user can do. */
export const heldReasons: Readonly<
  Record<HeldEntry["kind"], { readonly title: string; readonly way: (held: readonly HeldEntry[]) => string }>
> = {
  drifted: {
    title: "edited on the service since it was last applied",
    way: (held) => {
      const retired = held.filter(isRetired);
      const others = held.filter((entry) => !isRetired(entry));
      const overwrite = `To overwrite the edits, add ${flagsOf(others)}. To keep them, make the same edits in the project.`;
      const remove = `To delete what is no longer in the project, add --prune ${flagsOf(retired)}. To keep it, run: templates pull`;
      return [...(others.length > 0 ? [overwrite] : []), ...(retired.length > 0 ? [remove] : [])].join(" ");
    },
  },
  conflict: {
    title: "changed both in the project and on the service",
    way: (held) =>
      `To apply your version, add ${flagsOf(held)}. To keep the service's edits, make the same edits in the project.`,
  },
  unknown: {
    title: "different on the service, with no record that this project applied it",
    way: (held) =>
      `There is no marker on the service and no entry in templates.lock.json. If another machine has synced, commit its lock. Otherwise, run templates diff to compare. To apply your version, add ${flagsOf(held)}. To keep the service's, remove the template from the project and run: templates pull`,
  },
  foreign: {
    title: "managed by another project or environment",
    way: (held) => `To apply your version, add ${flagsOf(held)}. The other project then holds back its own.`,
  },
  breaking: {
    title: "running applications do not pass what the new version needs",
    way: (held) =>
      `First deploy applications with the new registry that pass these variables as well as those of the old version, then add ${flagsOf(held)}. Or give the template a new name with renamedFrom, so that old and new applications each use their own version.`,
  },
  reused: {
    title: "running applications would send another template under this name",
    way: (held) =>
      `Use a name that no template has had before. Or, once no running application sends this name, add ${flagsOf(held)}.`,
  },
  sourceDrifted: {
    title: "edited in the source environment since they were applied there",
    way: (held) => `To promote the edits, add ${flagsOf(held)}. To discard them, sync that environment first.`,
  },
};

/** The flags that apply these templates anyway; for many templates, only the form of the flag. */
export function flagsOf(held: readonly HeldEntry[]): string {
  const [flag] = held[0]?.flag.split(" ") ?? [];
  return held.length <= FLAGS_MAX ? held.map((entry) => entry.flag).join(" ") : `${flag} NAME for each`;
}

/** A template to delete has no fields that differ. */
export function isRetired({ kind, fields }: HeldEntry): boolean {
  return kind === "drifted" && fields.length === 0;
}

/** Details about a template held back, in addition to the reason. */
export function heldDetails(entry: HeldEntry): string[] {
  const { owner, breaking, reused } = entry;
  const notDeleted = isRetired(entry)
    ? ["no longer in the project, but edited on the service, so --prune does not delete it"]
    : [];
  const marked = owner === undefined ? [] : [`marked as "${owner}"`];
  return [...notDeleted, ...marked, ...reusedInWords(reused), ...breakingInWords(breaking)];
}

function breakingInWords(breaking: HeldEntry["breaking"] = []): string[] {
  return breaking.map(({ variable, effect }) => `${variable} ${effect}`);
}

function reusedInWords(reused: HeldEntry["reused"]): string[] {
  if (reused === undefined) return [];
  const { contentOf, nowNamed } = reused;
  const gets = contentOf === undefined ? "gets different content" : `gets the content of ${contentOf}`;
  return [`${gets}${nowNamed === undefined ? "" : `; its own content moves to ${nowNamed}`}`];
}

/** Why an operation would be held back without a flag; undefined if it would not. */
export function letThroughInWords(operation: OperationEntry): string | undefined {
  const { name, to, overwrites, sourceDrifted, reused, breaking } = operation;
  const kind = overwrites === "drift" ? "drifted" : overwrites;
  const reasons = [
    ...(kind === undefined ? [] : [heldReasons[kind].title]),
    ...(sourceDrifted ? [heldReasons.sourceDrifted.title] : []),
    ...reusedInWords(reused),
    ...breakingInWords(breaking),
  ];
  return reasons.length === 0 ? undefined : `${to ?? name}: ${reasons.join("; ")}`;
}

/** Describes an operation, without its diff. */
export function operationInWords({ kind, name, to, renamedFrom, renamedTo, subject }: OperationEntry): string {
  if (kind === "rename") return `${name} → ${to}`;
  const about = subject ? `  ${subject}` : "";
  const former = renamedFrom === undefined ? "" : `, renamed from ${renamedFrom}, which stays until --prune`;
  const latter = renamedTo === undefined ? "" : `, now ${renamedTo}`;
  return `${name}${about}${former}${latter}`;
}

/** "198 of 200 applied, 2 failed." Operations that another run had already applied are counted separately. */
export function resultInWords({ result, counts, operations }: PlanDocument): string {
  if (result === undefined) return "";
  const parts = [
    [result.unwritten.length, "already there"],
    [result.failed.length, "failed"],
    [result.unknown.length, "got no response"],
    [result.moved.length, "changed on the service in the meantime and left alone"],
    [result.overtaken.length, "changed again by someone else"],
    [result.notAttempted.length, "not started"],
    [counts.held, "held back"],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${result.applied.length - result.unwritten.length} of ${operations.length} applied${phrases.join("")}.`;
}
