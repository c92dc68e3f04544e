import type { Severity } from "../diagnostic.js";
import type { Rule } from "./rule.js";

/** What an id stands for. */
export type RuleInfo = Pick<Rule, "id" | "summary" | "severity">;

/** What is found while templates are loaded, compiled and compiled again, with what it usually is and the words of its page. */
const OTHERS: Readonly<Record<string, readonly [usually: Severity, summary: string]>> = {
  "asset-missing": ["error", "An image of an `_assets` folder is not there."],
  "compile-failed": ["error", "The template could not be compiled."],
  "environment-read": [
    "warning",
    "A component's body depends on an environment variable that is read while it is compiled.",
  ],
  "fixture-json": ["error", "A fixture is not JSON."],
  "fixture-kinds": [
    "error",
    "A variable is of one kind in one fixture, and of another in another: a list and an object, a number and a text.",
  ],
  "fixture-object": ["error", "A fixture is not an object."],
  "fixture-schema": [
    "error",
    "A fixture does not fit the template's schema or its component's type, or has a name that these do not have.",
  ],
  "inline-styles": [
    "error",
    'The CSS of `<style data-inline>` or `<mj-style inline="inline">` can\'t be put into style attributes, because what it matches, or what it says, is decided only when the template is filled.',
  ],
  "markup-lost": ["error", "Something is written in html or MJML that would be dropped without a word."],
  "markup-unbalanced": ["error", "An element is not closed, or a section leaves the elements around it changed."],
  "markup-unclosed": ["error", "A tag, a comment or the quote of an attribute is never closed."],
  "metadata-json": ["error", "`template.json` is not JSON."],
  "metadata-unknown-key": ["error", "`template.json` has a key that is not known."],
  "metadata-value": ["error", "A value in `template.json` is not of the type that its key takes."],
  "mjml-attribute-tag": ["error", "A Mustache tag is in an attribute whose value MJML needs while compiling."],
  "mjml-attribute-value": [
    "warning",
    "An attribute's value is not of the type that MJML expects, a mj-class is not defined, or a hero of fluid height lacks the size of its picture.",
  ],
  "mjml-column-width": [
    "warning",
    "A `<mj-column>` without a width stands in a section of Mustache, the columns of a row are wider than it, or a body has a width that fits no screen.",
  ],
  "mjml-lost-text": ["error", "Text or a tag stands directly in an element that holds elements."],
  "mjml-section": [
    "error",
    "A section begins in one element and ends in another, or stands around what MJML moves or takes apart.",
  ],
  "mjml-structure": ["error", "The document's structure is not MJML's."],
  "mjml-unclosed": ["error", "An MJML element is never closed."],
  "mjml-unknown-attribute": ["error", "The element has no attribute of this name."],
  "mjml-unknown-element": ["error", "MJML has no element of this name."],
  module: ["error", "A module of the project can't be loaded."],
  "mustache-name": ["error", "A tag's name is not a dotted name or `.`."],
  "mustache-syntax": ["error", "A tag is not Mustache."],
  "not-reproducible": ["error", "Compiling the same files twice gives different bodies."],
  "output-residue": ["error", "A compiled body holds what only a mistake leaves there."],
  "part-cycle": ["error", "Files include each other in a circle."],
  "part-missing": ["error", "An include or a partial names a file that is not there, or is no text file."],
  "part-outside": ["error", "An include or a partial leads out of the templates root."],
  "react-component": ["error", "The component can't be rendered."],
  "react-fixture": ["error", "A React template has variables and no fixture."],
  "react-oracle": [
    "error",
    "With an example's values, or with these and longer lists, React renders something else than the compiled body filled with them.",
  ],
  "react-preview-props": ["error", "`PreviewProps` can't be used as a fixture."],
  "react-literal-tag": [
    "warning",
    "A text in JSX becomes a Mustache tag, of a variable that neither a fixture nor the type has.",
  ],
  "react-undefined": [
    "error",
    'A text that is made of a variable comes to the word "undefined", or "null", where the variable is not there.',
  ],
  "react-unsupported": ["error", "The component does with a variable what Mustache can't do."],
  "rule-failed": ["error", "A rule could not be run to its end."],
  "tag-lost": ["error", "A tag of the source is not in the compiled html."],
  "tag-moved": [
    "error",
    "A tag came to stand in other sections than it was written in, for example a colour of `mj-attributes` in a loop whose items have a variable of the same name.",
  ],
  "template-duplicate": ["error", "Two templates have the same name, in two roots or as a folder and as a file."],
  "template-file": ["error", "A file of a template can't be read as text."],
  "template-flat": [
    "warning",
    "A file lies beside a template that is a single file, and is named as if it belonged to it.",
  ],
  "template-link": ["error", "A link leads out of the templates root, or nowhere."],
  "template-name": ["error", "A template's name is not one that the service takes."],
  "template-no-body": ["error", "A folder in the templates root has no body."],
  "template-two-bodies": ["error", "A template has more than one body."],
  "templates-root": ["error", "A templates folder that the configuration names does not exist."],
  "text-tag-lost": [
    "error",
    "A tag that the html shows is missing in the derived text body, or in other sections there.",
  ],
  "time-in-body": ["warning", "A body holds the time at which it was built."],
  "too-long": ["error", "A field has more characters than the service takes."],
  "unknown-variable": [
    "error",
    "A tag uses a variable that is not in the schema, or prints a list or an object as a whole.",
  ],
  "unused-silence": [
    "warning",
    "A `lettershop-ignore` comment silences nothing, or an override of the configuration is for no template.",
  ],
  "variables-derive": ["error", "`derive` threw, or gave something that can't be filled in."],
  "variables-module": ["error", "`variables.ts` can't be loaded, or does not export what it should."],
  "variables-schema": ["error", "The default export of `variables.ts` is not an object schema of zod 4."],
};

/**
 * Every id that a diagnostic of `check` can have.
 *
 * @example
 * catalogue([...RULES, ...custom]).map(({ id }) => id); // ["asset-missing", …, "variables-schema"]
 */
export function catalogue(rules: readonly RuleInfo[]): RuleInfo[] {
  const others = Object.entries(OTHERS).map(([id, [severity, summary]]): RuleInfo => ({ id, summary, severity }));
  return [...rules, ...others].toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}
