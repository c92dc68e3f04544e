/** Thrown while a type is read, if it can't be determined without a type checker. The message continues after "because". */
export class Unreadable extends Error {
  /** Whether it is a function, which a variable can't be. */
  readonly isFunction: boolean;

  constructor(reason: string, { isFunction = false }: { readonly isFunction?: boolean } = {}) {
    super(reason);
    this.isFunction = isFunction;
  }
}
