import { plural } from "../check-report.js";
import type { ChangeEntry, ErrorEntry, HeldEntry, OperationEntry, PlanDocument } from "./document.js";
import {
  flagsOf,
  headingOf,
  heldDetails,
  heldReasons,
  isRetired,
  letThroughInWords,
  operationInWords,
} from "./phrases.js";

/** A part of what is told of a plan, in the same words everywhere. */
export interface Section {
  readonly sign: "+" | "~" | "→" | "-" | "=" | "!" | "?" | "·" | "✗" | "✓";
  readonly title: string;
  /** Of templates, in one list. */
  readonly names: readonly string[];
  /** Each on a line of its own. */
  readonly rows: readonly string[];
  readonly changes: readonly ChangeEntry[];
  /** How many templates it is about, where they are held. */
  readonly held?: number;
  /** What to do about it. */
  readonly hint?: string;
}

/** Templates with so many of them new are told by name alone. */
const SUBJECTS_MAX = 20;
/** Errors of templates are listed up to this number, and each up to this length. */
const ERRORS_MAX = 20;
const ERROR_LENGTH_MAX = 300;

/** What happens first, then what is left alone and what has to be decided, which so stands next to the summary. */
export function sectionsOf(document: PlanDocument): Section[] {
  const { restored = [], operations, changes, retired, proposals, obstacles, held, errors = [] } = document;
  const of = (kind: OperationEntry["kind"]): OperationEntry[] =>
    operations.filter((operation) => operation.kind === kind);
  const updates = of("update");
  const differing = new Set(changes.filter((change) => !change.held).flatMap(({ templates }) => templates));
  const blank = updates.filter(({ name, fields }) => fields.length > 0 && !differing.has(name));
  const letThrough = operations.flatMap((operation) => letThroughInWords(operation) ?? []);
  return [
    ...restoredSection(restored),
    ...changes.filter((change) => !change.held).map(changeSection),
    ...listing("~", blank, (what) => `${what} only in white space`, "differ"),
    ...newTemplates(of("create")),
    ...rows("→", of("rename"), "renamed in place"),
    ...listing(
      "=",
      updates.filter(({ fields }) => fields.length === 0),
      (what) => `${what} marked as managed; the content is the same`,
      "are",
    ),
    ...listing("-", of("delete"), (what) => `${what} deleted from the service`, "are"),
    ...formerNames(of("delete").filter(({ renamedTo }) => renamedTo !== undefined)),
    ...(letThrough.length === 0
      ? []
      : [section({ sign: "!", title: "Applied because a flag says so", rows: letThrough })]),
    ...proposed(proposals),
    ...unlessEmpty({
      sign: "·",
      title: `${plural(retired.length, "template")} no longer in the project, kept on the service`,
      names: retired,
      hint: "To delete them, add --prune.",
    }),
    ...Object.keys(heldReasons).flatMap((kind) =>
      heldSection(
        held.filter((entry) => entry.kind === kind),
        changes,
        restored.length > 0,
      ),
    ),
    ...errorSections(errors),
    ...obstacles.map(({ message }) => section({ sign: "✗", title: message })),
  ];
}

/** Which templates have errors, and which. */
export function errorSections(errors: readonly ErrorEntry[]): Section[] {
  if (errors.length === 0) return [];
  const names = [...new Set(errors.flatMap(({ templates }) => templates))];
  const more = errors.length - ERRORS_MAX;
  return [
    section({
      sign: "✗",
      title:
        names.length === 0
          ? "The project has errors"
          : `${plural(names.length, "template")} ${names.length === 1 ? "has" : "have"} errors`,
      names,
      rows: [
        ...errors.slice(0, ERRORS_MAX).map(errorInWords),
        ...(more > 0 ? [`… ${plural(more, "more error")}`] : []),
      ],
      hint: "To see each error in its file, run: templates check",
    }),
  ];
}

function errorInWords({ message, place, templates }: ErrorEntry): string {
  const text = message.length > ERROR_LENGTH_MAX ? `${message.slice(0, ERROR_LENGTH_MAX)}…` : message;
  return `${place ?? templates.join(", ")}: ${text}`;
}

export function section(part: Pick<Section, "sign" | "title"> & Partial<Section>): Section {
  return { names: [], rows: [], changes: [], ...part };
}

function unlessEmpty(part: Pick<Section, "sign" | "title" | "names"> & Partial<Section>): Section[] {
  return part.names.length === 0 ? [] : [section(part)];
}

function restoredSection(restored: NonNullable<PlanDocument["restored"]>): Section[] {
  if (restored.length === 0) return [];
  return [
    section({
      sign: "·",
      title: `${plural(restored.length, "template")} to restore from a backup`,
      rows: restored.map(({ name, backup }) => `${name}: ${backup}`),
      hint: "Later syncs leave restored templates alone, like any edit on the service, until the project has the same content.",
    }),
  ];
}

function changeSection(change: ChangeEntry): Section {
  const names = change.templates.length === 1 ? [] : change.templates;
  return section({ sign: "~", title: headingOf(change), names, changes: [change] });
}

function listing(
  sign: Section["sign"],
  operations: readonly OperationEntry[],
  title: (what: string) => string,
  verb: string,
): Section[] {
  const names = operations.map(({ name }) => name);
  const singular = verb === "are" ? "is" : verb.concat("s");
  return unlessEmpty({
    sign,
    title: title(`${plural(names.length, "template")} ${names.length === 1 ? singular : verb}`),
    names,
  });
}

function rows(sign: Section["sign"], operations: readonly OperationEntry[], what: string): Section[] {
  if (operations.length === 0) return [];
  const title = `${plural(operations.length, "template")} ${operations.length === 1 ? "is" : "are"} ${what}`;
  return [section({ sign, title, rows: operations.map(operationInWords) })];
}

function formerNames(deletes: readonly OperationEntry[]): Section[] {
  if (deletes.length === 0) return [];
  const title = "Applications that still use an old name will fail";
  return [section({ sign: "!", title, rows: deletes.map(operationInWords) })];
}

function newTemplates(creates: readonly OperationEntry[]): Section[] {
  if (creates.length === 0) return [];
  const isTold = ({ renamedFrom }: OperationEntry): boolean =>
    creates.length <= SUBJECTS_MAX || renamedFrom !== undefined;
  return [
    section({
      sign: "+",
      title: plural(creates.length, "new template"),
      rows: creates.filter(isTold).map(operationInWords),
      names: creates.filter((create) => !isTold(create)).map(({ name }) => name),
    }),
  ];
}

function proposed(proposals: PlanDocument["proposals"]): Section[] {
  if (proposals.length === 0) return [];
  const told = proposals.map(
    ({ from, to, template, line }) => `${from} → ${to}: ${line} in template.json of ${template}`,
  );
  const title = `${plural(proposals.length, "template")} ${proposals.length === 1 ? "looks" : "look"} renamed. If so, add renamedFrom`;
  return [section({ sign: "?", title, rows: told })];
}

function heldSection(held: readonly HeldEntry[], changes: readonly ChangeEntry[], isRestore: boolean): Section[] {
  const [first] = held;
  if (first === undefined) return [];
  const { title, way } = heldReasons[first.kind];
  const byDetails = new Map<string, string[]>();
  for (const entry of held) {
    const details = heldDetails(entry).join("; ");
    byDetails.set(details, [...(byDetails.get(details) ?? []), entry.name]);
  }
  const those = changes.filter((change) => change.held === first.kind);
  const named = new Set(those.filter((change) => isNamed(change, held.length)).flatMap(({ templates }) => templates));
  return [
    section({
      sign: "!",
      title: `${plural(held.length, "template")} NOT ${held.every(isRetired) ? "deleted" : "updated"}: ${title}`,
      names: byDetails.get("")?.filter((name) => !named.has(name)) ?? [],
      rows: [...byDetails].flatMap(([details, names]) => (details === "" ? [] : [`${names.join(", ")}: ${details}`])),
      changes: those,
      held: held.length,
      hint: isRestore ? `To restore the backup over this, add ${flagsOf(held)}.` : way(held),
    }),
  ];
}

/** Whether a change of held templates says whose it is: it need not where it is all of theirs. */
export function isNamed({ templates }: ChangeEntry, held: number): boolean {
  return templates.length < held;
}
