import { createNewestQueue, KeyedStore } from "../state/stores.js";
import { completeVariables } from "../../src/mustache/complete.js";
import { evaluator } from "../../src/mustache/expression/evaluate.js";
import { fill, type Message } from "../../src/mustache/fill.js";
import type { Variables, VariablesSchema } from "../../src/mustache/variables.js";
import type { CompiledBodies, VariableProblem, VariablesAnswer } from "../../src/preview/contract.js";
import type { DeriveContext } from "../../src/project/registry-types.js";
import type { Input } from "./input.js";
import { problemText } from "./path.js";
import { checkVariables } from "./schema/check.js";
import { isRecord } from "../../src/values.js";
import { itemSchema, memberSchema, resolve, bestBranch, branchesOf } from "./schema/resolve.js";
import { messageOf } from "../data/source.js";

/** The result of completing or filling, or why it failed. */
interface Outcome<Value> {
  readonly value?: Value;
  readonly trouble?: string;
}

/** The variables that the tags need, for a template that the page can complete without the server. */
export function completeHere(compiled: CompiledBodies, input: Variables, context: DeriveContext): Outcome<Variables> {
  const { contract } = compiled;
  const key = JSON.stringify([context.locale, context.timeZone]);
  const memory = completed.get(key) ?? new WeakMap();
  completed.set(key, memory);
  return remembered(memory, compiled, input, () =>
    completeVariables(contract, withDefaults(contract.input, input), {}, { evaluator, ...context }),
  );
}

/**
 * The same for the template at a commit, with a sentence about variables that did not fit it then.
 *
 * @param derived If there is a `derive`, the completed variables of the current version: what it returns now, it may have
 * returned then.
 */
export function completeForCommit(
  then: CompiledBodies,
  { input }: Input,
  { derived, context }: { readonly derived?: Variables | undefined; readonly context: DeriveContext },
): Outcome<Variables> & { readonly misfit?: string } {
  const { value: misfit } = remembered(misfits, then, input, () => {
    const [problem] = checkVariables(then.contract.input, input);
    return problem && problemText(problem);
  });
  return { ...completeHere(then, derived ?? input, context), misfit };
}

type Bodies = Pick<CompiledBodies, "subject" | "html" | "text">;

/** The message of completed variables. It is filled once and shared. */
export function fillOnce(compiled: Bodies, variables: Variables): Outcome<Message> {
  return remembered(messages, compiled, variables, () =>
    fill({ subject: compiled.subject, html_body: compiled.html, text_body: compiled.text }, variables),
  );
}

type Memory<Value> = WeakMap<Bodies, WeakMap<Variables, Outcome<Value>>>;

/** By locale and time zone. */
const completed = new Map<string, Memory<Variables>>();
const misfits: Memory<string | undefined> = new WeakMap();
const messages: Memory<Message> = new WeakMap();

function remembered<Value>(
  memory: Memory<Value>,
  compiled: Bodies,
  variables: Variables,
  make: () => Value,
): Outcome<Value> {
  const known = memory.get(compiled) ?? new WeakMap<Variables, Outcome<Value>>();
  memory.set(compiled, known);
  const outcome = known.get(variables) ?? attempt(make);
  known.set(variables, outcome);
  return outcome;
}

function attempt<Value>(make: () => Value): Outcome<Value> {
  try {
    return { value: make() };
  } catch (error) {
    return { trouble: messageOf(error) };
  }
}

/** Fills in the schema's defaults, as validation with the schema itself does. */
export function withDefaults(schema: VariablesSchema, variables: Variables): Variables {
  if (!JSON.stringify(schema).includes('"default":')) return variables;
  const whole = complete(variables, schema, schema);
  return isRecord(whole) ? whole : variables;
}

function complete(value: unknown, part: VariablesSchema, root: VariablesSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const schema = bestBranch(value, branchesOf(part, root), root);
  if (Array.isArray(value)) return value.map((item: unknown, index) => complete(item, itemSchema(schema, index), root));
  if (!isRecord(value)) return value;
  const missing = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (Object.hasOwn(value, name)) return [];
    const preset = resolve(member, root).default;
    return preset === undefined ? [] : [[name, structuredClone(preset)] as const];
  });
  const members = Object.entries(value).map(
    ([name, member]) => [name, complete(member, memberSchema(schema, name) ?? {}, root)] as const,
  );
  return Object.fromEntries([...members, ...missing]);
}

/** The server's answer about variables. */
export interface Completion {
  /** The last known variables. They are older than the request while `isPending`, or if it failed. */
  readonly variables?: Variables;
  readonly problems: readonly VariableProblem[];
  /** Why there are no newer variables. */
  readonly trouble?: string;
  readonly isPending: boolean;
  /** The key of the question that this answers. */
  readonly key?: string;
}

/** A question to the server. Equal questions have the same key. */
interface Question {
  readonly key: string;
  readonly ask: () => Promise<VariablesAnswer>;
}

const NONE: Completion = { problems: [], isPending: false };
const PAUSE_MS = 120;

const MOST_PLACES = 50;

/** What a place has asked for. */
interface Queue {
  lastKey?: string | undefined;
  readonly run: ReturnType<typeof createNewestQueue>;
}

/**
 * Asks the server about variables for each place that shows them. Each place sends one request at a time and then the
 * newest question. The last answer stays until there is a newer one.
 */
class Completions extends KeyedStore<Completion> {
  readonly #queues = new Map<string, Queue>();

  override use(place: string): Completion {
    return super.use(place) ?? NONE;
  }

  /** Drops the answer to edits that no longer exist, so that it does not show through until the next answer. */
  forget(place: string): void {
    this.#queues.delete(place);
    this.set(place, undefined);
  }

  /** Sends the question unless it was the last one and is answered or pending. */
  ask(place: string, question: Question): void {
    const queue = this.#queues.get(place) ?? { run: createNewestQueue() };
    this.#queues.delete(place);
    this.#queues.set(place, queue);
    for (const [oldest] of this.#queues) if (this.#queues.size > MOST_PLACES) this.forget(oldest);
    if (question.key === queue.lastKey) return;
    queue.lastKey = question.key;
    this.set(place, { ...(this.get(place) ?? NONE), isPending: true });
    void queue.run(() => this.#send(place, queue, question));
  }

  async #send(place: string, queue: Queue, { key, ask }: Question): Promise<void> {
    const answer = await ask().then(
      (variables) => ({ key, ...variables }),
      (error: unknown) => ({ problems: [], trouble: messageOf(error) }),
    );
    const isPending = queue.lastKey !== key;
    // Allows the same question again, because the server may be back by then.
    if ("trouble" in answer && !isPending) queue.lastKey = undefined;
    const { variables } = this.get(place) ?? NONE;
    // Unless it was forgotten meanwhile.
    if (this.#queues.get(place) === queue) this.set(place, { ...(variables && { variables }), ...answer, isPending });
    await new Promise((continued) => setTimeout(continued, PAUSE_MS));
  }
}

export const completions = new Completions();
