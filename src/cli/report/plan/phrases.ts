import type { ContentField } from "../../../sync/content.js";
import { plural } from "../check-report.js";
import type {
  ChangeEntry,
  Counts,
  DifferenceEntry,
  HeldEntry,
  HunkEntry,
  OperationEntry,
  PlanDocument,
} from "./document.js";

/** Files are named up to so many. */
const FILES_MAX = 3;

/** Flags of held templates are written out up to so many. */
const FLAGS_MAX = 3;

/** What fields are called where people read. */
export const fieldNames: Readonly<Record<ContentField, string>> = {
  subject: "subject",
  description: "description",
  text_body: "text",
  html_body: "html",
};

/** "200 to update, 2 held back, 12 unchanged" */
export function countsInWords(counts: Counts): string {
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
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return told.join(", ") || "there are no templates";
}

/** The last line: what will happen. */
export function summaryOf({ environment, base, counts, operations, obstacles }: PlanDocument): string {
  const what = `${countsInWords(counts)}.`;
  if (environment === undefined) return `Compared with ${base}: ${what}`;
  const place = `${environment.name} (${environment.domain})`;
  if (obstacles.length > 0) return `Nothing can be applied to ${place}: ${what}`;
  if (operations.length > 0) return `Plan for ${place}: ${what}`;
  return counts.held > 0 ? `Nothing to apply to ${place}: ${what}` : `Nothing to change in ${place}: ${what}`;
}

/** How many requests applying takes, and how long; undefined where it takes none. */
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
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
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

/** Which field a hunk is of, in which of the change's templates, and which files it comes from. */
export function labelOf({ field, sources }: HunkEntry, templates: readonly string[], all: number): string {
  const those = templates.length <= 3 ? templates.join(", ") : String(templates.length);
  const among = all === 1 ? "" : templates.length === all ? ` of all ${all}` : ` of ${those}`;
  return `${fieldNames[field]}${among}${sources.length === 0 ? "" : ` from ${filesInWords(sources)}`}`;
}

/** The same edit may have been made in a file of each template. */
function filesInWords(files: readonly string[]): string {
  return files.length <= FILES_MAX ? files.join(", ") : `${plural(files.length, "file")} such as ${files[0]}`;
}

/** "text +1 −1, html +3 −2" */
export function sizeInWords({ hunks }: DifferenceEntry): string {
  const fields = [...new Set(hunks.map(({ field }) => field))];
  return fields
    .map((field) => {
      const those = hunks.filter((hunk) => hunk.field === field);
      const sum = (side: "added" | "removed"): number => those.reduce((lines, hunk) => lines + hunk[side].length, 0);
      return `${fieldNames[field]} +${sum("added")} −${sum("removed")}`;
    })
    .join(", ");
}

/** Why templates are held, and what each way out does. */
export const heldReasons: Readonly<
  Record<HeldEntry["kind"], { readonly title: string; readonly way: (held: readonly HeldEntry[]) => string }>
> = {
  drifted: {
    title: "edited on the service since it was last applied",
    way: (held) => {
      const gone = held.filter(isRetired);
      const others = held.filter((entry) => !isRetired(entry));
      const back = `To overwrite the edits, add ${flagsOf(others)}. To keep them, make the same edits in the project.`;
      const away = `To delete what is no longer in the project, add --prune ${flagsOf(gone)}. To keep it, run: templates pull`;
      return [...(others.length > 0 ? [back] : []), ...(gone.length > 0 ? [away] : [])].join(" ");
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
      `There is no marker on the service and no entry in templates.lock.json. If another machine has synced, commit its lock. Otherwise compare with templates diff. To apply your version, add ${flagsOf(held)}. To keep the service's, remove the template from the project and run: templates pull`,
  },
  foreign: {
    title: "managed by another project or environment",
    way: (held) => `To apply your version, add ${flagsOf(held)}. The other project then holds back its own.`,
  },
  breaking: {
    title: "running applications do not pass what the new version needs",
    way: (held) =>
      `First deploy applications that pass these variables as well as those of the old version, then add ${flagsOf(held)}. Or give the template a new name with renamedFrom, so that old and new applications each find their version.`,
  },
  reused: {
    title: "running applications would send another template under this name",
    way: (held) =>
      `Use a name that no template has had. When no running application sends the name any more, add ${flagsOf(held)}.`,
  },
  sourceDrifted: {
    title: "edited on the service in the environment to promote from",
    way: (held) => `To promote the edits, add ${flagsOf(held)}. To drop them, sync that environment first.`,
  },
};

/** The flags that let these through; of many, how they are written for each. */
export function flagsOf(held: readonly HeldEntry[]): string {
  const [flag] = held[0]?.flag.split(" ") ?? [];
  return held.length <= FLAGS_MAX ? held.map((entry) => entry.flag).join(" ") : `${flag} NAME for each`;
}

/** What would be deleted has no fields that differ. */
export function isRetired({ kind, fields }: HeldEntry): boolean {
  return kind === "drifted" && fields.length === 0;
}

/** What is to be said of a held template besides its reason. */
export function heldDetails(entry: HeldEntry): string[] {
  const { owner, breaking, reused } = entry;
  const gone = isRetired(entry)
    ? ["no longer in the project, but edited on the service, so --prune does not delete it"]
    : [];
  const whose = owner === undefined ? [] : [`marked as "${owner}"`];
  return [...gone, ...whose, ...reusedInWords(reused), ...breakingInWords(breaking)];
}

function breakingInWords(breaking: HeldEntry["breaking"] = []): string[] {
  return breaking.map(({ variable, effect }) => `${variable} ${effect}`);
}

function reusedInWords(reused: HeldEntry["reused"]): string[] {
  if (reused === undefined) return [];
  const { contentOf, nowNamed } = reused;
  const gets = contentOf === undefined ? "gets another content" : `gets the content of ${contentOf}`;
  return [`${gets}${nowNamed === undefined ? "" : `; its own becomes ${nowNamed}`}`];
}

/** Why an operation would be held back without a flag; undefined where it would not. */
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

/** What an operation does, but for what differs. */
export function operationInWords({ kind, name, to, renamedFrom, renamedTo, subject }: OperationEntry): string {
  if (kind === "rename") return `${name} → ${to}`;
  const about = subject ? `  ${subject}` : "";
  const former = renamedFrom === undefined ? "" : `, renamed from ${renamedFrom}, which stays until --prune`;
  const latter = renamedTo === undefined ? "" : `, now ${renamedTo}`;
  return `${name}${about}${former}${latter}`;
}

/** What became of it: "198 of 200 applied, 2 failed." What was there already was applied by another run. */
export function resultInWords({ result, counts, operations }: PlanDocument): string {
  if (result === undefined) return "";
  const parts = [
    [result.unwritten.length, "already there"],
    [result.failed.length, "failed"],
    [result.unknown.length, "got no answer"],
    [result.moved.length, "changed on the service meanwhile and left alone"],
    [result.overtaken.length, "changed again by somebody else"],
    [result.notAttempted.length, "not started"],
    [counts.held, "held back"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${result.applied.length - result.unwritten.length} of ${operations.length} applied${told.join("")}.`;
}
