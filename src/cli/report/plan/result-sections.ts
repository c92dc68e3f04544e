import { plural } from "../check-report.js";
import type { PlanDocument, Ref, ResultEntry } from "./document.js";
import { type Section, section } from "./sections.js";

/** The result of a plan: problems, the backups, and what to do next. */
export function resultSections({ result }: Pick<PlanDocument, "result">): Section[] {
  if (result === undefined) return [];
  const {
    failed,
    unknown,
    moved,
    overtaken,
    notAttempted,
    differs,
    unmarked,
    touched,
    stopped,
    unseen,
    unleased,
    backups,
    next,
    interrupted,
  } = result;
  const why = interrupted ? ": interrupted" : stopped === undefined ? "" : `: ${stopped}`;
  const parts: (Section | undefined)[] = [
    reported("✗", failed, "failed", withMessage),
    reported(
      "✗",
      unknown,
      "got no response from the service and may have been applied; the next run checks",
      withMessage,
    ),
    listed(moved, "left alone: changed on the service since the plan was made"),
    listed(overtaken, "applied, then changed by someone else, such as another sync"),
    listed(notAttempted, `not started${why}`),
    touched.length === 0
      ? undefined
      : section({
          sign: "!",
          title: `${plural(touched.length, "template")} edited on the service during the write: edits to fields that sync wrote are lost, edits to other fields are drift`,
          rows: touched.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
        }),
    unmarked.length === 0
      ? undefined
      : section({
          sign: "!",
          title: `The service did not store all of sync's marker at the end of the description (${plural(unmarked.length, "template")})`,
          hint: "Keep sync.lock on and commit templates.lock.json. Without it, another machine can't tell edits from what sync wrote, and holds back everything that differs.",
        }),
    differingSection(differs, new Set(unmarked)),
    unseen === undefined
      ? undefined
      : section({
          sign: "!",
          title: `Could not check whether someone else has overwritten what was applied: ${unseen}`,
        }),
    unleased === undefined
      ? undefined
      : section({
          sign: "!",
          title: `Another machine could have synced at the same time, because this run had no lease: ${unleased}. If one did, sync again on one of them`,
        }),
    backups === undefined
      ? undefined
      : section({ sign: "·", title: `Backups of what was overwritten or deleted: ${backups}` }),
    next === undefined ? undefined : section({ sign: "→", title: `To continue: ${next}` }),
  ];
  return parts.filter((part) => part !== undefined);
}

/** Lists fields that the service stored differently. A description without its marker is already reported. */
function differingSection(differs: ResultEntry["differs"], unmarked: ReadonlySet<string>): Section | undefined {
  const differing = differs
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter((field) => field !== "description" || !unmarked.has(name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  if (differing.length === 0) return undefined;
  return section({
    sign: "·",
    title: `${plural(differing.length, "template")} stored by the service differently from what was sent; the next run takes this into account`,
    rows: differing.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
  });
}

type Failed = ResultEntry["failed"][number];

function reported<Entry extends Ref>(
  sign: Section["sign"],
  entries: readonly Entry[],
  what: string,
  row: (entry: Entry) => string,
): Section | undefined {
  if (entries.length === 0) return undefined;
  return section({ sign, title: `${plural(entries.length, "template")} ${what}`, rows: entries.map(row) });
}

/** Lists only names, one line per kind, because these may be all of a plan's templates. */
function listed(entries: readonly Ref[], what: string): Section | undefined {
  if (entries.length === 0) return undefined;
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const names = (kind: Ref["kind"]) => entries.filter((entry) => entry.kind === kind).map(nameInWords);
  return section({
    sign: "!",
    title: `${plural(entries.length, "template")} ${what}`,
    rows: kinds.map((kind) => `${kind} ${names(kind).join(", ")}`),
  });
}

function inWords(entry: Ref): string {
  return `${entry.kind} ${nameInWords(entry)}`;
}

function nameInWords({ name, to }: Ref): string {
  return `${name}${to === undefined ? "" : ` → ${to}`}`;
}

function withMessage(entry: Failed): string {
  return `${inWords(entry)}: ${entry.message}`;
}
