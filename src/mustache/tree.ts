/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Text as printed: the whitespace that a standalone tag removes is not part of any text node. */
export interface TextNode extends Span {
  readonly kind: "text";
  readonly text: string;
}

/** `{{name}}`, or with `escaped: false` `{{{name}}}` and `{{&name}}`. */
export interface VariableNode extends Span {
  readonly kind: "variable";
  readonly name: string;
  readonly escaped: boolean;
}

/** `{{#name}}…{{/name}}`, or with `inverted: true` `{{^name}}…{{/name}}`. The span is the opening tag's. */
export interface SectionNode extends Span {
  readonly kind: "section";
  readonly name: string;
  readonly inverted: boolean;
  readonly children: readonly MustacheNode[];
  /** The closing tag, if there is one. */
  readonly close?: Span;
}

/** `{{! … }}` */
export interface CommentNode extends Span {
  readonly kind: "comment";
}

/** `{{> name}}` */
export interface PartialNode extends Span {
  readonly kind: "partial";
  readonly name: string;
  /** The whitespace before a standalone tag, with which every line of the partial is indented. */
  readonly indent: string;
}

/** `{{=<% %>=}}` */
export interface DelimitersNode extends Span {
  readonly kind: "delimiters";
}

export type MustacheNode = TextNode | VariableNode | SectionNode | CommentNode | PartialNode | DelimitersNode;

/** A Mustache problem in a text, and its position. */
export interface MustacheProblem {
  /** What is wrong, in one sentence that names the tag. */
  readonly message: string;
  /** The start of the tag that the problem is about, in UTF-16 units. */
  readonly offset: number;
  /** What to do next. */
  readonly hint?: string;
}

export interface MustacheTree {
  readonly nodes: readonly MustacheNode[];
  /** Sorted by offset; empty if the text is valid Mustache. */
  readonly problems: readonly MustacheProblem[];
}
