import { completeVariables } from "../../../mustache/complete.js";
import { fill, type Message } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { CompiledBodies } from "../../contract.js";
import type { Input } from "./input.js";
import { withDefaults } from "./schema/defaults.js";

/** What came of completing or filling, or why nothing did. */
export type Outcome<Value> =
  | { readonly value: Value; readonly trouble?: undefined }
  | { readonly value?: undefined; readonly trouble: string };

/** The variables as the tags need them, of a template that the page itself can complete. */
export function completedHere(compiled: CompiledBodies, { input }: Input): Outcome<Variables> {
  return remembered(completed, compiled, input, () =>
    completeVariables(compiled.contract, withDefaults(compiled.contract.input, input)),
  );
}

type Bodies = Pick<CompiledBodies, "subject" | "html" | "text">;

/** The message that completed variables make. Filled once, for all that show it. */
export function filled(compiled: Bodies, variables: Variables): Outcome<Message> {
  return remembered(messages, compiled, variables, () =>
    fill({ subject: compiled.subject, html_body: compiled.html, text_body: compiled.text }, variables),
  );
}

type Memory<Value> = WeakMap<Bodies, WeakMap<Variables, Outcome<Value>>>;

const completed: Memory<Variables> = new WeakMap();
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
