import { type Content, type ContentField, contentFields, hasSameWords, isBeginningOf, isSameText } from "../content.js";
import { type Operation, type OperationTarget, targetName } from "../plan/plan.js";
import {
  isSameMarker,
  showsAlteredContent,
  type RemoteSummary,
  type RemoteTemplate,
  remoteTemplate,
} from "../remote.js";
import type { ApplyContext } from "./request.js";
import {
  applied,
  CutContentError,
  cutFields,
  type StoredDifference,
  type OperationEnding,
  type Outcome,
  type Overtaken,
  overtaken,
} from "./outcome.js";
import { AGE_MAX_MS } from "./view.js";
import { writeMarker } from "../../text/marker.js";
import { waitOutRateLimit } from "../patience.js";

/** The result of an operation under one name. */
interface Trace {
  readonly operation: Operation;
  readonly name: string;
  /** As in the service's answer; absent for a deleted template. */
  readonly answered?: RemoteTemplate;
  /** Whether the service is already known to have stored something different from what was sent. */
  readonly isLearnt: boolean;
}

/**
 * Checks what a run has written, after its last write. Two syncs on two machines may each have read a template before
 * the other wrote it, so that the later write overwrote the earlier one: the run that finds a different content reports
 * it. This also reveals a service that answers what was sent but stores something else.
 *
 * One list raises suspicions, and only reading a template confirms them.
 *
 * @param isProven Whether the service is known to store what it answers. If not, the longest template is read back, and
 * if that differs, all of them are.
 * @param isAltering Whether the service is known to have altered content before.
 * @returns The endings that have changed, by operation.
 * @throws The client's errors, if reading fails.
 */
export async function lookBack(
  outcomes: readonly Outcome[],
  context: ApplyContext,
  { isProven, isAltering }: { readonly isProven: boolean; readonly isAltering: boolean },
): Promise<ReadonlyMap<Operation, OperationEnding | Overtaken>> {
  const traces = tracesOf(outcomes);
  if (traces.length === 0) return new Map();
  const currentByTrace = new Map<Trace, RemoteTemplate | undefined>();
  const read = async (some: readonly Trace[]) => {
    for (const trace of some) currentByTrace.set(trace, await context.view.read(trace.name));
  };
  const readings = () =>
    [...currentByTrace].map(([trace, current]) => ({ trace, current, is: compare(trace, current) }));

  await context.pause(checkDelay(outcomes, context));
  // A single one is read in any case.
  const summaries: ReadonlyMap<string, RemoteSummary> = outcomes.length === 1 ? new Map() : await context.view.list();
  await read(traces.filter((trace) => isSuspect(trace, summaries.get(trace.name))));
  // What was learnt from a lookup after a lost answer says nothing about other answers.
  const unread = traces.filter((trace) => !currentByTrace.has(trace) && !trace.isLearnt).toSorted(byLength);
  if (!isProven) await read(unread.slice(0, 1));
  if (readings().some(({ is }) => is === "otherwise")) await read(traces.filter((trace) => !currentByTrace.has(trace)));

  const endings = new Map<Operation, OperationEnding | Overtaken>();
  // `updated_at` has whole seconds: a single template may just as well have been edited within the second of our write.
  const isOfService =
    isAltering ||
    showsAlteredContent(summaries.values()) ||
    readings().filter(({ is }) => is === "otherwise").length > 1;
  for (const { trace, current, is } of readings()) {
    const { operation } = trace;
    if (is === "same") continue;
    // Without a marker, another sync's write is indistinguishable from what the service made of ours.
    const isMarked = current?.marker !== undefined;
    const isLearnt = is === "otherwise" && ((isOfService && isMarked) || isSurelyNoEdit(trace, current));
    endings.set(operation, isLearnt ? await endingOfWrite(operation, current, context) : overtaken(current));
  }
  return endings;
}

/**
 * How long (ms) another sync may take from its check of a template to its write: as long as ours, unless there are
 * signs of one.
 */
function checkDelay(outcomes: readonly Outcome[], { slowestWrite }: ApplyContext): number {
  const hasOtherWriters = outcomes.some(
    (outcome) => outcome.result === "moved" || (outcome.result === "applied" && outcome.touched.length > 0),
  );
  return hasOtherWriters ? AGE_MAX_MS : Math.min(AGE_MAX_MS, 2 * slowestWrite());
}

/** The final result for each name: a name may be freed and taken again within one run. */
function tracesOf(outcomes: readonly Outcome[]): Trace[] {
  const traces = new Map<string, Trace>();
  for (const outcome of outcomes) {
    if (outcome.result !== "applied") continue;
    const { operation, template } = outcome;
    const isLearnt = outcome.stored !== undefined;
    traces.delete(operation.name);
    const name = targetName(operation);
    if (operation.kind === "delete") traces.set(name, { operation, name, isLearnt });
    else if (template !== undefined)
      traces.set(name, {
        operation,
        name,
        isLearnt,
        answered: remoteTemplate(template, { askedAt: 0, seen: undefined }),
      });
  }
  return [...traces.values()];
}

function isSuspect({ answered }: Trace, summary: RemoteSummary | undefined): boolean {
  if (answered === undefined || summary === undefined) return answered !== undefined || summary !== undefined;
  return !isSameMoment(answered, summary) || !isSameMarker(answered, summary);
}

/** Compares what was read with the answer: the same, the same write stored differently, or another write. */
function compare({ answered }: Trace, current: RemoteTemplate | undefined): "same" | "otherwise" | "another" {
  if (answered === undefined || current === undefined) return answered === current ? "same" : "another";
  const hasItsMarker = isSameMarker(answered, current);
  const hasItsContent = contentFields.every((field) => isSameText(answered.content[field], current.content[field]));
  if (hasItsMarker && hasItsContent) return "same";
  const hasDifferentMarker = current.marker !== undefined && !hasItsMarker;
  return hasDifferentMarker || !isSameMoment(answered, current) ? "another" : "otherwise";
}

/**
 * Whether the content is definitely not an edit: it has the answer's words, the beginning of them, or the previous
 * content.
 */
function isSurelyNoEdit({ operation, answered }: Trace, current: RemoteTemplate | undefined): boolean {
  if (answered === undefined || current === undefined) return false;
  const before = (field: ContentField) =>
    "changes" in operation ? operation.changes.find((change) => change.field === field)?.from : undefined;
  const differing = contentFields.filter((field) => !isSameText(answered.content[field], current.content[field]));
  return (
    differing.every((field) => hasSameWords(answered.content[field], current.content[field])) ||
    contentFields.every((field) => isBeginningOf(answered.stored[field], current.stored[field])) ||
    differing.every((field) => isSameText(before(field) ?? answered.content[field], current.content[field]))
  );
}

function isSameMoment(one: Pick<RemoteSummary, "updatedAt">, other: Pick<RemoteSummary, "updatedAt">): boolean {
  return Date.parse(one.updatedAt) === Date.parse(other.updatedAt);
}

function byLength(a: Trace, b: Trace): number {
  return lengthOf(b) - lengthOf(a);
}

function lengthOf({ answered }: Trace): number {
  return contentFields.reduce((sum, field) => sum + (answered?.content[field].length ?? 0), 0);
}

/** The ending of an operation whose write took effect, according to what the service has stored. */
export async function endingOfWrite(
  operation: Operation,
  stored: RemoteTemplate | undefined,
  context: ApplyContext,
): Promise<OperationEnding> {
  if (operation.kind === "delete" || stored === undefined) return applied(operation, stored);
  const { target } = operation;
  const cut = cutFields(target.content, stored.content);
  if (cut.length > 0) return { result: "failed", error: new CutContentError(cut), stored: stored.hash };
  const differs = differencesOf(target.content, stored.content);
  return applied(operation, differs.length === 0 ? stored : await learn(stored, target, context), differs);
}

/** Fields whose stored value differs from what was sent. */
export function differencesOf(sent: Content, stored: Content): StoredDifference[] {
  return contentFields
    .filter((field) => !isSameText(sent[field], stored[field]))
    .map((field) => {
      let at = 0;
      while (at < sent[field].length && sent[field][at] === stored[field][at]) at += 1;
      return { field, sent: sent[field], stored: stored[field], at };
    });
}

const TRIES = 2;

/**
 * Records in the marker what the service made of the content, so that later runs don't see it as drift. If that cannot
 * be written, the template is still applied, but its marker lacks the information.
 *
 * @returns The resulting template; without a marker if the description has no room for the information.
 */
async function learn(
  template: RemoteTemplate,
  target: OperationTarget,
  context: ApplyContext,
): Promise<RemoteTemplate> {
  const { name, hash: stored, marker } = template;
  // Without a marker in the answer there is no place for it, and the marker of an edit names a different content.
  if (target.marker === undefined || target.isEdit || marker === undefined || marker.stored === stored) return template;
  const description = writeMarker(target.content.description, { ...target.marker, stored });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await waitOutRateLimit(
      () =>
        context.send(
          (writer, domain, options) => writer.update(domain, name, { description }, options),
          () => true,
        ),
      context,
    ).catch(() => context.view.read(name).catch(() => undefined));
    if (answer === undefined) continue;
    context.view.note(answer);
    // If someone edited it meanwhile, this is not what the service made of it.
    if (answer.marker?.stored === stored) return answer.hash === stored ? answer : template;
    if (answer.marker === undefined) return answer;
  }
  return template;
}
