import { asError } from "../../errors.js";
import { AbortedError, type CallError, isNotFound, ServiceError } from "../../api/errors.js";
import { type Backoff, backoff } from "../../api/calls/timing.js";
import { type ContentField, contentFields, wordsHash } from "../content.js";
import { announceWait, delayAfter, waitAfter, waitOutRateLimit } from "../patience.js";
import { type Operation, type OperationTarget, targetName } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import { type ApplyContext, inspect, requestOf, type RemainingWork, type WriteRequest } from "./request.js";
import {
  applied,
  affectsAllOperations,
  cutFields,
  type OperationEnding,
  isLost,
  isServiceFailure,
  isUnreached,
  isNameOrCountRefused,
  moved,
  NotSent,
  unwritten,
} from "./outcome.js";
import { differencesOf, endingOfWrite } from "./look-back.js";
import type { Begun, OperationEnd } from "./journal.js";

/**
 * Pauses before a failed write is repeated, and before its effect is looked up, because a slow service may still apply
 * it. A write is tried four times within six seconds; all retries of a sync's writes happen here.
 */
const RETRIES = 3;
const BACKOFF: Backoff = { firstMs: 500, longestMs: 4_000, factor: 3 };
/**
 * How often a write that had to wait for its turn is checked again: with a slow service, a check may never be fresh.
 */
const STALE_MAX = 3;

/** Reading from the service failed, after waiting out rate limits and retries. */
class LookFailed extends Error {
  constructor(override readonly cause: unknown) {
    super("Reading from the service failed.");
  }
}

/** Carries out one operation, from checking the current state to knowing the outcome. */
export class CarryOut {
  #hasBegun = false;
  /** Why the effect of the last write is unknown, until it has been looked up. */
  #lost: CallError | undefined;
  /** Number of writes whose answers were lost. */
  #losses = 0;
  /** Number of writes that the service failed in any way. */
  #failures = 0;
  #stale = 0;

  /** @param number The operation's number in the journal. */
  constructor(
    private readonly operation: Operation,
    private readonly number: number,
    private readonly context: ApplyContext,
  ) {}

  /** Never throws: the ending contains failures, and `halt` is called for errors that would affect all operations. */
  async run(): Promise<OperationEnding> {
    const ending = await this.#attempt();
    try {
      if (this.#hasBegun) await this.context.run.end({ end: this.number, ...this.#effectOf(ending) });
    } catch (error) {
      this.context.halt(asError(error));
    }
    const error = ending.result === "failed" && isServiceFailure(ending.error) ? ending.error : undefined;
    this.context.outage.ended(this, error);
    return ending;
  }

  async #attempt(): Promise<OperationEnding> {
    try {
      // A write that was refused because of its rate had no effect, but its check is outdated when its time has come.
      return await waitOutRateLimit(() => this.#tryOnce(), this.context);
    } catch (thrown) {
      const error = thrown instanceof LookFailed ? thrown.cause : thrown;
      if (this.#lost !== undefined) return this.#unknown(this.#lost);
      if (error instanceof AbortedError) return { result: "notAttempted" };
      return this.#failed(error);
    }
  }

  async #tryOnce(): Promise<OperationEnding> {
    for (;;) {
      await this.context.outage.turn(this);
      const state = await this.#look();
      const known = await this.#endingOf(state);
      if (known !== undefined) return known;
      const { current } = state;
      const request = requestOf(this.operation, current);
      if (request === undefined) return unwritten(this.operation, current);
      if (this.context.signal.aborted) return { result: "notAttempted" };
      await this.#begin(current);
      try {
        const answer = await this.#send(request);
        return this.#accepted(await this.#answered(answer, request, current));
      } catch (error) {
        const ending = await this.#afterFailure(error);
        if (ending !== undefined) return ending;
      }
    }
  }

  /** The ending according to what the service has; undefined if there is still something to do. */
  async #endingOf(state: RemainingWork): Promise<OperationEnding | undefined> {
    if (state.is === "moved") return moved(state.current);
    return state.is === "done" ? this.#done(state.current) : undefined;
  }

  /** The ending after a try with a refusal or without an answer; undefined if it should be tried again. */
  async #afterFailure(error: unknown): Promise<OperationEnding | undefined> {
    const { operation } = this;
    const { view, outage } = this.context;
    if (error instanceof NotSent) {
      if (error.reason === "aborted") return { result: "notAttempted" };
      // Being overtaken by other writes is temporary.
      if (view.isOld(operation.name)) this.#stale += 1;
      return undefined;
    }
    if (isLost(error) || isUnreached(error)) return this.#afterServiceFailure(error);
    if (error instanceof ServiceError && !isServiceFailure(error)) outage.writeAnswered();
    if (isNotFound(error) && operation.kind !== "create") {
      // Distinguishes a missing template from a missing domain: for the latter, the list also answers 404.
      await view.list();
      return (await this.#endingOf(await this.#inspect((name) => view.read(name)))) ?? this.#failed(error);
    }
    if (isNameOrCountRefused(error) && operation.kind !== "update") {
      const ending = await this.#endingOf(await this.#inspect((name) => view.read(name)));
      if (ending !== undefined) return ending;
      const taken = await view.read(targetName(operation));
      if (operation.kind === "rename" && taken !== undefined) return moved(taken);
    }
    throw error;
  }

  async #afterServiceFailure(error: CallError): Promise<OperationEnding | undefined> {
    const { outage } = this.context;
    if (isLost(error)) {
      this.#lost = error;
      this.#losses += 1;
    }
    outage.writeFailed(this);
    this.#failures += 1;
    const isRepeated = !outage.isConfirmed && this.#failures <= RETRIES;
    const delay = isRepeated ? delayAfter(error, backoff(this.#failures, BACKOFF)) : undefined;
    if (delay !== undefined) {
      await this.#pause(error, delay);
      return undefined;
    }
    if (this.#lost === undefined) return this.#failed(error);
    await this.#pause(error, BACKOFF.firstMs);
    return (await this.#endingOf(await this.#look())) ?? this.#failed(error);
  }

  /** Ends early if the signal aborts: then nothing is repeated, but the write's effect is still looked up. */
  async #pause(error: CallError, milliseconds: number): Promise<void> {
    announceWait(milliseconds, error, this.context);
    try {
      await waitAfter(error, milliseconds, this.context);
    } catch (thrown) {
      if (!(thrown instanceof AbortedError)) throw thrown;
    }
  }

  async #look(): Promise<RemainingWork> {
    const { view, outage } = this.context;
    if (this.#lost !== undefined) {
      if (outage.isUnreadable) throw this.#lost;
      const state = await this.#inspect((name) => view.readToEnd(name));
      this.#lost = undefined;
      return state;
    }
    // The service itself refuses to create a template that exists.
    if (this.operation.kind === "create" && this.#losses === 0) return { is: "todo" };
    return this.#inspect((name) => view.look(name));
  }

  /** @throws LookFailed. */
  async #inspect(find: (name: string) => Promise<RemoteTemplate | undefined>): Promise<RemainingWork> {
    try {
      return await inspect(this.operation, { find, isWritten: this.#losses > 0 });
    } catch (error) {
      throw new LookFailed(error);
    }
  }

  async #begin(current: RemoteTemplate | undefined): Promise<void> {
    if (this.#hasBegun) return;
    if (current !== undefined) await this.context.run.save(current.stored);
    await this.context.run.begin(begunOf(this.operation, this.number));
    this.#hasBegun = true;
  }

  async #send(request: WriteRequest): Promise<RemoteTemplate | undefined> {
    const { name, kind } = this.operation;
    const { view } = this.context;
    const mayLeave = () =>
      kind === "create" || (!view.isOvertaken(name) && (this.#stale === STALE_MAX || !view.isOld(name)));
    return this.context.send(request.send, mayLeave);
  }

  async #answered(
    answer: RemoteTemplate | undefined,
    request: WriteRequest,
    before: RemoteTemplate | undefined,
  ): Promise<OperationEnding> {
    const { operation } = this;
    const { view } = this.context;
    if (targetName(operation) !== operation.name || answer === undefined) view.forget(operation.name);
    if (operation.kind === "delete" || answer === undefined) return applied(operation, undefined);
    view.note(answer);
    const { content } = operation.target;
    const isWhole = cutFields(content, answer.content).length === 0;
    if (!isWhole) {
      // The answer may be missing parts of what the service has stored.
      const stored = await view.read(answer.name).catch(() => undefined);
      return endingOfWrite(operation, stored ?? answer, this.context);
    }
    const touched = touchedFields(answer, request.sends, before);
    if (touched.length === 0) return endingOfWrite(operation, answer, this.context);
    const differs = differencesOf(content, answer.content).filter(({ field }) => request.sends.has(field));
    return { result: "applied", template: answer.stored, differs, touched };
  }

  #accepted(ending: OperationEnding): OperationEnding {
    if (ending.result !== "failed") this.context.outage.writeAnswered();
    return ending;
  }

  /** The service has the desired content, from a write of ours whose answer was lost, or from someone else's. */
  async #done(current: RemoteTemplate | undefined): Promise<OperationEnding> {
    const { operation } = this;
    if (this.#losses === 0) return unwritten(operation, current);
    return this.#accepted(await endingOfWrite(operation, current, this.context));
  }

  #failed(error: unknown): OperationEnding {
    if (affectsAllOperations(error)) this.context.halt(asError(error));
    return { result: "failed", error: asError(error) };
  }

  #unknown(error: CallError): OperationEnding {
    this.context.outage.isUnreadable = true;
    this.context.halt(error);
    return { result: "unknown", error };
  }

  #effectOf(ending: OperationEnding): Omit<OperationEnd, "end"> {
    const stored = "stored" in ending ? { stored: ending.stored } : {};
    if (ending.result === "applied") return { effect: "done", ...stored };
    if (ending.result === "failed" && ending.stored !== undefined) return { effect: "partial", ...stored };
    if (ending.result === "unknown") return { effect: "unknown" };
    return { effect: ending.result === "moved" && this.#losses > 0 ? "unknown" : "none" };
  }
}

function begunOf(operation: Operation, begin: number): Begun {
  const { kind, name } = operation;
  return {
    begin,
    kind,
    name,
    ...(kind === "rename" ? { to: operation.to } : {}),
    ...(kind === "delete" ? {} : writtenBy(operation.target)),
    ...(kind === "create" ? {} : { base: operation.base.hash }),
  };
}

/** Fields that were not sent but have changed: someone else wrote at the same moment. */
function touchedFields(
  answer: RemoteTemplate,
  sends: WriteRequest["sends"],
  before: RemoteTemplate | undefined,
): ContentField[] {
  if (before === undefined) return [];
  return contentFields.filter((field) => !sends.has(field) && before.stored[field] !== answer.stored[field]);
}

/** A restored content is not named, because this project did not apply it. */
function writtenBy({ content, hash, isEdit }: OperationTarget): Partial<Begun> {
  return isEdit ? { restores: true } : { hash, words: wordsHash(content) };
}
