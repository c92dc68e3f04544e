/*
 * While a template is compiled, its component is given symbolic values, and the compiler leaves this on the global
 * object. Without it, a component is rendered with real values, as by any React.
 */

const KEY = Symbol.for("lettershop.react");

/** What the compiler can do with values of which it is not known yet what they will be. */
interface Compiling {
  when(condition: unknown, yes: () => unknown, no: () => unknown): never;
  receiver(object: unknown, name: "map"): { map(callback: (item: never, index: number) => unknown): never };
  html(value: unknown): never;
}

export function compiling(): Compiling | undefined {
  const runtime: unknown = Reflect.get(globalThis, KEY);
  return typeof runtime === "function" ? runtime() : undefined;
}

/** Tells the compiler that a component can be given symbolic values. */
export function understands<Component extends object>(component: Component): Component {
  return Object.assign(component, { [KEY]: true });
}
