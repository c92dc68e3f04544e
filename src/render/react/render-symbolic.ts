import type { Shape } from "../../mustache/shape.js";
import { documentTest } from "./document/split.js";
import { BrokenTokens, readParts, type Part } from "./document/tree.js";
import { elementOf, renderHtml, withoutDoctype, type ReactLibrary } from "./render-html.js";
import type { Fact } from "./runtime/facts.js";
import { rootValue } from "./runtime/paths.js";
import { startRendering, type Finding } from "./runtime/rendering.js";
import type { Test } from "./runtime/symbolic.js";
import { concatenate } from "./runtime/texts.js";

/** What came of rendering with symbolic values. */
export interface Rendered {
  readonly parts: readonly Part[];
  readonly findings: readonly Finding[];
}

/** What is known of the variables: `sure` by a schema, else only by examples. */
export interface SymbolicVariables {
  readonly shape: Shape;
  readonly sure: boolean;
}

/** As many documents as are rendered for choices that stand around or in the head of the document. */
const MOST_DOCUMENTS = 16;

/** Renders a component with symbolic variables. */
export async function renderSymbolic(
  component: unknown,
  variables: SymbolicVariables,
  react: ReactLibrary,
): Promise<Rendered> {
  let documents = 0;

  async function renderWith(facts: readonly Fact[]): Promise<Rendered> {
    documents += 1;
    const now = startRendering(facts);
    const splitOn = async (test: Test): Promise<Rendered> => {
      const yes = await renderWith([...facts, { test, answer: true }]);
      const no = await renderWith([...facts, { test, answer: false }]);
      return {
        parts: [{ kind: "alternative", test, yes: yes.parts, no: no.parts }],
        findings: [...yes.findings, ...no.findings],
      };
    };
    try {
      const html = await renderHtml(elementOf(component, rootValue(variables.shape, variables.sure), react), react);
      const parts = readParts(withoutDoctype(decodeTokens(html)), now.tokens);
      const test = now.findings.length === 0 && documents < MOST_DOCUMENTS ? documentTest(parts) : undefined;
      return test ? await splitOn(test) : { parts, findings: now.findings };
    } catch (error) {
      const test = now.firstChoice;
      if (isSecondDocument(error) && test && !test.path.loop && documents < MOST_DOCUMENTS) return splitOn(test);
      if (error instanceof BrokenTokens) now.report({ problem: BROKEN });
      if (now.findings.length === 0) throw error;
      return { parts: [], findings: now.findings };
    }
  }

  return renderWith([]);
}

/** What a component exports beside itself: a text, or a function of the variables that gives one. */
export function textSymbolic(text: unknown, { shape, sure }: SymbolicVariables): Rendered {
  const now = startRendering([]);
  const value = concatenate([typeof text === "function" ? text(rootValue(shape, sure)) : text]);
  const parts = readParts(String(value), now.tokens);
  return { parts, findings: now.findings };
}

const BROKEN = "is taken apart by code outside of the project, so that variables in it are lost";

/** Code that makes addresses of texts encodes what it takes for letters. */
function decodeTokens(html: string): string {
  return html.replace(/%EE%80%80(\d+)%EE%80%81/gi, "\uE000$1\uE001");
}

function isSecondDocument(error: unknown): boolean {
  return error instanceof Error && error.message.includes("may only be rendered once");
}
