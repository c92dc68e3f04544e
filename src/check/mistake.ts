/** Why mail clients reject what is written, and what was probably meant. */
export interface Mistake {
  readonly message: string;
  readonly hint?: string;
}

/** A mistake with its position in a text. */
export interface MistakeAt extends Mistake {
  readonly offset: number;
}
