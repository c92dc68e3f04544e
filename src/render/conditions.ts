import { readQuestion } from "../mustache/condition-forms.js";
import type { ConditionNames } from "../mustache/condition-names.js";
import { scan } from "../mustache/scan.js";
import { token, type Tokenised, tokensIn } from "../mustache/tokens.js";
import type { EngineOutput } from "./engine.js";

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
