import type { Shape } from "../../../mustache/shape.js";
import { normalise } from "../normalise.js";
import { escaped } from "./held.js";
import { RUNTIME_NAME } from "./key.js";
import { type Probes, probesOfAll, usualOf } from "./probes.js";
import { type Element, isElement, isPlain } from "./react-values.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { asTexts, fillIn, replaceIn, type StandIn, standInsIn } from "./stand-ins.js";
import { isObject, represented, type Site } from "./symbolic.js";

/** An element of a package's component that is given variables. */
export interface Watched {
  readonly type: object;
  /** With a placeholder for each element among them: those are rendered by themselves. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly probes: Probes;
  /** The same for elements in which a component does the same. */
  readonly likeness: string;
  readonly site: Site | undefined;
}

/** What was verified of a component, for other elements and other templates. */
const verified = new WeakMap<object, Set<string>>();

/** Notes an element of a package's component, which may do anything with the variables among its properties. */
export function watchElement({ type, props }: Element): void {
  // What calls back the template's own code is tried as a whole only.
  if (!isObject(type) || Object.values(props).some((value) => typeof value === "function")) return;
  const own = { ...props, children: withoutElements(props["children"]) };
  const standIns = standInsIn([own]);
  if (standIns.length === 0) return;
  const likeness = likenessOf(own, standIns);
  if (verified.get(type)?.has(likeness)) return;
  const code = codeOf(type);
  if (code.includes(RUNTIME_NAME)) return; // one of the template's own, made in a function
  const probes = probesOfAll(standIns, code);
  const now = rendering();
  now.watched.push({ type, props: own, probes, likeness, site: now.site });
}

function withoutElements(value: unknown): unknown {
  if (isElement(value)) return { ...value, type: "i", props: {} };
  if (Array.isArray(value)) return value.map(withoutElements);
  const symbolic = represented(value);
  return symbolic && symbolic.kind !== "path" ? null : value;
}

/** The component's function, within `memo(…)` and `forwardRef(…)` too. */
function codeOf(type: object): string {
  if (typeof type === "function") return Function.prototype.toString.call(type);
  const inner: unknown = Reflect.get(type, "type") ?? Reflect.get(type, "render");
  return isObject(inner) ? codeOf(inner) : "";
}

function likenessOf(props: Watched["props"], standIns: readonly StandIn[]): string {
  const { facts } = rendering();
  const kinds = standIns.map(({ symbolic, key }): [string, string] => {
    const path = symbolic.kind === "path" ? symbolic : undefined;
    const what = path ? [path.optional, kindsIn(path.shape)] : [symbolic.kind, "offset" in symbolic && symbolic.offset];
    const about = symbolic.kind === "length" ? symbolic.of : path;
    return [key, `\uE000${JSON.stringify([what, about && facts.about(about)])}`];
  });
  return JSON.stringify(outline(replaceIn(props, new Map(kinds))));
}

function kindsIn(shape: Shape): string {
  const known = kindsOfShapes.get(shape) ?? JSON.stringify(shape.kinds);
  kindsOfShapes.set(shape, known);
  return known;
}

const kindsOfShapes = new WeakMap<Shape, string>();

/** Values without what differs from element to element: of a text only whether there is a variable in it. */
function outline(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\uE000") ? value.slice(value.indexOf("\uE000")) : "text";
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(outline(each))))].sort();
  return isPlain(value) ? Object.entries(value).map(([name, each]) => [name, outline(each)]) : typeof value;
}

/**
 * Renders the elements that were noted, with their variables and with real values: where one of them gives something else
 * than the tag filled in, the component computes with the variable, which is refused.
 */
export async function verifyElements(render: (type: object, props: object) => Promise<string>): Promise<void> {
  const now = rendering();
  const refused = new Set(now.findings.map(({ variable }) => variable?.names.join(".")));
  const outcomes = new Map<object, Map<string, boolean>>();
  for (const watched of now.watched.splice(0)) {
    const { type, likeness } = watched;
    const known = outcomes.get(type) ?? new Map<string, boolean>();
    outcomes.set(type, known);
    if (known.get(likeness)) continue;
    const standIn = await computedIn(watched, render);
    known.set(likeness, standIn === undefined);
    if (!standIn) {
      verified.set(type, (verified.get(type) ?? new Set()).add(likeness));
      continue;
    }
    // What was seen of it while it was rendered says more.
    if (standIn.symbolic.kind === "path" && refused.has(standIn.symbolic.names.join("."))) continue;
    const name = nameOfType(type);
    refuse(standIn.symbolic, "is a package's component that computes with a variable", {
      site: watched.site,
      hint: `Print the variable outside of ${name}, use an HTML element in its place, or compute what it prints in derive (variables.ts).`,
    });
  }
}

/** The variable that a component computes with; one that it does so with for some values only, if there is one. */
async function computedIn(
  { type, props, probes }: Watched,
  render: (type: object, props: object) => Promise<string>,
): Promise<StandIn | undefined> {
  const attempt = (given: object): Promise<string | undefined> => render(type, given).catch(() => undefined);
  const given = asTexts(props);
  const html = await attempt(given);
  // What differs each time, or renders in its place only, is tried as a whole.
  if (html === undefined || html !== (await attempt(given))) return undefined;
  const usual = usualOf(probes);
  let always: StandIn | undefined;
  for (const [standIn, values] of probes) {
    let differing = 0;
    for (const value of values) {
      const real = new Map([...usual, [standIn.key, value]]);
      const expected = normalise(fillIn(html, real, escaped));
      const rendered = await attempt(replaceIn(props, real));
      if (rendered !== undefined && normalise(rendered) !== expected) differing += 1;
    }
    if (differing > 0 && differing < values.length) return standIn;
    if (differing > 0) always ??= standIn;
  }
  return always;
}

function nameOfType(type: object): string {
  const name: unknown = Reflect.get(type, "displayName") ?? Reflect.get(type, "name");
  const inner: unknown = Reflect.get(type, "type") ?? Reflect.get(type, "render");
  if (typeof name === "string" && name !== "") return `<${name}>`;
  return isObject(inner) ? nameOfType(inner) : "it";
}
