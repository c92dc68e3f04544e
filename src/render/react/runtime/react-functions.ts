import { settle } from "./elements.js";
import { refuse } from "./refusal.js";
import { represented, type Symbolic } from "./symbolic.js";

/*
 * React's own functions, where own modules call them by name. They make elements that must be settled like those of JSX,
 * and go through children, which a symbolic value among them would mislead.
 */

type Callable = (...given: unknown[]) => unknown;

const watched = new Map<unknown, (native: Callable) => Callable>();

/** @param react The project's own. */
export function watchReact(react: object): void {
  for (const name of ["createElement", "cloneElement"]) watched.set(Reflect.get(react, name), settling);
  const children: unknown = Reflect.get(react, "Children");
  if (typeof children !== "object" || children === null) return;
  for (const method of Object.values(children)) watched.set(method, countingChildren);
}

/** What to call in the place of a function of React's; undefined for any other function. */
export function watchedFunction(called: unknown): Callable | undefined {
  if (typeof called !== "function") return undefined;
  return watched.get(called)?.((...given) => Reflect.apply(called, undefined, given));
}

function settling(native: Callable): Callable {
  return (...given) => settle(native(...given));
}

function countingChildren(native: Callable): Callable {
  return (children, ...rest) => {
    const found = sectionIn(children);
    return found ? refuse(found, PROBLEM, { hint: HINT }) : native(children, ...rest);
  };
}

const PROBLEM = "goes through children of which a variable decides how many there are";
const HINT = "Give the component a list and a function instead, or wrap the children where they are written.";

function sectionIn(children: unknown): Symbolic | undefined {
  if (Array.isArray(children)) return children.map(sectionIn).find(Boolean);
  const symbolic = represented(children);
  return symbolic?.kind === "choice" || symbolic?.kind === "repeat" ? symbolic : undefined;
}
