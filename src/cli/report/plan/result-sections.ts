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
    touched,
    stopped,
    unseen,
    backups,
    next,
    interrupted,
  } = result;
  const why = interrupted ? ": interrupted" : stopped === undefined ? "" : `: ${stopped}`;
  const parts: (Section | undefined)[] = [
    told("✗", failed, "failed", withMessage),
    told("✗", unknown, "without an answer: perhaps applied, as the next run will see", withMessage),
    told("!", moved, "left alone: the service has something else by now than the plan was made from", inWords),
    told(
      "!",
      overtaken,
      "applied, and changed by somebody else since, such as another sync: the service has theirs now",
      inWords,
    ),
    told("!", notAttempted, `not begun${why}`, inWords),
    touched.length === 0
      ? undefined
      : section({
          sign: "!",
          title: `${plural(touched.length, "template")} edited on the service at the moment of the write: what was written there into the fields that were sent is lost, the rest shows as drift`,
          rows: touched.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
        }),
    differs.length === 0
      ? undefined
      : section({
          sign: "·",
          title: `${plural(differs.length, "template")} stored by the service otherwise than sent, which sync has learnt`,
          rows: differs.map(({ name, fields }) => `${name}: ${fields.join(", ")}`),
        }),
    unseen === undefined
      ? undefined
      : section({
          sign: "!",
          title: `Whether somebody else has written over what was applied could not be seen: ${unseen}`,
        }),
    backups === undefined
      ? undefined
      : section({ sign: "·", title: `What was overwritten or deleted is kept in ${backups}` }),
    next === undefined ? undefined : section({ sign: "→", title: `To go on: ${next}` }),
  ];
  return parts.filter((part) => part !== undefined);
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

function inWords({ kind, name, to }: Ref): string {
  return `${kind} ${name}${to === undefined ? "" : ` → ${to}`}`;
}

function withMessage(entry: Failed): string {
  return `${inWords(entry)}: ${entry.message}`;
}
