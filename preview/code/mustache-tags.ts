import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const CLASSES: Readonly<Record<string, string>> = {
  "#": "section",
  "^": "section",
  "/": "section",
  "{": "raw",
  "&": "raw",
};

const decorator = new MatchDecorator({
  regexp: /\{\{\s*([#^/&{!]?)[^{}]*\}?\}\}/g,
  decoration: ([, sigil = ""]) => Decoration.mark({ class: `cm-mustache cm-mustache-${CLASSES[sigil] ?? "variable"}` }),
});

/** Highlights Mustache tags in the visible part of the HTML. */
export const mustacheTags = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = decorator.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
