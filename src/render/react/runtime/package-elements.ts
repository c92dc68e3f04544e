import { enterMoment } from "../../../process/moment.js";
import { STRING } from "../../../mustache/expression/results.js";
import type { Shape } from "../../../mustache/shape.js";
import type { HtmlLayout } from "../../../mustache/tokens.js";
import { SITE_ATTRIBUTE } from "../../../text/markup/scan.js";
import { escapeLikeReact, normalise } from "../react-html.js";
import { RUNTIME_NAME } from "../rewrite/rewriter.js";
import { computeHtml, NO_CLOCK, recorded, UNCERTAIN } from "./computed.js";
import { expressionOf } from "./expressions.js";
import { areUncertain, FIRST, layoutOf, type Sample, sampleOf } from "./package-samples.js";
import { packageUses } from "./package-uses.js";
import {
  type ConcreteValues,
  defaultsOf,
  fillIn,
  type Probes,
  probesFor,
  substituteIn,
  type SymbolicArgument,
  symbolicArgumentsIn,
  tokenized,
} from "./probes.js";
import { refuse, rendering } from "./rendering.js";
import { resultVariable } from "./result-variables.js";
import { hasSections } from "./strings.js";
import { isElement, isPlain, isReference, type ReactElement, represented, type SourceRange } from "./symbolic.js";

/** An element of a package component with variables among its properties. */
export interface PendingElement {
  readonly type: object;
  /** Contains a placeholder for each nested element, which is rendered separately. */
  readonly props: ReactElement["props"];
  readonly probes: Probes;
  /** The properties with what is known of each variable in its place. */
  readonly known: object;
  readonly site: SourceRange | undefined;
}

/** An element of a package component whose HTML is computed when an email is filled. */
export interface ComputedElement extends Pick<PendingElement, "type" | "props" | "site"> {
  /** One of its variables. */
  readonly symbolic: SymbolicArgument["symbolic"];
}

/** The package components that compute with variables, by what is known of their properties. */
export type ComputingElements = Map<object, Map<string, ElementHtml>>;

/** The layout of an element's HTML; "uncertain" if that depends on the time or on random numbers. */
type ElementHtml = HtmlLayout | "uncertain";

/** What was verified for a component, for other elements and other templates. */
const verified = new WeakMap<object, Set<string>>();

/**
 * An element of a package component, for React. The component may do anything with the variables among its properties, so it
 * is verified after rendering. Once it is known to compute with them, its HTML is a computed value.
 */
export function packageElement(element: ReactElement): ReactElement {
  const { type, props } = element;
  // A component that calls back template code is only tried as a whole.
  if (!isReference(type) || Object.values(props).some((value) => typeof value === "function")) return element;
  const whole = withWholeStrings(props);
  const own = { ...whole, children: withoutElements(whole["children"]) };
  const standIns = symbolicArgumentsIn([own]);
  if (standIns.length === 0) return element;
  const now = rendering();
  const known = withKinds(own, standIns);
  const layout = now.computing.get(type)?.get(exactly(known));
  if (layout === "uncertain") return uncertainElement(element, standIns);
  const computed = layout && computedElement({ ...element, props: whole }, type, { layout, standIns });
  if (computed) return computed;
  if (verified.get(type)?.has(roughly(known))) return element;
  const code = codeOf(type);
  if (code.includes(RUNTIME_NAME)) return element; // a component of the template, created in a function
  now.pendingElements.push({ type, props: own, probes: probesFor(standIns, code), known, site: now.site });
  return element;
}

function uncertainElement(element: ReactElement, [first]: readonly SymbolicArgument[]): ReactElement {
  if (first) refuse(first.symbolic, UNCERTAIN, { site: rendering().site, hint: NO_CLOCK });
  return { ...element, type: FRAGMENT, props: {} };
}

interface Computing {
  readonly layout: HtmlLayout;
  readonly standIns: readonly SymbolicArgument[];
}

/** Strings with sections, such as a list's items joined, each as one variable: so the component can be tried with others. */
function withWholeStrings<T>(value: T): T;
function withWholeStrings(value: unknown): unknown {
  if (typeof value === "string") return hasSections(value) ? wholeString(value) : value;
  if (represented(value) || !(Array.isArray(value) || isPlain(value))) return value;
  const changed = Object.entries(value).flatMap(([name, each]) => {
    const whole = withWholeStrings(each);
    return whole === each ? [] : [[name, whole] as const];
  });
  if (changed.length === 0) return value;
  return Object.assign(Array.isArray(value) ? [...value] : { ...value }, Object.fromEntries(changed));
}

function wholeString(text: string): unknown {
  const expression = recorded(() => expressionOf(text));
  return expression ? resultVariable(expression, { problem: PROBLEM, shape: STRING, site: rendering().site }) : text;
}

/** A fragment that prints the computed HTML; undefined if it can't be computed, for example from other elements. */
function computedElement(element: ReactElement, type: object, { layout, standIns }: Computing) {
  const { [SITE_ATTRIBUTE]: _place, ...props } = element.props;
  const [first] = standIns;
  const component = packageUses().find(type);
  if (!first || !component || !packageUses().isRepeatable(component)) return undefined;
  const html = computeHtml(component, props, { problem: PROBLEM, layout });
  if (html === undefined) return undefined;
  const { computedElements, elementRound, site } = rendering();
  const isReal = elementRound !== undefined;
  const real = isReal ? realValues(probesFor(standIns, codeOf(type)), elementRound) : new Map<string, unknown>();
  const used = isReal ? substituteIn(props, real) : props;
  const number = computedElements.push({ type, props: used, symbolic: first.symbolic, site }) - 1;
  const mark = markOf(number);
  const children = isReal ? [mark, { ...element, key: "", props: used }, mark] : html;
  return { ...element, type: FRAGMENT, props: { children } };
}

const PROBLEM = "is a package component that computes with a variable";

const FRAGMENT = Symbol.for("react.fragment");

/** How often computed elements are rendered in their places with real values. */
export const ELEMENT_ROUNDS = 4;

/** Every third value, so that few rounds have values of different sorts. */
function realValues(probes: Probes, round: number): ConcreteValues {
  return new Map(Array.from(probes, ([{ key }, values]) => [key, values[(round * 3) % values.length]]));
}

/** Where an element begins and ends in a document with real values. */
function markOf(number: number): string {
  return `\uE002${number}\uE003`;
}

function withoutElements(value: unknown): unknown {
  if (isElement(value)) return { ...value, type: "i", props: {} };
  if (Array.isArray(value)) return value.map(withoutElements);
  const symbolic = represented(value);
  return symbolic && symbolic.kind !== "path" ? null : value;
}

/** The component's function, including that in `memo(…)` and `forwardRef(…)`. */
function codeOf(type: object): string {
  if (typeof type === "function") return Function.prototype.toString.call(type);
  const inner: unknown = Reflect.get(type, "type") ?? Reflect.get(type, "render");
  return isReference(inner) ? codeOf(inner) : "";
}

function withKinds(props: ReactElement["props"], standIns: readonly SymbolicArgument[]): object {
  const { facts } = rendering();
  const kinds = standIns.map(({ symbolic, key }): [string, string] => {
    const path = symbolic.kind === "path" ? symbolic : undefined;
    const what = path ? [path.optional, kindsIn(path.shape)] : [symbolic.kind, "offset" in symbolic && symbolic.offset];
    const about = symbolic.kind === "length" ? symbolic.of : path;
    return [key, `\uE000${JSON.stringify([what, about && facts.about(about)])}`];
  });
  return substituteIn(props, new Map(kinds));
}

function kindsIn(shape: Shape): string {
  const known = kindsOfShapes.get(shape) ?? JSON.stringify(shape.kinds);
  kindsOfShapes.set(shape, known);
  return known;
}

const kindsOfShapes = new WeakMap<Shape, string>();

/** The same for elements that a component usually treats the same way. */
function roughly(known: object): string {
  return JSON.stringify(outline(known));
}

/** The same only for equal properties. */
function exactly(known: object): string {
  return JSON.stringify(known, (_name, value: unknown) => {
    if (represented(value)) return ""; // the key of an element
    return typeof value === "bigint" ? `${value}n` : value;
  });
}

/** Values without what differs between elements: of a string, only whether it contains a variable. */
function outline(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\uE000") ? value.slice(value.indexOf("\uE000")) : "text";
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(outline(each))))].sort();
  return isPlain(value) ? Object.entries(value).map(([name, each]) => [name, outline(each)]) : typeof value;
}

type Render = (type: object, props: object) => Promise<string>;

/** Renders as when an email is filled; undefined if that throws. */
type RenderAlone = (type: object, props: object) => string | undefined;

/**
 * Renders the noted elements with their variables and with real values. If a real result differs from the filled-in token,
 * the component computes with the variable, which is refused.
 *
 * @returns Whether components were found to compute of which this was not known: if the document is rendered again, their HTML
 * may be computed instead.
 */
export async function verifyElements(render: Render, renderAlone: RenderAlone): Promise<boolean> {
  const now = rendering();
  const refused = new Set(now.findings.map(({ variable }) => variable?.names.join(".")));
  const isRefusedVariable = ({ symbolic }: SymbolicArgument): boolean =>
    symbolic.kind === "path" && refused.has(symbolic.names.join("."));
  const outcomes = new Map<object, Map<string, boolean>>();
  let hasNew = false;
  for (const watched of now.pendingElements.splice(0)) {
    const { type, site } = watched;
    const likeness = roughly(watched.known);
    const known = outcomes.get(type) ?? new Map<string, boolean>();
    outcomes.set(type, known);
    if (known.get(likeness)) continue;
    const found = await computedIn(watched, render);
    const isRefused = [...watched.probes.keys()].some(isRefusedVariable);
    const isUncertain = (found !== undefined || isRefused) && areUncertain(samplesOf(watched, renderAlone));
    known.set(likeness, !found && !isUncertain);
    if (isUncertain) hasNew = noteComputing(watched, "uncertain") || hasNew;
    if (!found && isUncertain) continue;
    if (!found) {
      verified.set(type, (verified.get(type) ?? new Set()).add(likeness));
      continue;
    }
    if (!isUncertain) hasNew = noteComputing(watched, layoutOf(found.html)) || hasNew;
    // What was found during its rendering is more precise.
    if (isRefusedVariable(found.standIn)) continue;
    refuse(found.standIn.symbolic, PROBLEM, {
      site,
      hint: `Print the variable outside ${nameOfType(type)}, use an HTML element instead, or compute what it prints in derive (variables.ts).`,
    });
  }
  return hasNew;
}

/** @returns Whether that was not known. */
function noteComputing({ type, known }: PendingElement, layout: ElementHtml): boolean {
  const { computing } = rendering();
  const layouts = computing.get(type) ?? new Map<string, ElementHtml>();
  computing.set(type, layouts);
  const before = layouts.size;
  return layouts.set(exactly(known), layout).size > before;
}

interface ComputingVariable {
  readonly standIn: SymbolicArgument;
  /** What the component renders for one of its values. */
  readonly html: string;
}

/** The variable that a component computes with, preferably one with which it does so for some values only. */
async function computedIn(
  { type, props, probes }: PendingElement,
  render: Render,
): Promise<ComputingVariable | undefined> {
  const attempt = async (variant: object): Promise<string | undefined> => {
    const leave = enterMoment(FIRST);
    return render(type, variant)
      .catch(() => undefined)
      .finally(leave);
  };
  const withStrings = tokenized(props);
  const html = await attempt(withStrings);
  // If the output differs each time, or depends on where it is rendered, the component is only tried as a whole.
  if (html !== (await attempt(withStrings))) return undefined;
  const usual = defaultsOf(probes);
  let always: ComputingVariable | undefined;
  for (const [standIn, values] of probes) {
    const differing: string[] = [];
    for (const value of values) {
      const real = new Map([...usual, [standIn.key, value]]);
      const rendered = await attempt(substituteIn(props, real));
      // It may need the value of a variable to be rendered at all.
      const expected = html === undefined ? undefined : normalise(fillIn(html, real, escapeLikeReact));
      if (rendered !== undefined && normalise(rendered) !== expected) differing.push(rendered);
    }
    const [first] = differing;
    if (first === undefined) continue;
    if (differing.length < values.length) return { standIn, html: first };
    always ??= { standIn, html: first };
  }
  return always;
}

function samplesOf({ type, props, probes }: PendingElement, render: RenderAlone): readonly Sample[] {
  const usual = defaultsOf(probes);
  return [...probes].flatMap(([{ key }, values]) =>
    values.flatMap((value) => {
      const real = substituteIn(props, new Map([...usual, [key, value]]));
      return sampleOf(() => render(type, real));
    }),
  );
}

/**
 * Refuses elements that are rendered differently in their places, because of a context, or of class names for which a package
 * generates styles. When an email is filled, a component only has its properties.
 *
 * @param html A document with real values.
 * @param elements The computed elements in it.
 */
export function refuseMisplaced(html: string, elements: readonly ComputedElement[], render: RenderAlone): void {
  for (const [number, { type, props, symbolic, site }] of elements.entries()) {
    const [, inPlace] = html.split(markOf(number));
    if (inPlace === undefined || inPlace === render(type, props)) continue;
    const name = nameOfType(type);
    refuse(symbolic, `is computed by ${name}, whose output also depends on the components around it`, {
      site,
      hint: `Set the styles of ${name} by its own properties rather than by class names or a context, or compute its HTML in derive (variables.ts).`,
    });
  }
}

function nameOfType(type: object): string {
  const name: unknown = Reflect.get(type, "displayName") ?? Reflect.get(type, "name");
  const inner: unknown = Reflect.get(type, "type") ?? Reflect.get(type, "render");
  if (typeof name === "string" && name !== "") return `<${name}>`;
  return isReference(inner) ? nameOfType(inner) : "it";
}
