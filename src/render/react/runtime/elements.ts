import { byValue, conditional, everyCase, lift, select } from "./choices.js";
import { acceptsSymbolic, classNames, isClass, protectPreview } from "./components.js";
import { countValue, isCount } from "./loops.js";
import { mergeObjects } from "./member-access.js";
import { fallback } from "./operators.js";
import { packageElement } from "./package-elements.js";
import { pathOf, tokenOf, usedAt } from "./paths.js";
import { isRawElement, rawText } from "./raw-texts.js";
import { printedStyle } from "./styles.js";
import { located, refuse, rendering } from "./rendering.js";
import { concatenate, symbolicOf, valuesInString } from "./strings.js";
import {
  type AccessPath,
  type Conditional,
  follow,
  isElement,
  isPlain,
  isReference,
  type ReactElement,
  represented,
  type Symbolic,
  type Test,
} from "./symbolic.js";

/** A value among an element's children or properties, with its position there. */
export function usedInElement(value: unknown): unknown {
  const symbolic = represented(value);
  if (isCount(symbolic)) return countValue(symbolic);
  if (symbolic?.kind === "choice" && symbolic.test.question.kind === "itself") {
    const { test, yes, no } = symbolic;
    const { site } = rendering();
    return conditional({ ...test, path: site ? test.path.with({ site }) : test.path }, yes, no);
  }
  return symbolic?.kind === "path" && isReference(value) ? follow(value, usedAt(symbolic, rendering().site)) : value;
}

/** Prefix of temporary properties for values to be spread into the properties. */
const SPREAD = "\uE000spread";

let spreads = 0;

/** `<a {...value}>`: a choice or a variable is spread when the element is created, over the properties before it. */
export function spread(value: unknown): unknown {
  if (!represented(value)) return value;
  spreads += 1;
  return { [`${SPREAD} ${spreads}`]: value };
}

/**
 * Prepares an element for React. React and package components would decide about a choice or an absent value at once (omit
 * an attribute, split a class name), so the choice becomes one between elements. Own components receive symbolic values
 * unchanged.
 *
 * @param isCreated Whether it was created by `createElement` rather than JSX.
 */
export function resolveElement(element: unknown, isCreated = false): unknown {
  if (!isElement(element)) return element;
  return lift(element.type, (chosen) =>
    lift(byLiterals(chosen), (type) => {
      const symbolic = symbolicOf(type);
      if (symbolic) return refuseName(symbolic);
      if (type === undefined || type === null) return refuseNothing(element.type, type);
      if (isReference(type) && rendering().countVisits() > MOST_RENDERED) return refuseEndless();
      return resolveProps(withDefaults({ ...element, type }, isCreated), acceptsSymbolic(type));
    }),
  );
}

/** Maximum number of times that a component is rendered at one place of the source: more would not fit into an email. */
const MOST_RENDERED = 5000;

/** A component that renders itself regardless of its data. */
function refuseEndless(): object {
  const refused = refuse(
    undefined,
    `is rendered more than ${MOST_RENDERED} times, as by a component that renders itself`,
    {
      hint: "End the recursion by a property, such as a depth counter or a list that gets shorter.",
    },
  );
  rendering().isEndless = true;
  return refused;
}

const NAME_PROBLEM = "takes the name of an element from a variable";
const NAME_HINT =
  'Declare its possible values in variables.ts, for example z.enum(["h1", "h2"]). It is then compiled for each of them.';

/** Turns a variable whose schema lists its values, or a string with it, into a choice: `h1` and `h2` for `h${level}`. */
function byLiterals(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return byEach(symbolic, (literal) => literal) ?? value;
  if (symbolic?.kind !== "text") return value;
  for (const { token, path } of valuesInString(symbolic.text)) {
    const chosen = byEach(path, (literal) => symbolic.text.replaceAll(token, String(literal)));
    if (chosen !== undefined) return lift(chosen, byLiterals);
  }
  return value;
}

/** Undefined if no schema lists the values. */
function byEach(path: AccessPath, valueOf: (literal: string | number) => unknown): unknown {
  const literals = path.literals?.filter((each) => typeof each === "string" || typeof each === "number");
  return literals && byValue(path, literals, valueOf, undefined);
}

function refuseName(symbolic: Symbolic): object {
  const [first] = symbolic.kind === "text" ? valuesInString(symbolic.text) : [];
  return refuse(first?.path ?? symbolic, NAME_PROBLEM, { hint: NAME_HINT });
}

/** `const Block = BLOCKS[block.type]`, where `block.type` may not be one of the keys. */
function refuseNothing(type: unknown, nothing: null | undefined): unknown {
  const chosen = represented(type);
  if (chosen?.kind !== "choice") {
    const hint = "Check that it is imported by the name under which its module exports it, or as the default export.";
    return refuse(undefined, `is ${nothing} instead of a component`, { hint });
  }
  const { path, question } = chosen.test;
  const name = path.names.at(-1);
  const isLookedUp = question.kind === "equals" && name !== undefined;
  const hint = isLookedUp
    ? `Declare its possible values in variables.ts, \`${name}: z.enum([${valuesIn(chosen)
        .map((value) => JSON.stringify(value))
        .join(", ")}])\`, or provide a fallback: \`BLOCKS[${name}] ?? Other\`.`
    : "Handle this case, for example: `condition && <Block />`.";
  return refuse(chosen, `may be ${nothing} instead of a component`, { hint });
}

/** What a variable is compared with, for a choice by its values. */
function valuesIn({ test, no }: Conditional): unknown[] {
  const { path, question } = test;
  const others = represented(no);
  const isSame = others?.kind === "choice" && others.test.path.key === path.key;
  return [...(question.kind === "equals" ? [question.value] : []), ...(isSame ? valuesIn(others) : [])];
}

/** Applies `defaultProps` as React does, to undefined properties: for classes, and with `createElement`. */
function withDefaults(element: ReactElement, isCreated: boolean): ReactElement {
  const { type, props } = element;
  const defaults: unknown =
    isReference(type) && (isCreated || isClass(type)) ? Reflect.get(type, "defaultProps") : undefined;
  if (!isPlain(defaults)) return element;
  const entries = Object.entries(defaults);
  const normalised = entries
    .filter(([name]) => name in props)
    .map(([name, value]) => [name, fallback(props[name], () => value)]);
  return { ...element, props: { ...defaults, ...props, ...Object.fromEntries(normalised) } };
}

function resolveProps(element: ReactElement, understandsSymbols: boolean): unknown {
  const props = withKnown(element, understandsSymbols);
  const test = Object.entries(props)
    .map(([name, value]) => openTest(name, value, typeof element.type === "string", understandsSymbols))
    .find((result) => result !== undefined);
  const settled = { ...element, props };
  if (!test) {
    const held = protectPreview(settled);
    return understandsSymbols ? held : packageElement(held);
  }
  return select(
    test,
    () => resolveProps(settled, understandsSymbols),
    () => resolveProps(settled, understandsSymbols),
  );
}

/** The properties with spread values applied, except for choices between objects. */
function spreadOut(props: ReactElement["props"]): ReactElement["props"] {
  let out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    const known = name.startsWith(SPREAD) ? knownValue(value) : undefined;
    const merged =
      known === undefined || represented(known)?.kind === "choice" ? undefined : mergeObjects([out, known]);
    const unknown = represented(merged);
    if (unknown) refuse(unknown, "is spread into properties, but its members are unknown", { hint: PASS_BY_NAME });
    else out = isPlain(merged) ? merged : { ...out, [name]: value };
  }
  return out;
}

const PASS_BY_NAME = "Pass each property by its name, or give the variable a type that names all its members.";

/** The properties; a choice that is already decided is replaced with its value. */
function withKnown({ type, props }: ReactElement, understandsSymbols: boolean): Record<string, unknown> {
  const settled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(spreadOut(props))) {
    const known = understandsSymbols && !name.startsWith(SPREAD) ? value : knownValue(value);
    if (name === "className" && !understandsSymbols) settled[name] = classNames(known);
    else if (name === "style") settled[name] = printedStyle(known);
    else if (type === "title" && name === "children") settled[name] = asTitle(known);
    else if (isRawElement(type) && name === "children") settled[name] = rawText(known, type);
    else if (type === "select" && SELECTING.includes(name)) settled[name] = asSelection(known);
    else if (typeof type === "string" && COUNTING.includes(name)) settled[name] = asCount(known);
    else if (typeof type !== "string" && !understandsSymbols && name === "as") settled[name] = asElementName(known);
    else settled[name] = known;
  }
  return settled;
}

/** The element name in `as` of a package's component, which passes it to React as a type. */
function asElementName(value: unknown): unknown {
  const known = byLiterals(value);
  const symbolic = symbolicOf(known);
  return symbolic?.kind === "path" || symbolic?.kind === "text" ? refuseName(symbolic) : known;
}

const SELECTING = ["value", "defaultValue"];

/** React compares it with the value of each option. */
function asSelection(value: unknown): unknown {
  const symbolic = [value].flat().map(symbolicOf).find(Boolean);
  if (!symbolic || symbolic.kind === "choice") return value;
  return refuse(symbolic, "selects an option based on a variable", {
    hint: 'Set it on each option: `<option value="m" selected={size === "m"}>`.',
  });
}

const COUNTING = ["rowSpan", "start"];

/** React prints it only if it is a number. */
function asCount(value: unknown): unknown {
  const path = pathOf(value);
  return path && path.isOnly("number") ? new PrintedCount(path) : value;
}

class PrintedCount {
  readonly #path: AccessPath;

  constructor(path: AccessPath) {
    this.#path = path;
  }

  [Symbol.toPrimitive](hint: string): string | number {
    return hint === "number" ? 1 : tokenOf(this.#path);
  }
}

/** React accepts only a single string in a title. */
function asTitle(value: unknown): unknown {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" && everyCase(value, mayBeString) ? String(concatenate([value])) : value;
}

function knownValue(value: unknown): unknown {
  const symbolic = represented(value);
  const { facts } = rendering();
  if (symbolic?.kind === "choice") {
    const answer = facts.known(symbolic.test);
    return answer === undefined ? value : knownValue(answer ? symbolic.yes : symbolic.no);
  }
  if (symbolic?.kind === "path") {
    const present = !symbolic.mayBeMissing || facts.known(symbolic.presence);
    if (present === false) return undefined;
    if (present && symbolic.isOnly("string")) return tokenOf(located(symbolic));
    return isReference(value) ? follow(value, usedAt(symbolic, located(symbolic).site)) : value;
  }
  if (Array.isArray(value)) return value.map(knownValue);
  if (!isPlain(value)) return value;
  const known = Object.entries(value).map(([name, each]) => [name, knownValue(each)] as const);
  // An object of a package, such as a theme, is known by its identity.
  return known.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(known);
}

/** The first test that must be decided before the element can be created. */
function openTest(name: string, value: unknown, isHost: boolean, understandsSymbols: boolean): Test | undefined {
  if (name.startsWith(SPREAD)) return testIn(value);
  if (understandsSymbols) return undefined;
  if (name !== "children") return testIn(value);
  const symbolic = represented(value);
  if (isHost || !symbolic) return undefined;
  if (symbolic.kind === "choice" && everyCase(value, mayBeString)) return symbolic.test;
  return symbolic.kind === "path" && symbolic.isOnly("string") && isOpen(symbolic) ? symbolic.presence : undefined;
}

function testIn(value: unknown): Test | undefined {
  const symbolic = represented(value);
  if (symbolic?.kind === "choice") return symbolic.test;
  if (symbolic?.kind === "path") return isOpen(symbolic) ? symbolic.presence : undefined;
  if (!Array.isArray(value) && !isPlain(value)) return undefined;
  for (const each of Object.values(value)) {
    const test = testIn(each);
    if (test) return test;
  }
  return undefined;
}

function isOpen(path: AccessPath): boolean {
  return path.mayBeMissing && rendering().facts.known(path.presence) === undefined;
}

/** Components examine a string that is their only child; other children they pass on. */
function mayBeString(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic ? symbolic.kind === "path" : !isReference(value);
}
