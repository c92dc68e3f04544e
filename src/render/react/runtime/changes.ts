import { DATE, kindOfResult, LIST, shapeOfCall, shapeOfChange } from "../../../mustache/expression/results.js";
import { isAssignable, typeOf } from "../../../mustache/expression/types.js";
import { Shape } from "../../../mustache/shape.js";
import { joinParts, SpreadPart } from "./arrays.js";
import { shapeOfValue } from "./builtins.js";
import { certainShape } from "./certain-shapes.js";
import { lift } from "./choices.js";
import { compute } from "./computed.js";
import { changeExpression, mergedExpression, methodCallExpression, SpreadArgument } from "./expressions.js";
import { classOfResult } from "./result-variables.js";
import { later, provide } from "./later.js";
import { isSymbolicList } from "./list-methods.js";
import { mergeObjects } from "./member-access.js";
import { pathOf } from "./paths.js";
import { isOwn, refuse, REFUSED, rendering } from "./rendering.js";
import { lengthOf } from "./rows.js";
import { symbolicOf } from "./strings.js";
import { become, isReference, represented, restorer, type Symbolic } from "./symbolic.js";

/*
 * Changes to what the component has made: `list.push(item)`, `date.setDate(1)`, `url.search = "?a"`. A computed value never
 * changes. Instead, the object represents the result of another expression from then on, wherever it is used.
 */

/** `object.name(…args)`, if what the object is afterwards is only known when an email is filled. */
export function callChanging(object: object, name: string, args: readonly unknown[]): unknown {
  const about = symbolicAmong([object, ...args]);
  const problem = `calls .${name}() on a variable`;
  if (!mayChange(object, problem, about)) return REFUSED;
  if (isSymbolicList(object) && (name === "push" || name === "unshift")) {
    const list = new SpreadPart(object);
    const parts = args.map((each) => (each instanceof SpreadArgument ? new SpreadPart(each.value) : each));
    change(
      object,
      joinParts(name === "push" ? [list, ...parts] : [...parts, list], () => []),
    );
    return lengthOf(object, () => undefined, false);
  }
  const returnsObject = RETURNS_OBJECT[classOf(object)]?.test(name) === true;
  const shape = shapeOfCall(shapeOf(object), name);
  const hasEffect = !rendering().isMadeHere(object);
  const result = returnsObject
    ? object
    : compute({ problem, about, shape, hasEffect }, () => methodCallExpression(object, name, args));
  computeChange(object, name, args, { problem, about });
  return result;
}

const RETURNS_OBJECT: Readonly<Record<string, RegExp>> = {
  Array: /^(?:copyWithin|fill|reverse|sort)$/,
  Map: /^set$/,
  Set: /^add$/,
};

/** The object in `object.name = value`. */
export function assigned(object: unknown, isNamed: boolean): unknown {
  if (!isReference(object)) return object;
  const { site } = rendering();
  noteChange(object);
  if (refuseHeld(object)) return REFUSED;
  if (!represented(object) && !(object instanceof URL) && isNamed) return object;
  return new Proxy(object, {
    get(_target, name) {
      const symbolic = symbolicOf(name);
      return symbolic ? refuse(symbolic, "is the name of a member", { site }) : Reflect.get(object, name);
    },
    set(_target, name, value) {
      rendering().site = site;
      lift(object, (each) => isReference(each) && assign(each, String(name), value));
      return true;
    },
  });
}

function assign(object: object, name: string, value: unknown): void {
  const key = symbolicOf(name);
  const isOrdinary = !represented(object) && !(object instanceof URL);
  const about = key ?? (isOrdinary ? undefined : symbolicAmong([object, value]));
  if (!about) return void Reflect.set(object, name, value);
  const problem = key ? "gets a member whose name is a variable" : `gets a member "${name}"`;
  if (!mayChange(object, problem, about)) return;
  const type = classOf(object);
  if (type === "Object") change(object, withMember(object, { [name]: value }, { problem, about, isKnown: !key }));
  else if (name === "length" && value !== 0) refuse(about, problem, { hint: "Use .slice." });
  else if (isAssignable(type, name)) computeChange(object, name, [value], { problem, about });
  else refuse(about, problem);
}

/** `{ ...object, ...member }` */
function withMember(
  object: object,
  member: object,
  { problem, about, isKnown }: { readonly problem: string; readonly about: Symbolic; readonly isKnown: boolean },
): unknown {
  const merged = isKnown ? mergeObjects([object, member]) : undefined;
  if (represented(merged)) return merged;
  const shape = isKnown ? certainShape(merged) : Shape.UNKNOWN;
  return compute({ problem, about, shape }, () => mergedExpression(object, member));
}

/** Only what the component has made. */
function mayChange(object: object, problem: string, about: Symbolic | undefined): boolean {
  const root = urls.get(object) ?? object;
  if (refuseHeld(root)) return false;
  if (isOwn(root)) return true;
  become(root, refuse(about, problem, { hint: COPY_FIRST })); // What is done with it afterwards has the same cause.
  return false;
}

/** Refuses to change a part of a computed value, which would not change with it. */
export function refuseHeld(object: object): boolean {
  const isHeld = rendering().isHeld(urls.get(object) ?? object);
  if (isHeld) refuse(represented(object), "changes what is a part of a computed value", { hint: CHANGE_FIRST });
  return isHeld;
}

const COPY_FIRST = "Copy it first, and change the copy: [...list], new Date(date), new Map(map), { ...object }.";
const CHANGE_FIRST = "Change it before it becomes a part of another value, or change a copy.";

function computeChange(
  object: object,
  name: string,
  args: readonly unknown[],
  computing: { readonly problem: string; readonly about: Symbolic | undefined },
): void {
  const url = urls.get(object);
  const changed = url ?? object;
  const names = url ? ["searchParams", name] : [name];
  const shape = shapeOfChange(shapeOf(changed), name);
  const hasEffect = !rendering().isMadeHere(object);
  change(
    changed,
    compute({ ...computing, shape, hasEffect }, () => changeExpression(changed, names, args)),
  );
}

/** Makes an object what it is after a change. */
export function change(object: object, changed: unknown): void {
  if (!isReference(changed)) return;
  noteChange(object);
  become(object, changed);
  const parameters = searchParameters.get(object);
  if (parameters) become(parameters, readSearchParams(changed));
}

/** Notes that an object that may have existed before is changed. */
export function noteChange(object: object): void {
  rendering().recordMutation(urls.get(object) ?? object, restorerOfBoth);
}

/** The same for a URL with its search parameters. */
function restorerOfBoth(object: object): () => void {
  const parameters = searchParameters.get(object);
  const [restore, restoreParameters] = [object, parameters ?? object].map(restorer);
  return () => {
    restore?.();
    if (parameters) restoreParameters?.();
    else searchParameters.delete(object);
  };
}

/** The search parameters of URLs, and the reverse: a change to one changes the other. */
const searchParameters = new WeakMap<object, object>();
const urls = new WeakMap<object, object>();

/** `url.searchParams`, which is always the same object. */
export function searchParamsOf(url: object): object {
  const known = searchParameters.get(url);
  if (known) return known;
  const made = url instanceof URL && !represented(url) ? url.searchParams : readSearchParams(url);
  searchParameters.set(url, made);
  urls.set(made, url);
  return made;
}

function readSearchParams(url: object): object {
  const path = pathOf(url);
  const parameters = path && later("computeItem")(path, "searchParams");
  return isReference(parameters) ? parameters : REFUSED;
}

/** The built-in class of an object that the component has made. */
export function classOf(object: object): string {
  const symbolic = represented(object);
  if (!symbolic) return typeOf(object);
  const [key = ""] = symbolic.kind === "path" ? symbolic.names : [];
  const expression = rendering().computed.all.get(key)?.expression;
  return expression ? classOfResult(expression) : "Array";
}

/** The type of an object, also of an ordinary one. */
function shapeOf(object: object): Shape {
  const shape = shapeOfValue(object);
  const type = kindOfResult(shape) === "unknown" ? classOf(object) : "";
  if (type === "Date") return DATE;
  return type === "Array" || type === "Set" ? LIST : shape;
}

function symbolicAmong(values: readonly unknown[]): Symbolic | undefined {
  return values.map((each) => symbolicOf(each instanceof SpreadArgument ? each.value : each)).find(Boolean);
}

provide({ searchParamsOf });
