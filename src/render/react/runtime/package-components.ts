import type { Shape } from "../../../mustache/shape.js";
import { normalise } from "../normalise.js";
import { escaped } from "./held.js";
import { RUNTIME_NAME } from "./key.js";
import { type Probes, probesOfAll, usualOf } from "./probes.js";
import { type Element, isElement, isPlain } from "./react-values.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { asStrings, fillIn, replaceIn, type StandIn, standInsIn } from "./stand-ins.js";
import { isObject, represented, type Site } from "./symbolic.js";

/** An element of a package component with variables among its properties. */
export interface Watched {
  readonly type: object;
  /** Contains a placeholder for each nested element, which is rendered separately. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly probes: Probes;
  /** The same for elements that a component treats the same way. */
  readonly likeness: string;
  readonly site: Site | undefined;
}

/** What was verified for a component, for other elements and other templates. */
const verified = new WeakMap<object, Set<string>>();

/** Notes an element of a package component, which may do anything with the variables among its properties. */
export function watchElement({ type, props }: Element): void {
  // A component that calls back template code is only tried as a whole.
  if (!isObject(type) || Object.values(props).some((value) => typeof value === "function")) return;
  const own = { ...props, children: withoutElements(props["children"]) };
  const standIns = standInsIn([own]);
  if (standIns.length === 0) return;
  const likeness = likenessOf(own, standIns);
  if (verified.get(type)?.has(likeness)) return;
  const code = codeOf(type);
  if (code.includes(RUNTIME_NAME)) return; // a component of the template, created in a function
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

/** The component's function, including that in `memo(…)` and `forwardRef(…)`. */
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

/** Values without what differs between elements: of a string, only whether it contains a variable. */
function outline(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\uE000") ? value.slice(value.indexOf("\uE000")) : "text";
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(outline(each))))].sort();
  return isPlain(value) ? Object.entries(value).map(([name, each]) => [name, outline(each)]) : typeof value;
}

/**
 * Renders the noted elements with their variables and with real values. If a real result differs from the filled-in token,
 * the component computes with the variable, which is refused.
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
    // What was found during its rendering is more precise.
    if (standIn.symbolic.kind === "path" && refused.has(standIn.symbolic.names.join("."))) continue;
    const name = nameOfType(type);
    refuse(standIn.symbolic, "is a package component that computes with a variable", {
      site: watched.site,
      hint: `Print the variable outside ${name}, use an HTML element instead, or compute what it prints in derive (variables.ts).`,
    });
  }
}

/** The variable that a component computes with, preferably one with which it does so for some values only. */
async function computedIn(
  { type, props, probes }: Watched,
  render: (type: object, props: object) => Promise<string>,
): Promise<StandIn | undefined> {
  const attempt = (variant: object): Promise<string | undefined> => render(type, variant).catch(() => undefined);
  const withStrings = asStrings(props);
  const html = await attempt(withStrings);
  // If the output differs each time, or depends on where it is rendered, the component is only tried as a whole.
  if (html === undefined || html !== (await attempt(withStrings))) return undefined;
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
