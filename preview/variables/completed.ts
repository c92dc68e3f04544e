import { completeVariables } from "../../src/mustache/complete.js";
import { fill, type Message } from "../../src/mustache/fill.js";
import type { Variables, VariablesSchema } from "../../src/mustache/variables.js";
import type { CompiledBodies, TemplateDetail, VariableProblem, VariablesAnswer } from "../../src/preview/contract.js";
import type { Input } from "./input.js";
import { problemText } from "./path.js";
import { checkVariables } from "./schema/check.js";
import { isObject } from "../state/json.js";
import { itemSchema, memberSchema, resolve, wayOf, waysOf } from "./schema/resolve.js";
import { messageOf } from "../data/source.js";

/** The result of completing or filling, or why it failed. */
type Outcome<Value> =
  | { readonly value: Value; readonly trouble?: undefined }
  | { readonly value?: undefined; readonly trouble: string };

/** The variables that the tags need, for a template that the page can complete without the server. */
export function completeHere(compiled: CompiledBodies, { input }: Input): Outcome<Variables> {
  return remembered(completed, compiled, input, () =>
    completeVariables(compiled.contract, withDefaults(compiled.contract.input, input)),
  );
}

/**
 * The same for the template at a commit, with a sentence about variables that did not fit it then.
 *
 * @param variables The completed variables of the current version. What `derive` returns now, it may have returned
 * then.
 */
export function completeForCommit(
  then: CompiledBodies,
  { input }: Input,
  { derives }: Pick<TemplateDetail, "derives">,
  variables: Variables,
): Outcome<Variables> & { readonly misfit?: string | undefined } {
  const passed = derives ? variables : input;
  const outcome = remembered(completed, then, passed, () =>
    completeVariables(then.contract, withDefaults(then.contract.input, passed)),
  );
  const { value: misfit } = remembered(misfits, then, input, () => {
    const [problem] = checkVariables(then.contract.input, input);
    return problem && problemText(problem);
  });
  return { ...outcome, misfit };
}

type Bodies = Pick<CompiledBodies, "subject" | "html" | "text">;

/** The message of completed variables. It is filled once and shared. */
export function fillOnce(compiled: Bodies, variables: Variables): Outcome<Message> {
  return remembered(messages, compiled, variables, () =>
    fill({ subject: compiled.subject, html_body: compiled.html, text_body: compiled.text }, variables),
  );
}

type Memory<Value> = WeakMap<Bodies, WeakMap<Variables, Outcome<Value>>>;

const completed: Memory<Variables> = new WeakMap();
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

/**
 * Fills in the schema's defaults, as validation with the schema itself does.
 *
 * @example
 * withDefaults({ type: "object", properties: { currency: { type: "string", default: "EUR" } } }, {}); // { currency:
 * "EUR" }
 */
export function withDefaults(schema: VariablesSchema, variables: Variables): Variables {
  if (!hasDefaults(schema)) return variables;
  const whole = complete(variables, schema, schema);
  return isObject(whole) ? whole : variables;
}

const known = new WeakMap<VariablesSchema, boolean>();

function hasDefaults(schema: VariablesSchema): boolean {
  const has = known.get(schema) ?? JSON.stringify(schema).includes('"default":');
  known.set(schema, has);
  return has;
}

function complete(value: unknown, part: VariablesSchema, root: VariablesSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const schema = wayOf(value, waysOf(part, root), root);
  if (Array.isArray(value)) return value.map((item: unknown, index) => complete(item, itemSchema(schema, index), root));
  if (!isObject(value)) return value;
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

/**
 * Asks the server about variables for each place that shows them. Each place sends one request at a time and then the
 * newest question. The last answer stays until there is a newer one.
 */
class Completions {
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  at(place: string): Completion {
    return this.#places.get(place)?.completion ?? NONE;
  }

  /** Drops the answer to edits that no longer exist, so that it does not show through until the next answer. */
  forget(name: string): void {
    if (this.#places.delete(name)) this.#listeners.forEach((listener) => listener());
  }

  /** Sends the question unless it was the last one and is answered or pending. */
  ask(name: string, question: Question): void {
    const place = this.#places.get(name) ?? new Place(() => this.#listeners.forEach((listener) => listener()));
    this.#places.delete(name);
    this.#places.set(name, place);
    for (const [oldest] of this.#places) if (this.#places.size > MOST_PLACES) this.#places.delete(oldest);
    place.ask(question);
  }
}

const MOST_PLACES = 50;

class Place {
  completion: Completion = NONE;
  #lastKey: string | undefined;
  #next: Question | undefined;
  #isBusy = false;
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  ask(question: Question): void {
    if (question.key === this.#lastKey) return;
    this.#lastKey = question.key;
    this.#next = question;
    this.#settle({ ...this.completion, isPending: true });
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let question = this.#next; question; question = this.#next) {
      this.#next = undefined;
      const outcome = await this.#answer(question);
      const isPending = this.#next !== undefined;
      // Allows the same question again, because the server may be back by then.
      if (outcome.trouble !== undefined && !isPending) this.#lastKey = undefined;
      this.#settle({ ...outcome, isPending });
      await new Promise((continued) => setTimeout(continued, PAUSE_MS));
    }
    this.#isBusy = false;
  }

  async #answer({ key, ask }: Question): Promise<Completion> {
    try {
      const answer = await ask();
      if ("variables" in answer) return { key, variables: answer.variables, problems: [], isPending: false };
      return { ...this.#last, key, problems: answer.problems, isPending: false };
    } catch (error) {
      const trouble = messageOf(error);
      return { ...this.#last, problems: [], trouble, isPending: false };
    }
  }

  get #last(): Pick<Completion, "variables"> {
    const { variables } = this.completion;
    return variables === undefined ? {} : { variables };
  }

  #settle(completion: Completion): void {
    this.completion = completion;
    this.#tell();
  }
}

export const completions = new Completions();
