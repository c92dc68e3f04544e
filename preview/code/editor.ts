import { codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap } from "@codemirror/commands";
import { findBar } from "./find-bar.js";
import { type CodeLanguage, languageOf } from "./language.js";
import { pointedLine } from "./marks.js";
import { replaced } from "./replaced.js";
import { codeTheme } from "./theme.js";

export interface Shown {
  readonly text: string;
  readonly language: CodeLanguage;
  readonly label: string;
  readonly isWrapped: boolean;
}

/** A read-only code view, assembled from the few editor extensions it needs: search, folding and copying. */
export class CodeReader {
  readonly view: EditorView;
  readonly #language = new Compartment();
  readonly #label = new Compartment();
  readonly #wrap = new Compartment();
  #shown: Shown;

  constructor(parent: HTMLElement, shown: Shown) {
    this.#shown = shown;
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: shown.text,
        extensions: [
          EditorState.readOnly.of(true),
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          findBar,
          keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter")]),
          pointedLine,
          codeTheme,
          this.#language.of(languageOf(shown.language)),
          this.#label.of(labelled(shown.label)),
          this.#wrap.of(wrapped(shown.isWrapped)),
        ],
      }),
    });
  }

  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    const changes = replaced(before.text, shown.text);
    this.view.dispatch({
      ...(changes && { changes }),
      effects: [
        ...(shown.language === before.language ? [] : [this.#language.reconfigure(languageOf(shown.language))]),
        ...(shown.label === before.label ? [] : [this.#label.reconfigure(labelled(shown.label))]),
        ...(shown.isWrapped === before.isWrapped ? [] : [this.#wrap.reconfigure(wrapped(shown.isWrapped))]),
      ],
    });
  }
}

function labelled(label: string): Extension {
  return EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" });
}

function wrapped(isWrapped: boolean): Extension {
  return isWrapped ? EditorView.lineWrapping : [];
}
