/*
 * While a template is compiled, its component receives symbolic values, and the compiler sets this on the global object.
 * Without it, a component is rendered with real values, as in any React application.
 */

const KEY = Symbol.for("lettershop.react");

/** Operations of the compiler on symbolic values. */
interface Compiling {
  when(condition: unknown, yes: () => unknown, no: () => unknown): never;
  receiver(object: unknown, name: "map"): { map(callback: (item: never, index: number) => unknown): never };
  html(value: unknown): never;
}

export function compiling(): Compiling | undefined {
  const runtime: unknown = Reflect.get(globalThis, KEY);
  return typeof runtime === "function" ? runtime() : undefined;
}

/** Marks a component as able to receive symbolic values. */
export function understands<Component extends object>(component: Component): Component {
  return Object.assign(component, { [KEY]: true });
}
