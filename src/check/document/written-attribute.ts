/** An attribute as it stands in a source, and where. */
export interface WrittenAttribute {
  readonly name: string;
  readonly start: number;
  /** Without its quotes or braces; empty where there is none. */
  readonly value: string;
  readonly valueStart: number;
  /** Whether the value is a JavaScript expression in braces. */
  readonly isExpression: boolean;
}

/** An open tag as it stands in a source. */
export interface WrittenTag {
  readonly name: string;
  readonly attributes: readonly WrittenAttribute[];
  readonly selfClosing: boolean;
  /** After its `>`. */
  readonly end: number;
}
