import { type Unknown, unknownIn } from "../../mustache/expression/unknown.js";
import { token } from "../../mustache/tokens.js";
import { portable } from "./document/portable.js";
import { BrokenTokens, type DocumentPart, readParts } from "./document/simplify.js";
import { elementOf, normalise, type ReactLibrary, renderAlone, renderHtml, withoutDoctype } from "./react-html.js";
import { CLASS_ROUNDS, isClass, refuseClassNames, restorePreviews, withClassNames } from "./runtime/components.js";
import { type Computation, type Computations, hasFreeParameter, isComputedKey } from "./runtime/expression.js";
import { isThrownByCode } from "./runtime/choices.js";
import type { Fact } from "./runtime/facts.js";
import { type ComputingElements, ELEMENT_ROUNDS, refuseMisplaced, verifyElements } from "./runtime/package-elements.js";
import { rootValue, type SymbolicVariables } from "./runtime/paths.js";
import {
  type SymbolicRendering,
  resumeRendering,
  startRendering,
  type Token,
  type Unsupported,
} from "./runtime/rendering.js";
import { concatenate } from "./runtime/strings.js";
import { type AccessPath, isReference, type Test, testedPath } from "./runtime/symbolic.js";

export interface Rendered {
  readonly parts: readonly DocumentPart[];
  readonly findings: readonly Unsupported[];
  /** What it computes, by the keys of the results. */
  readonly computations: ReadonlyMap<string, Computation>;
}

/** Maximum number of documents to render for choices around or in the head of the document. */
const MOST_DOCUMENTS = 64;

export async function renderSymbolic(
  component: unknown,
  variables: SymbolicVariables,
  react: ReactLibrary,
): Promise<Rendered> {
  let documents = 0;
  const tested = new Set<string>();
  let absentable: ReadonlySet<string> = new Set();
  const computing: ComputingElements = new Map();
  const start = (facts: readonly Fact[], real: { classRound?: number; elementRound?: number } = {}) =>
    startRendering(facts, { presence: { absentable, tested }, computing, ...real });

  const renderElement = (type: object, props: object): Promise<string> =>
    renderHtml(elementOf(type, props, react), react);
  const renderElementAlone = (type: object, props: object): string | undefined =>
    renderAlone(elementOf(type, props, react), react);

  async function renderDocument(now: SymbolicRendering): Promise<string> {
    const rendered = await renderHtml(elementOf(component, rootValue(variables), react), react);
    return withWholeTokens(withoutDoctype(rendered), now);
  }

  /** Whether a package treats real class names differently from tags in their place. */
  async function takesClassNames(html: string, now: SymbolicRendering, facts: readonly Fact[]): Promise<boolean> {
    try {
      for (let round = 0; round < CLASS_ROUNDS; round += 1) {
        const real = await renderDocument(start(facts, { classRound: round }));
        if (normalise(real) !== normalise(withClassNames(html, now, round))) return true;
      }
      return false;
    } finally {
      resumeRendering(now);
    }
  }

  /** Compares computed elements in their places with what is computed when an email is filled. */
  async function verifyPlaces(now: SymbolicRendering, facts: readonly Fact[]): Promise<void> {
    for (let round = 0; round < ELEMENT_ROUNDS; round += 1) {
      const real = start(facts, { elementRound: round });
      // A component may refuse made-up values.
      const html = await renderDocument(real).catch(() => "");
      resumeRendering(now);
      refuseMisplaced(html, real.computedElements, renderElementAlone);
    }
  }

  async function renderWith(facts: readonly Fact[]): Promise<Rendered> {
    documents += 1;
    const now = start(facts);
    /** What is rendered in one case; undefined if the component throws there, so that React renders no email. */
    const renderCase = (test: Test, answer: boolean): Promise<Rendered | undefined> =>
      renderWith([...facts, { test, answer }]).catch((thrown: unknown) => {
        if (!isThrownByCode(thrown)) throw thrown;
        return undefined;
      });
    const splitOn = async (test: Test): Promise<Rendered> => {
      const yes = await renderCase(test, true);
      if (!yes) return renderWith([...facts, { test, answer: false }]);
      const no = await renderCase(test, false);
      if (!no) return yes;
      return {
        parts: [{ kind: "alternative", test, yes: yes.parts, no: no.parts }],
        findings: [
          ...incomputable(namedIn(keysOfPath(testedPath(test)), now.computed), now.computed),
          ...yes.findings,
          ...no.findings,
        ],
        computations: new Map([...now.computed.all, ...yes.computations, ...no.computations]),
      };
    };
    if (isReference(component) && isClass(component) && Reflect.get(component, "defaultProps")) {
      now.report({
        problem:
          "is a class with defaultProps, which React applies before the component sees that a variable is absent",
        hint: 'Set the defaults where the variables are read: `const { note = "none" } = this.props`.',
      });
    }
    let html = "";
    try {
      const failure = await renderDocument(now).then(
        (rendered) => void (html = rendered),
        (thrown: unknown) => ({ thrown }),
      );
      if (await verifyElements(renderElement, renderElementAlone)) {
        documents -= 1;
        return await renderWith(facts);
      }
      if (failure) throw failure.thrown;
      const parts = readParts(html, now.tokens);
      const test = now.findings.length === 0 ? (documentTest(parts) ?? previewTest(parts)) : undefined;
      if (test && documents < MOST_DOCUMENTS) return await splitOn(test);
      if (test) now.report(manyDocuments(test));
      if (now.classVariables.size > 0 && now.findings.length === 0) {
        if (await takesClassNames(html, now, facts)) refuseClassNames(now);
      }
      if (now.computedElements.length > 0 && now.findings.length === 0) await verifyPlaces(now, facts);
      const existence = existenceTest(parts);
      if (existence && documents < MOST_DOCUMENTS) {
        const { test: deciding, nothing } = existence;
        const without = await renderCase(deciding, nothing);
        if (!without) return await renderWith([...facts, { test: deciding, answer: !nothing }]);
        if (without.parts.length === 0 && without.findings.length === 0) now.report(noDocument(deciding));
      }
      return { parts, findings: findingsOf(now, parts.flatMap(keysOfPart)), computations: now.computed.all };
    } catch (error) {
      const test = now.firstChoice;
      const isSecond = isSecondDocument(error) && test && !test.path.loop;
      if (isSecond && documents < MOST_DOCUMENTS) return splitOn(test);
      if (isSecond) now.report(manyDocuments(test));
      if (now.findings.length === 0) {
        if (!(error instanceof BrokenTokens)) throw error;
        now.report(brokenFinding(html, now));
      }
      return { parts: [], findings: findingsOf(now, now.tokens.flatMap(keysOfToken)), computations: now.computed.all };
    }
  }

  const rendered = await renderWith([]);
  if (tested.size === 0) return rendered;
  // If a component tests whether a variable is present, it may be absent, whatever the examples show, wherever it is used.
  absentable = new Set(tested);
  documents = 0;
  return renderWith([]);
}

/** The subject that a module exports: a string, or a function of the variables that returns one. */
export async function textSymbolic(text: unknown, variables: SymbolicVariables): Promise<Rendered> {
  const now = startRendering([]);
  const value = concatenate([await (typeof text === "function" ? text(rootValue(variables)) : text)]);
  const parts = readParts(String(value), now.tokens);
  return { parts, findings: findingsOf(now, parts.flatMap(keysOfPart)), computations: now.computed.all };
}

function manyDocuments({ path }: Test): Unsupported {
  const problem = "decides about the document, its head or its preview, and too many other variables do, too";
  return { problem, variable: path.variable, site: path.site };
}

function noDocument({ path }: Test): Unsupported {
  return {
    problem: "decides whether there is an email at all",
    hint: "Render an email in every case, and let the application decide whether to send it.",
    variable: path.variable,
    site: path.site,
  };
}

/** Code that builds URLs encodes tokens like letters. */
function withWholeTokens(html: string, { previews }: SymbolicRendering): string {
  return restorePreviews(html, previews).replace(/%EE%80%80(\d+)%EE%80%81/gi, "\uE000$1\uE001");
}

/** The first variable whose token was cut. */
function brokenFinding(html: string, { tokens }: SymbolicRendering): Unsupported {
  const lost = tokens.filter((_token, index) => !html.includes(token(index)));
  const [path] = lost.flatMap((each) =>
    each.kind === "value" ? [each.path] : each.kind === "case" ? [each.test.path] : [],
  );
  const problem = "is split by package code, so that variables in it are lost";
  return { problem, variable: path?.variable, site: path?.site };
}

function isSecondDocument(error: unknown): boolean {
  return error instanceof Error && error.message.includes("may only be rendered once");
}

/**
 * The first choice between previews. React Email 6's `<Preview>` adds a `<title>`, which React moves into the head, out of the
 * choice; so the whole document is rendered once for each case.
 */
function previewTest(parts: readonly DocumentPart[]): Test | undefined {
  if (!parts.some((part) => part.kind === "text" && /<title\b/i.test(part.text))) return undefined;
  const choice = parts.find((part) => part.kind === "alternative" && hasPreview(part) && !part.test.path.loop);
  return choice?.kind === "alternative" ? choice.test : undefined;
}

function hasPreview(part: DocumentPart): boolean {
  if (part.kind === "text") return part.text.includes("data-skip-in-text=");
  return part.kind === "alternative" && [...part.yes, ...part.no].some(hasPreview);
}

/**
 * The first choice that React can't render in place: around `<html>`, of which it allows one, or in `<head>`, where it moves
 * elements. For these, the whole document is rendered once for each case.
 */
function documentTest(parts: readonly DocumentPart[]): Test | undefined {
  if (!isDocument(parts)) return undefined;
  let before = "";
  for (const part of parts) {
    if (part.kind === "text") before += part.text;
    if (part.kind === "alternative" && !part.test.path.loop && isOutsideOfBody(before)) return part.test;
  }
  return undefined;
}

function isDocument(parts: readonly DocumentPart[]): boolean {
  return parts.some((part) => part.kind === "text" && /<html\b/i.test(part.text));
}

function isOutsideOfBody(before: string): boolean {
  if (!/<html\b/i.test(before)) return true;
  return /<head\b/i.test(before) && !/<\/head>/i.test(before) && !/<(?:title|style)\b[^>]*>[^<]*$/i.test(before);
}

/**
 * A choice that may decide whether there is a document at all: React adds `<html>` and its content around everything, so
 * that only the body seems to depend on the choice.
 */
function existenceTest(parts: readonly DocumentPart[]): { readonly test: Test; readonly nothing: boolean } | undefined {
  if (!isDocument(parts)) return undefined;
  const [deciding, ...others] = parts.flatMap((part) => (part.kind === "text" ? [] : [part]));
  if (others.length > 0 || deciding?.kind !== "alternative" || deciding.test.path.loop) return undefined;
  const { test, yes, no } = deciding;
  return yes.length > 0 && no.length > 0 ? undefined : { test, nothing: yes.length === 0 };
}

/**
 * What a rendering found, with what can't be computed when an email is filled among the results that it uses.
 *
 * @param output The names in its output.
 */
function findingsOf({ computed, findings }: SymbolicRendering, output: readonly string[]): Unsupported[] {
  const used = namedIn([...output, ...findings.flatMap(keysOfFinding)], computed);
  const written = used.map(({ expression }) => JSON.stringify(expression)).join();
  const lost = [...computed.all.values()].filter(
    ({ expression, changesVariable }) => changesVariable && !written.includes(JSON.stringify(expression)),
  );
  return [
    ...findings,
    ...incomputable(used, computed),
    ...lost.map(({ problem, site }): Unsupported => ({ problem, hint: COPY, site })),
  ];
}

function namedIn(names: readonly string[], { all }: Computations): Computation[] {
  const keys = new Set(names);
  return [...all.values()].filter(({ key }) => keys.has(key));
}

/** What can't be computed when an email is filled. */
function incomputable(used: readonly Computation[], computed: Computations): Unsupported[] {
  const all = [...computed.all.values()];
  return used.flatMap((computation): Unsupported[] => {
    const { key, expression, site } = computation;
    if (hasFreeParameter(expression)) return [{ problem: CARRIED, hint: RETURN, site }];
    const unknown = unknownOf(computation);
    if (unknown) return [unknownFinding(unknown, computation, all)];
    return computed.isChanged(key) ? [{ problem: CHANGED, hint: COPY, site }] : [];
  });
}

/** What can't be evaluated when an email is filled. */
function unknownOf({ expression }: Computation): Unknown | undefined {
  const written = portable(expression, () => ({ number: 0, as: undefined }));
  return written && unknownIn(written);
}

/** Reports it where it is used first: other operations go on with that result. */
function unknownFinding(unknown: Unknown, user: Computation, all: readonly Computation[]): Unsupported {
  const { kind, code } = unknown;
  const written = JSON.stringify(user.expression);
  const first = all.find((each) => unknownOf(each)?.code === code && written.includes(JSON.stringify(each.expression)));
  const { site } = first ?? user;
  return kind === "changing"
    ? { problem: `computes with \`${code}\`, which differs each time`, hint: PASS_MOMENT, site }
    : { problem: `uses \`${code}\`, which can't be computed when an email is sent`, hint: APPLICATION, site };
}

export const PASS_MOMENT = "Pass the time as a variable, such as sentAt, or a random number as another variable.";
const APPLICATION = "Compute the value in the application, or in derive (variables.ts).";

const CARRIED = "is used outside the function that a list's method calls with it";
const RETURN = "Return all results from the function, or compute them in derive (variables.ts).";
const CHANGED = "is changed after it was computed";
const COPY = "Use the method's result, const sorted = [...list].sort(…), and leave the list unchanged.";

function keysOfPart(part: DocumentPart): string[] {
  if (part.kind === "text") return [];
  if (part.kind === "each") return [...keysOfPath(part.loop.list), ...part.body.flatMap(keysOfPart)];
  if (part.kind !== "alternative") return keysOfPath(part.path);
  return [...keysOfPath(testedPath(part.test)), ...[...part.yes, ...part.no].flatMap(keysOfPart)];
}

function keysOfToken(meaning: Token): string[] {
  if (meaning.kind === "close") return [];
  if (meaning.kind === "each" || meaning.kind === "again") return keysOfPath(meaning.loop.list);
  return keysOfPath(meaning.kind === "case" ? testedPath(meaning.test) : meaning.path);
}

function keysOfPath({ names, loop }: AccessPath): string[] {
  return [...names.filter(isComputedKey), ...(loop ? keysOfPath(loop.list) : [])];
}

function keysOfFinding({ variable }: Unsupported): string[] {
  return variable ? [...variable.names, ...variable.lists.flat()].filter(isComputedKey) : [];
}
