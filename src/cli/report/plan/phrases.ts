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

/** What fields are called where people read. */
export const fieldNames: Readonly<Record<ContentField, string>> = {
  subject: "subject",
  description: "description",
  text_body: "text",
  html_body: "html",
};

/** "200 to update, 2 held, 12 unchanged" */
export function countsInWords(counts: Counts): string {
  const parts = [
    [counts.create, "to create"],
    [counts.update, "to update"],
    [counts.rename, "to rename"],
    [counts.delete, "to delete"],
    [counts.mark, "to mark as managed"],
    [counts.held, "held"],
    [counts.retired, "no longer here"],
    [counts.unchanged, "unchanged"],
    [counts.unmanaged, "unmanaged, never touched"],
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
  return counts.held > 0 ? `Left alone in ${place}: ${what}` : `Nothing to change in ${place}: ${what}`;
}

/** How many requests applying takes, by endpoint, and how long; undefined where it takes none. */
export function requestsInWords({ requests, seconds, obstacles }: PlanDocument): string | undefined {
  if (requests.length === 0 || obstacles.length > 0) return undefined;
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const each = requests.map(
    ({ endpoint, count, limit }) => `${count} × ${endpoint}${limit === undefined ? "" : ` (${limit} a minute)`}`,
  );
  return `Takes ${plural(total, "request")}: ${each.join(", ")}. ${timeInWords(requests, seconds)}`;
}

function timeInWords(requests: PlanDocument["requests"], seconds: number): string {
  if (seconds === 0) return "The limits allow them at once.";
  const time = durationInWords(seconds);
  return requests.some(({ limit }) => limit !== undefined)
    ? `The limits make that ${time} at least.`
    : `The service reports no limits; the documented ones would make that ${time}.`;
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
  const ways = variants.length === 0 ? "" : `, their ${[...fields].join(" and ")} in ${variants.length} ways`;
  return `${plural(templates.length, "template")} change alike${cause}${ways}`;
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
    title: "edited on the service since the last apply",
    way: (held) => {
      const back = "--overwrite-drift puts back what is here; to keep the edits, make them in the source.";
      const gone = "What is no longer here goes with --prune --overwrite-drift; to keep it, run templates pull.";
      return [...(held.every(isRetired) ? [] : [back]), ...(held.some(isRetired) ? [gone] : [])].join(" ");
    },
  },
  conflict: {
    title: "changed both here and on the service",
    way: () => "--overwrite-drift takes what is here; to keep the service's edits, make them in the source.",
  },
  unknown: {
    title: "different on the service, and nothing tells that it was applied from here",
    way: () => "--overwrite-drift takes what is here; to keep the service's, remove it here and run templates pull.",
  },
  foreign: {
    title: "managed by another project or environment",
    way: () => "--overwrite-drift takes them over.",
  },
  breaking: {
    title: "would go blank for applications that run",
    way: (held) => {
      const flags =
        held.length <= 3 ? held.map(({ name }) => `--allow-breaking ${name}`).join(" ") : "--allow-breaking NAME";
      return `Deploy applications first that pass these variables, too, and still pass what the old version reads; then ${flags}. Or give it a new name with renamedFrom: both versions find theirs.`;
    },
  },
};

/** What would be deleted has no fields that differ. */
function isRetired({ kind, fields }: HeldEntry): boolean {
  return kind === "drifted" && fields.length === 0;
}

/** What is to be said of a held template besides its reason. */
export function heldDetails(entry: HeldEntry): string[] {
  const { owner, breaking = [] } = entry;
  const gone = isRetired(entry) ? ["no longer here, but edited, so --prune leaves it"] : [];
  const whose = owner === undefined ? [] : [`marked as "${owner}"`];
  return [...gone, ...whose, ...breaking.map(({ variable, effect }) => `${variable} ${effect}`)];
}

/** What an operation does, but for what differs. */
export function operationInWords(operation: OperationEntry): string {
  const { kind, name, to, renamedFrom, renamedTo, subject, overwrites } = operation;
  if (kind === "rename") return `${name} → ${to}`;
  const about = subject ? `  ${subject}` : "";
  const former = renamedFrom === undefined ? "" : `, formerly ${renamedFrom}, which stays until --prune`;
  const over = overwrites === undefined ? "" : `, over ${overwrittenWords[overwrites]}`;
  const latter = renamedTo === undefined ? "" : `, now ${renamedTo}`;
  return `${name}${about}${former}${latter}${over}`;
}

const overwrittenWords = {
  drift: "what was edited on the service",
  conflict: "what was changed on the service, too",
  unknown: "what nobody is known to have applied",
  foreign: "what another project manages",
} as const;

/** What became of it: "198 of 200 applied, 2 failed." What was there already was applied by another run. */
export function resultInWords({ result, counts, operations }: PlanDocument): string {
  if (result === undefined) return "";
  const parts = [
    [result.unwritten.length, "already there"],
    [result.failed.length, "failed"],
    [result.unknown.length, "without an answer"],
    [result.moved.length, "changed on the service meanwhile, left alone"],
    [result.overtaken.length, "changed by somebody else since"],
    [result.notAttempted.length, "not begun"],
    [counts.held, "held"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${result.applied.length - result.unwritten.length} of ${operations.length} applied${told.join("")}.`;
}
