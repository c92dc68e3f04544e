/** Why mail clients don't take what is written, and what was meant. */
export interface Mistake {
  readonly message: string;
  readonly hint?: string;
}

/** One in a text that holds several. */
export interface MistakeAt extends Mistake {
  readonly offset: number;
}
