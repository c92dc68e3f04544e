import type { ReactNode } from "react";

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

function compiling(): Compiling | undefined {
  const runtime: unknown = Reflect.get(globalThis, KEY);
  return typeof runtime === "function" ? runtime() : undefined;
}

/** Marks a component as able to receive symbolic values. */
function understands<Component extends object>(component: Component): Component {
  return Object.assign(component, { [KEY]: true });
}

export interface IfProps {
  /** Any value, tested as in JavaScript: an empty list is true, an empty string and 0 are false. */
  readonly test: unknown;
  readonly children?: ReactNode;
  /** What to show otherwise. Default: nothing. */
  readonly otherwise?: ReactNode;
}

/**
 * Shows its children if a value is truthy: `{test && …}` as an element. Unlike `&&`, it never prints a 0.
 *
 * @example
 * <If test={order.note} otherwise={<Text>No note.</Text>}>
 *   <Text>{order.note}</Text>
 * </If>
 */
export const If = understands(({ test, children, otherwise }: IfProps): ReactNode => choose(test, children, otherwise));

/**
 * Shows its children unless a value is truthy.
 *
 * @example
 * <Unless test={order.paid}>
 *   <Button href={order.paymentUrl}>Pay now</Button>
 * </Unless>
 */
export const Unless = understands(({ test, children, otherwise }: IfProps): ReactNode =>
  choose(test, otherwise, children),
);

function choose(test: unknown, yes: ReactNode, no: ReactNode): ReactNode {
  return (
    compiling()?.when(
      test,
      () => yes,
      () => no,
    ) ?? (test ? yes : no)
  );
}

export interface EachProps<Item> {
  /** An absent list shows nothing. */
  readonly of: readonly Item[] | null | undefined;
  /** What to show for an item; use the index only as a key. */
  readonly children: (item: Item, index: number) => ReactNode;
}

/**
 * Shows something for each item of a list: `.map` as an element.
 *
 * @example
 * <Each of={order.items}>{(item) => <LineItem name={item.name} price={item.price} />}</Each>
 */
export const Each = understands(<Item>({ of, children }: EachProps<Item>): ReactNode => {
  if (of === null || of === undefined) return null;
  return compiling()?.receiver(of, "map").map(children) ?? of.map((item, index) => children(item, index));
});

/** React's value for an element's inner HTML. */
export interface RawHtml {
  readonly __html: string;
}

/**
 * HTML that is printed unchanged, `{{{body}}}` when compiled. Nothing is escaped: pass only HTML that you have created or
 * sanitised yourself.
 *
 * @example
 * <div dangerouslySetInnerHTML={raw(article.bodyHtml)} />
 */
export function raw(html: string): RawHtml {
  return { __html: compiling()?.html(html) ?? html };
}
