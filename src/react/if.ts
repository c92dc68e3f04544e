import type { ReactNode } from "react";
import { compiling, understands } from "./compiling.js";

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
