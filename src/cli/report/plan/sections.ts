import { plural } from "../check-report.js";
import type { ChangeEntry, ErrorEntry, HeldEntry, OperationEntry, PlanDocument, Ref, ResultEntry } from "./document.js";
import {
  flagsOf,
  headingOf,
  heldDetails,
  heldReasons,
  isRetired,
  letThroughInWords,
  operationInWords,
} from "./phrases.js";

/** A part of a plan's report, with the same words in every format. */
export interface PlanSection {
  readonly sign: "+" | "~" | "→" | "-" | "=" | "!" | "?" | "·" | "✗" | "✓";
  readonly title: string;
  /** Names of templates, shown as one list. */
  readonly names: readonly string[];
  /** Shown on separate lines. */
  readonly rows: readonly string[];
  readonly changes: readonly ChangeEntry[];
  /** The number of templates, if they are held back. */
  readonly held?: number;
  readonly hint?: string;
}

/** If there are more new templates than this, only their names are listed. */
const SUBJECTS_MAX = 20;
/** Maximum number of errors to list, and maximum length of each. */
const ERRORS_MAX = 20;
const ERROR_LENGTH_MAX = 300;

/** Changes first; then what is left alone and what needs a decision, so that these are next to the summary. */
export function sectionsOf(document: PlanDocument): PlanSection[] {
  const { restored = [], operations, changes, retired, proposals, obstacles, held, errors = [] } = document;
  const ofKind = (kind: OperationEntry["kind"]): OperationEntry[] =>
    operations.filter((operation) => operation.kind === kind);
  const updates = ofKind("update");
  const differing = new Set(changes.filter((change) => !change.held).flatMap(({ templates }) => templates));
  const blank = updates.filter(({ name, fields }) => fields.length > 0 && !differing.has(name));
  const letThrough = operations.flatMap((operation) => letThroughInWords(operation) ?? []);
  return [
    ...restoredSection(restored),
    ...changes.filter((change) => !change.held).map(changeSection),
    ...listing("~", blank, (what) => `${what} only in white space`, "differ"),
    ...newTemplates(ofKind("create")),
    ...renames(ofKind("rename")),
    ...listing(
      "=",
      updates.filter(({ fields }) => fields.length === 0),
      (what) => `${what} marked as managed; the content is the same`,
      "are",
    ),
    ...listing("-", ofKind("delete"), (what) => `${what} deleted from the service`, "are"),
    ...formerNames(ofKind("delete").filter(({ renamedTo }) => renamedTo !== undefined)),
    ...about(letThrough, () => ({ sign: "!", title: "Applied because of a flag", rows: letThrough })),
    ...proposed(proposals),
    ...about(retired, (templates) => ({
      sign: "·",
      title: `${templates} no longer in the project, kept on the service`,
      names: retired,
      hint: "To delete them, add --prune.",
    })),
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

export function errorSections(errors: readonly ErrorEntry[]): PlanSection[] {
  const names = [...new Set(errors.flatMap(({ templates }) => templates))];
  const more = errors.length - ERRORS_MAX;
  const have = names.length === 1 ? "has" : "have";
  return about(errors, () => ({
    sign: "✗",
    title: names.length === 0 ? "The project has errors" : `${plural(names.length, "template")} ${have} errors`,
    names,
    rows: [...errors.slice(0, ERRORS_MAX).map(errorInWords), ...(more > 0 ? [`… ${plural(more, "more error")}`] : [])],
    hint: "To see each error in its file, run: templates check",
  }));
}

function errorInWords({ message, place, templates }: ErrorEntry): string {
  const text = message.length > ERROR_LENGTH_MAX ? `${message.slice(0, ERROR_LENGTH_MAX)}…` : message;
  return `${place ?? templates.join(", ")}: ${text}`;
}

type SectionPart = Pick<PlanSection, "sign" | "title"> & Partial<PlanSection>;

function section(part: SectionPart): PlanSection {
  return { names: [], rows: [], changes: [], ...part };
}

/**
 * The section about some entries; none if there are no entries.
 *
 * @param describe Receives the number of entries in words: "3 templates".
 */
function about(entries: readonly unknown[], describe: (templates: string) => SectionPart): PlanSection[] {
  return entries.length === 0 ? [] : [section(describe(plural(entries.length, "template")))];
}

function restoredSection(restored: NonNullable<PlanDocument["restored"]>): PlanSection[] {
  return about(restored, (templates) => ({
    sign: "·",
    title: `${templates} to restore from a backup`,
    rows: restored.map(({ name, backup }) => `${name}: ${backup}`),
    hint: "Later syncs leave restored templates alone, like any edit on the service, until the project has the same content.",
  }));
}

function changeSection(change: ChangeEntry): PlanSection {
  const names = change.templates.length === 1 ? [] : change.templates;
  return section({ sign: "~", title: headingOf(change), names, changes: [change] });
}

function listing(
  sign: PlanSection["sign"],
  operations: readonly OperationEntry[],
  title: (what: string) => string,
  verb: string,
): PlanSection[] {
  const singular = verb === "are" ? "is" : verb.concat("s");
  return about(operations, (templates) => ({
    sign,
    title: title(`${templates} ${operations.length === 1 ? singular : verb}`),
    names: operations.map(({ name }) => name),
  }));
}

function renames(operations: readonly OperationEntry[]): PlanSection[] {
  return about(operations, (templates) => ({
    sign: "→",
    title: `${templates} ${operations.length === 1 ? "is" : "are"} renamed in place`,
    rows: operations.map(operationInWords),
  }));
}

function formerNames(deletes: readonly OperationEntry[]): PlanSection[] {
  const title = "Applications that still use an old name will fail";
  return about(deletes, () => ({ sign: "!", title, rows: deletes.map(operationInWords) }));
}

function newTemplates(creates: readonly OperationEntry[]): PlanSection[] {
  const isDescribed = ({ renamedFrom }: OperationEntry): boolean =>
    creates.length <= SUBJECTS_MAX || renamedFrom !== undefined;
  return about(creates, () => ({
    sign: "+",
    title: plural(creates.length, "new template"),
    rows: creates.filter(isDescribed).map(operationInWords),
    names: creates.filter((create) => !isDescribed(create)).map(({ name }) => name),
  }));
}

function proposed(proposals: PlanDocument["proposals"]): PlanSection[] {
  return about(proposals, (templates) => ({
    sign: "?",
    title: `${templates} ${proposals.length === 1 ? "looks" : "look"} renamed. If so, add renamedFrom`,
    rows: proposals.map(
      ({ from, to, template, line }) => `${from} → ${to}: ${line} in the template.json of ${template}`,
    ),
  }));
}

function heldSection(held: readonly HeldEntry[], changes: readonly ChangeEntry[], isRestore: boolean): PlanSection[] {
  const [first] = held;
  if (first === undefined) return [];
  const { title, way } = heldReasons[first.kind];
  const byDetails = new Map<string, string[]>();
  for (const entry of held) {
    const details = heldDetails(entry).join("; ");
    byDetails.set(details, [...(byDetails.get(details) ?? []), entry.name]);
  }
  const heldChanges = changes.filter((change) => change.held === first.kind);
  const named = new Set(
    heldChanges.filter((change) => isNamed(change, held.length)).flatMap(({ templates }) => templates),
  );
  return [
    section({
      sign: "!",
      title: `${plural(held.length, "template")} NOT ${held.every(isRetired) ? "deleted" : "updated"}: ${title}`,
      names: byDetails.get("")?.filter((name) => !named.has(name)) ?? [],
      rows: [...byDetails].flatMap(([details, names]) => (details === "" ? [] : [`${names.join(", ")}: ${details}`])),
      changes: heldChanges,
      held: held.length,
      hint: isRestore ? `To restore the backup over this, add ${flagsOf(held)}.` : way(held),
    }),
  ];
}

/** Whether a change names its templates: not if it applies to all templates of the section. */
export function isNamed({ templates }: ChangeEntry, held: number): boolean {
  return templates.length < held;
}

/** The result of a plan: problems, the backups, and what to do next. */
export function resultSections({ result }: Pick<PlanDocument, "result">): PlanSection[] {
  if (result === undefined) return [];
  const { moved, overtaken, notAttempted, unmarked, touched, stopped, unseen, unleased, backups, next } = result;
  const why = result.interrupted ? ": interrupted" : stopped === undefined ? "" : `: ${stopped}`;
  const note = (sign: PlanSection["sign"], text: string | undefined, title: string): PlanSection[] =>
    text === undefined ? [] : [section({ sign, title: title + text })];
  return [
    ...unsuccessful(result.failed, "failed"),
    ...unsuccessful(result.unknown, "got no response from the service and may have been applied; the next run checks"),
    ...listed(moved, "left alone: changed on the service since the plan was made"),
    ...listed(overtaken, "applied, then changed by someone else, such as another sync"),
    ...listed(notAttempted, `not started${why}`),
    ...about(touched, (templates) => ({
      sign: "!",
      title: `${templates} edited on the service during the write: edits to fields that sync wrote are lost, edits to other fields are drift`,
      rows: touched.map(withFields),
    })),
    ...about(unmarked, (templates) => ({
      sign: "!",
      title: `The service did not store all of sync's marker at the end of the description (${templates})`,
      hint: "Keep sync.lock on and commit templates.lock.json. Without it, another machine can't tell edits from what sync wrote, and holds back everything that differs.",
    })),
    ...differingSection(result.differs, new Set(unmarked)),
    ...note("!", unseen, "Could not check whether someone else has overwritten what was applied: "),
    ...note(
      "!",
      unleased && `${unleased}. If one did, sync again on one of them`,
      "Another machine could have synced at the same time, because this run had no lease: ",
    ),
    ...note("·", backups, "Backups of what was overwritten or deleted: "),
    ...note("→", next, "To continue: "),
  ];
}

/** Lists fields that the service stored differently. A description without its marker is already reported. */
function differingSection(differs: ResultEntry["differs"], unmarked: ReadonlySet<string>): PlanSection[] {
  const differing = differs
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter((field) => field !== "description" || !unmarked.has(name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  return about(differing, (templates) => ({
    sign: "·",
    title: `${templates} stored by the service differently from what was sent; the next run takes this into account`,
    rows: differing.map(withFields),
  }));
}

function withFields({ name, fields }: ResultEntry["differs"][number]): string {
  return `${name}: ${fields.join(", ")}`;
}

function unsuccessful(entries: ResultEntry["failed"], what: string): PlanSection[] {
  return about(entries, (templates) => ({
    sign: "✗",
    title: `${templates} ${what}`,
    rows: entries.map((entry) => `${entry.kind} ${nameInWords(entry)}: ${entry.message}`),
  }));
}

/** Lists only names, one line per kind, because these may be all of a plan's templates. */
function listed(entries: readonly Ref[], what: string): PlanSection[] {
  const names = (kind: Ref["kind"]) => entries.filter((entry) => entry.kind === kind).map(nameInWords);
  return about(entries, (templates) => ({
    sign: "!",
    title: `${templates} ${what}`,
    rows: [...new Set(entries.map(({ kind }) => kind))].map((kind) => `${kind} ${names(kind).join(", ")}`),
  }));
}

function nameInWords({ name, to }: Ref): string {
  return `${name}${to === undefined ? "" : ` → ${to}`}`;
}
