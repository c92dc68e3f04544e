import { readQuestion } from "../mustache/condition-forms.js";
import type { ConditionNames } from "../mustache/condition-names.js";
import { scan } from "../mustache/scan.js";
import { enclosingSections, tagName, scopeNames, tagsIn, token, type Tokenised, tokensIn } from "../mustache/tokens.js";
import type { EngineOutput } from "./engine.js";
import { isSelection } from "../mustache/complete.js";
import { findVariable, Scope } from "../mustache/scope.js";
import type { VariablesContract } from "../mustache/variables.js";

/** A section around a tag. */
interface OpenSection {
  /** Its name, if it opens a scope. */
  readonly entered: string | undefined;
  /** The name of the boolean for its condition. */
  readonly condition: string | undefined;
}

/**
 * Turns a body's sections with conditions into sections over booleans. This is done once all parts are inlined, when the
 * sections around each tag are known.
 *
 * @example
 * const tags = [{ text: '{{#status equals "paid"}}' }, { text: "{{/status}}" }];
 * nameConditions({ text: token(0) + token(1), tags }, names).tags; // {{#status__is_paid}}, {{/status__is_paid}}
 */
export function nameConditions<T extends Tokenised>(body: T, names: ConditionNames): T {
  const named = new Map<number, string>();
  const open: OpenSection[] = [];
  for (const { tag: number } of tokensIn(body.text)) {
    const { text = "", test } = body.tags[number] ?? {};
    const tag = scan(text).tags[0];
    if (tag?.kind === "close") {
      const condition = open.pop()?.condition;
      if (condition !== undefined && !named.has(number)) named.set(number, `{{/${condition}}}`);
    }
    if (tag?.kind !== "section" && tag?.kind !== "inverted") continue;
    const question = test ? { path: tag.name, test } : readQuestion(tag.name);
    const within = open.flatMap(({ entered }) => entered ?? []);
    const condition = question && names.nameFor({ within, ...question });
    open.push({ entered: question || tag.kind === "inverted" ? undefined : tag.name, condition });
    if (condition !== undefined && !named.has(number))
      named.set(number, `{{${tag.kind === "section" ? "#" : "^"}${condition}}}`);
  }
  if (named.size === 0) return body;
  const tags = body.tags.map((tag, number) => {
    const { test: _removed, ...others } = tag;
    const text = named.get(number);
    return text === undefined ? tag : { ...others, text };
  });
  return { ...body, tags };
}

/** The same for an engine's output: in the order of the source, as far as that is known. */
export function nameOutputConditions(output: EngineOutput, names: ConditionNames): EngineOutput {
  const { html, title = "", tags, expected = [] } = output;
  const text = expected.map(token).join("") + html + title;
  return { ...output, tags: nameConditions({ text, tags }, names).tags };
}

/** What is known about the repeating sections of a body. Sections are identified by the numbers of their opening tags. */
export interface Lists {
  /** Whether a section repeats; false if unknown. */
  readonly isList: (opening: number) => boolean;
  /** The name of the boolean that says whether a list has items; undefined if there can't be one. */
  readonly hasItems: (opening: number) => string | undefined;
  /** Whether filling adds such booleans anyway, because the HTML needs some. */
  readonly areUsed: boolean;
  /** The name of the boolean that says in a list whether an item is the last one; undefined if there can't be one. */
  readonly isLast: (opening: number) => string | undefined;
}

export function listsOf(body: Tokenised, contract: VariablesContract, names: ConditionNames): Lists {
  const booleans = new Set(names.list.flatMap(({ name, test }) => (isSelection(test) ? [] : [name])));
  const sections = enclosingSections(tagsIn(body.text), body.tags);
  const around = new Map(sections.map((section) => [section.tag, section.around]));
  const placeOf = (opening: number) => ({
    // A section over a boolean does not change what names refer to.
    within: scopeNames(around.get(opening) ?? [], body.tags).filter((name) => !booleans.has(name)),
    path: tagName(body.tags[opening]),
  });
  /** A copied list with wrapped items stands for a list with a path of its own. */
  const objectsAt = (path: string) => names.list.find(({ name, test }) => name === path && test.kind === "items");
  const variables = Scope.of(contract, { unknownHides: false });
  const shapeOf = (opening: number) => {
    const { within, path } = placeOf(opening);
    return findVariable(variables.inside(within), path)?.shape;
  };
  return {
    areUsed: names.list.some(({ test }) => test.kind !== "empty"),
    isList(opening) {
      return objectsAt(tagName(body.tags[opening])) !== undefined || shapeOf(opening)?.mayBeList === true;
    },
    hasItems(opening) {
      const place = placeOf(opening);
      // If a list is itself an item, there is no object to which a boolean could be added.
      if (place.path === ".") return undefined;
      const { within, path } = objectsAt(place.path) ?? place;
      return names.nameFor({ within, path, test: { kind: "has-items" } });
    },
    isLast(opening) {
      const { within, path } = placeOf(opening);
      const items = shapeOf(opening)?.items();
      const areObjects = objectsAt(path) !== undefined || (items?.isKnown && items.kinds.every(isObject));
      if (!areObjects) return undefined;
      return names.nameFor({ within: [...within, path], path: ".", test: { kind: "among-last", count: 1 } });
    },
  };
}

function isObject({ type }: { readonly type?: unknown }): boolean {
  return type === "object";
}
