import { plural } from "../check-report.js";
import type { PlanDocument, Ref, ResultEntry } from "./document.js";
import { type Section, section } from "./sections.js";

/** What became of a plan: what didn't go as it should, where the backups are, and what to do next. */
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
    told("✗", failed, "failed", withMessage),
    told("✗", unknown, "got no answer from the service and may have been applied; the next run checks", withMessage),
    listed(moved, "left alone: changed on the service since the plan was made"),
    listed(overtaken, "applied, then changed by somebody else, such as another sync"),
    listed(notAttempted, `not started${why}`),
    touched.length === 0
      ? undefined
      : section({
          sign: "!",
          title: `${plural(touched.length, "template")} edited on the service during the write: edits of the fields that sync wrote are lost, those of other fields are drift`,
          rows: touched.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
        }),
    unmarked.length === 0
      ? undefined
      : section({
          sign: "!",
          title: `The service did not store all of sync's marker at the end of the description (${plural(unmarked.length, "template")})`,
          hint: "Keep sync.lock on and commit templates.lock.json: without it, the next machine can't tell edits from what sync wrote, and holds back everything that differs.",
        }),
    learntSection(differs, new Set(unmarked)),
    unseen === undefined
      ? undefined
      : section({
          sign: "!",
          title: `Could not check whether somebody else has overwritten what was applied: ${unseen}`,
        }),
    unleased === undefined
      ? undefined
      : section({
          sign: "!",
          title: `Another machine could have synced at the same time, as this run had no lease: ${unleased}. If one did, sync again on one of them`,
        }),
    backups === undefined
      ? undefined
      : section({ sign: "·", title: `Backups of what was overwritten or deleted: ${backups}` }),
    next === undefined ? undefined : section({ sign: "→", title: `To go on: ${next}` }),
  ];
  return parts.filter((part) => part !== undefined);
}

/** A description without its marker is reported already. */
function learntSection(differs: ResultEntry["differs"], unmarked: ReadonlySet<string>): Section | undefined {
  const learnt = differs
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter((field) => field !== "description" || !unmarked.has(name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  if (learnt.length === 0) return undefined;
  return section({
    sign: "·",
    title: `${plural(learnt.length, "template")} stored by the service differently from what was sent; the next run knows and finds no difference`,
    rows: learnt.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
  });
}

type Failed = ResultEntry["failed"][number];

function told<Entry extends Ref>(
  sign: Section["sign"],
  entries: readonly Entry[],
  what: string,
  row: (entry: Entry) => string,
): Section | undefined {
  if (entries.length === 0) return undefined;
  return section({ sign, title: `${plural(entries.length, "template")} ${what}`, rows: entries.map(row) });
}

/** Names alone, each kind on a line: these may be all of a plan. */
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
