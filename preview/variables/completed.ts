import { completeVariables } from "../../src/mustache/complete.js";
import { fill, type Message } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";
import type { CompiledBodies, TemplateDetail } from "../../src/preview/contract.js";
import type { Input } from "./input.js";
import { problemInWords } from "./path.js";
import { checkVariables } from "./schema/check.js";
import { withDefaults } from "./schema/defaults.js";

/** The result of completing or filling, or why it failed. */
export type Outcome<Value> =
  | { readonly value: Value; readonly trouble?: undefined }
  | { readonly value?: undefined; readonly trouble: string };

/** The variables that the tags need, for a template that the page can complete without the server. */
export function completedHere(compiled: CompiledBodies, { input }: Input): Outcome<Variables> {
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
export function completedThen(
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
    return problem && problemInWords(problem);
  });
  return { ...outcome, misfit };
}

type Bodies = Pick<CompiledBodies, "subject" | "html" | "text">;

/** The message of completed variables. It is filled once and shared. */
export function filled(compiled: Bodies, variables: Variables): Outcome<Message> {
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
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}
