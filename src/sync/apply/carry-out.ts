import { AbortedError, isNotFound } from "../../api/errors.js";
import { wordsHash } from "../content.js";
import { waitOutRateLimit } from "../patience.js";
import { type Operation, type Target, targetName } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { ApplyContext } from "./context.js";
import { NotSent } from "./departure.js";
import { concernsAll, isLost, isUnreached, mayBeTaken } from "./failure.js";
import { inspect, type State } from "./inspect.js";
import type { Begun, Ended } from "./journal.js";
import { learn } from "./learn.js";
import { lookUp } from "./look-up.js";
import { applied, type Ending, moved } from "./outcome.js";
import { readBack } from "./read-back.js";
import { requestOf, type WriteRequest } from "./request.js";

/** Times that a write is sent whose answer is lost each time, and that had no effect. */
const LOSSES_MAX = 3;
/** Before a service that could not be reached is tried again. */
const REACH_AGAIN_MS = [500, 2_000];
/** Times that a write which had to wait for its turn is looked after once more; a slow service never gives a fresh look. */
const STALE_MAX = 3;

/** One operation, from looking at what it is about to knowing what became of it. */
export class CarryOut {
  #hasBegun = false;
  #losses = 0;
  #unreached = 0;
  #stale = 0;

  /** @param number Of the operation in the journal. */
  constructor(
    private readonly operation: Operation,
    private readonly number: number,
    private readonly context: ApplyContext,
  ) {}

  /** Never throws: what fails is in the ending; what would fail everything else, too, is told to `halt`. */
  async run(): Promise<Ending> {
    const ending = await this.#attempt();
    try {
      if (this.#hasBegun) await this.context.run.end({ end: this.number, ...this.#effectOf(ending) });
    } catch (error) {
      this.context.halt(asError(error));
    }
    return ending;
  }

  async #attempt(): Promise<Ending> {
    try {
      // What was refused for its rate had no effect, and what is known has grown old when its time has come.
      return await waitOutRateLimit(() => this.#tryOnce(), this.context);
    } catch (error) {
      if (error instanceof AbortedError) return { result: "notAttempted" };
      return this.#failed(error);
    }
  }

  async #tryOnce(): Promise<Ending> {
    let state = await this.#look();
    for (;;) {
      if (state.is === "moved") return moved(state.current);
      if (state.is === "done") return this.#done(state.current);
      const { current } = state;
      const request = requestOf(this.operation, current);
      if (request === undefined) return applied(this.operation, current);
      if (this.context.signal.aborted) return { result: "notAttempted" };
      await this.#begin(current);
      try {
        return await this.#answered(await this.#send(request), request, current);
      } catch (error) {
        const next = await this.#afterFailure(error);
        if ("result" in next) return next;
        state = next;
      }
    }
  }

  /** How things stand after a try that has no answer or a refusal: an ending, or what there is to do now. */
  async #afterFailure(error: unknown): Promise<Ending | State> {
    const { operation } = this;
    if (error instanceof NotSent) {
      if (error.reason === "aborted") return { result: "notAttempted" };
      // Being overtaken by others comes to an end by itself.
      if (this.context.view.isOld(operation.name)) this.#stale += 1;
      return this.#look();
    }
    if (isUnreached(error) && this.#unreached < REACH_AGAIN_MS.length) {
      await this.context.pause(REACH_AGAIN_MS[this.#unreached] ?? 0);
      this.#unreached += 1;
      return this.#look();
    }
    if (isLost(error)) {
      this.#losses += 1;
      const found = await lookUp(() => this.#inspect((name) => this.context.view.readToEnd(name)), this.context.pause);
      if (found === undefined) {
        this.context.halt(asError(error));
        return { result: "unknown", error: asError(error) };
      }
      return found.is === "todo" && this.#losses === LOSSES_MAX ? this.#failed(error) : found;
    }
    if (isNotFound(error) && operation.kind !== "create") {
      // Is it the template that is gone, or the domain? The list's own 404 says.
      await this.context.view.list();
      const found = await this.#inspect((name) => this.context.view.read(name));
      return found.is === "todo" ? this.#failed(error) : found;
    }
    if (mayBeTaken(error) && operation.kind !== "update") {
      const found = await this.#inspect((name) => this.context.view.read(name));
      if (found.is !== "todo") return found;
      const taken = await this.context.view.read(targetName(operation));
      if (operation.kind === "rename" && taken !== undefined) return moved(taken);
    }
    throw error;
  }

  async #look(): Promise<State> {
    // What is there already is refused by the service itself.
    if (this.operation.kind === "create" && this.#losses === 0) return { is: "todo" };
    return this.#inspect((name) => this.context.view.look(name));
  }

  async #inspect(find: (name: string) => Promise<RemoteTemplate | undefined>): Promise<State> {
    return inspect(this.operation, { find, isWritten: this.#losses > 0 });
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
  ): Promise<Ending> {
    const { operation } = this;
    const { view } = this.context;
    if (targetName(operation) !== operation.name || answer === undefined) view.forget(operation.name);
    if (operation.kind === "delete" || answer === undefined) return applied(operation, undefined);
    view.note(answer);
    const { differs, touched } = readBack(answer, operation.target, request.sends, before);
    if (touched.length > 0) return { result: "applied", template: answer.stored, differs, touched };
    const stored = differs.length === 0 ? answer : await learn(answer, operation.target, this.context);
    return applied(operation, stored, differs);
  }

  /** The service has what it is to have, by a write of ours whose answer was lost, or by somebody else's. */
  async #done(current: RemoteTemplate | undefined): Promise<Ending> {
    const { operation } = this;
    if (operation.kind === "delete" || current === undefined || this.#losses === 0) return applied(operation, current);
    const { differs } = readBack(current, operation.target, undefined, undefined);
    const stored = differs.length === 0 ? current : await learn(current, operation.target, this.context);
    return applied(operation, stored, differs);
  }

  #failed(error: unknown): Ending {
    if (concernsAll(error)) this.context.halt(asError(error));
    return { result: "failed", error: asError(error) };
  }

  #effectOf(ending: Ending): Omit<Ended, "end"> {
    if (ending.result === "applied")
      return { effect: "done", ...(ending.stored === undefined ? {} : { stored: ending.stored }) };
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

/** What is restored is not named: it is nothing that this project applied. */
function writtenBy({ content, hash, isEdit }: Target): Partial<Begun> {
  return isEdit ? { restores: true } : { hash, words: wordsHash(content) };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
