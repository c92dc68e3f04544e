import { lift, pick } from "./choices.js";
import { settle } from "./elements.js";
import { isOnly, maybeMissing } from "./kinds.js";
import { isCallback, mapRepeat } from "./loops.js";
import { refuse } from "./refusal.js";
import { represented, type Symbolic } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/*
 * React's functions that the project's modules call by name. Elements they create must be settled like those from JSX, and a
 * symbolic value among children that they iterate would mislead them.
 */

const watched = new Map<unknown, (native: Callable) => Callable>();

/** @param react The project's React. */
export function watchReact(react: object): void {
  watched.set(Reflect.get(react, "createElement"), creating);
  watched.set(Reflect.get(react, "cloneElement"), cloning);
  watched.set(Reflect.get(react, "isValidElement"), perCase(nullIfMissing));
  const children: unknown = Reflect.get(react, "Children");
  if (typeof children !== "object" || children === null) return;
  for (const [name, method] of Object.entries(children)) {
    watched.set(
      method,
      name === "map" ? mappingChildren : perCase(name === "toArray" ? withoutMissing : nullIfMissing),
    );
  }
}

/** What to call instead of a React function; undefined for any other function. */
export function watchedFunction(called: unknown): Callable | undefined {
  if (typeof called !== "function") return undefined;
  return watched.get(called)?.((...args) => Reflect.apply(called, undefined, args));
}

function creating(native: Callable): Callable {
  return (type, props, ...children) => settle(native(type, withoutKey(props), ...children), true);
}

function cloning(native: Callable): Callable {
  return (element, props, ...children) =>
    lift(element, (each) => {
      const symbolic = symbolicOf(each);
      if (symbolic) return refuse(symbolic, "is cloned as if it were an element");
      return settle(native(each, withoutKey(props), ...children));
    });
}

/** A key identifies an element between renderings; here there is only one rendering, and the key is often an index. */
function withoutKey(props: unknown): unknown {
  if (typeof props !== "object" || props === null || !("key" in props) || !symbolicOf(props.key)) return props;
  const { key: _key, ...others } = props;
  return others;
}

/** The result for each case of the choices among children. */
function perCase(prepare: (children: unknown) => unknown): (native: Callable) => Callable {
  return (native) =>
    (children, ...rest) =>
      liftWithin(prepare(children), (each) => {
        const list = listIn(each);
        return list ? refuse(list, PROBLEM, { hint: HINT }) : native(each, ...rest);
      });
}

/** A variable that is the only child is not a child if it is missing. */
function nullIfMissing(child: unknown): unknown {
  const path = symbolicOf(child);
  if (path?.kind !== "path" || listIn(child) || !maybeMissing(path)) return child;
  return pick({ path, question: { kind: "present" } }, child, null);
}

/** When children are converted to a list, missing ones are dropped. */
function withoutMissing(children: unknown): unknown {
  return Array.isArray(children) ? children.map(withoutMissing) : nullIfMissing(children);
}

/** A callback for each child is also applied to a symbolic item of a list. */
function mappingChildren(native: Callable): Callable {
  const mapEach = (children: unknown, work: unknown, rest: readonly unknown[], isAlone: boolean): unknown => {
    const repeat = represented(children);
    if (repeat?.kind === "repeat" && !repeat.isFlat && !mayBeArray(repeat.body) && isCallback(work)) {
      return mapRepeat(repeat, (item, index) =>
        isAlone ? work(item, index, undefined) : work(item, undefined, undefined),
      );
    }
    const list = listIn(children);
    if (!list) return native(children, work, ...rest);
    // Next to other children, the items' indexes are unknown; often they are unused.
    const ignoresIndex = isCallback(work) && work.length < 2;
    if (!Array.isArray(children) || !ignoresIndex) return refuse(list, PROBLEM, { hint: HINT });
    return children.map((child) => mapEach(listIn(child) ? child : [child], work, rest, false));
  };
  return (children, work, ...rest) => liftWithin(nullIfMissing(children), (each) => mapEach(each, work, rest, true));
}

function mayBeArray(child: unknown): boolean {
  const symbolic = represented(child);
  if (symbolic?.kind === "choice") return mayBeArray(symbolic.yes) || mayBeArray(symbolic.no);
  return Array.isArray(child) || listIn(child) !== undefined;
}

const PROBLEM = "iterates children whose number depends on a variable";
const HINT = "Pass the component a list and a function instead, or wrap the children where they are written.";

function listIn(children: unknown): Symbolic | undefined {
  if (Array.isArray(children)) return children.map(listIn).find(Boolean);
  const symbolic = represented(children);
  const isList = symbolic?.kind === "repeat" || symbolic?.kind === "sliced" || symbolic?.kind === "refused";
  return isList || (symbolic?.kind === "path" && !isOnly(symbolic, "string", "number")) ? symbolic : undefined;
}

/** Applies a function to children; if there are choices among them, to each case. */
function liftWithin(children: unknown, work: (children: unknown) => unknown): unknown {
  if (!Array.isArray(children)) return lift(children, work);
  const index = children.findIndex(hasChoice);
  if (index < 0) return work(children);
  return liftWithin(children[index], (child) => liftWithin(children.with(index, child), work));
}

function hasChoice(child: unknown): boolean {
  return Array.isArray(child) ? child.some(hasChoice) : represented(child)?.kind === "choice";
}
