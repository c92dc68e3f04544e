/** Thrown while a type is read, where it says nothing that is known without a type checker. The message goes on from "because". */
export class Unreadable extends Error {
  /** Whether it is a function, which no variable can be. */
  readonly isFunction: boolean;

  constructor(reason: string, { isFunction = false }: { readonly isFunction?: boolean } = {}) {
    super(reason);
    this.isFunction = isFunction;
  }
}
