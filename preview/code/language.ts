import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import type { Extension } from "@codemirror/state";
import type { SourceText } from "../../src/preview/contract.js";
import { mustacheTags } from "./mustache-tags.js";

export type CodeLanguage = SourceText["language"] | "mustache";

const marked = () => [html({ matchClosingTags: false, autoCloseTags: false, selfClosingTags: true }), mustacheTags];

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = {
  html: marked,
  mjml: marked,
  mustache: marked,
  tsx: () => javascript({ jsx: true, typescript: true }),
  ts: () => javascript({ typescript: true }),
  json: () => [json(), mustacheTags],
  text: () => mustacheTags,
  css: () => [],
};

export function languageOf(language: CodeLanguage): Extension {
  return LANGUAGES[language]();
}
