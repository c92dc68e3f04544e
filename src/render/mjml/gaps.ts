import { ConditionNames } from "../../mustache/condition-names.js";
import { mayBeHidden } from "../../mustache/scope.js";
import {
  isInverted,
  tagName,
  restore,
  roleOf,
  scopeNames,
  type TagTable,
  token,
  tokensIn,
} from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { Template } from "../../project/template.js";
import { type Lists, listsOf, makeContract, nameConditions, readVariables } from "../contract.js";
import type { CompileContext } from "../engine.js";
import type { Findings } from "../findings.js";
import { chainNote } from "../source/mapped-text.js";
import { attributeValue, elementsOf, type MjmlElement, positionOf, tagsOf } from "./document.js";
import type { SectionTags } from "./library.js";

interface GapOptions {
  readonly template: Template;
  readonly context: CompileContext;
  readonly tags: TagTable;
  readonly findings: Findings;
}

/**
 * Decides in which sections the elements of a wrapper have its gap above them: MJML omits the gap above the first element,
 * and which element is first may depend on what is shown.
 */
export async function placeGaps(document: MjmlElement, options: GapOptions): Promise<void> {
  const elements = elementsOf(document);
  const hasGap = (element: MjmlElement) => attributeValue(element, "gap") !== undefined;
  const hasDefault = elements.some((element) => element.tagName !== "mj-wrapper" && hasGap(element));
  const wrappers = elements.filter(
    (element) =>
      element.tagName === "mj-wrapper" &&
      (hasDefault || hasGap(element)) &&
      element.children.some(({ isBareTag }) => isBareTag),
  );
  if (wrappers.length === 0) return;
  const types = await typesOf(document, options);
  for (const wrapper of wrappers) new WrapperGaps(options, types).place(wrapper);
}

interface Types {
  readonly contract: VariablesContract;
  readonly lists: Lists;
}

/** The types of the variables, as far as the source tells. */
async function typesOf(document: MjmlElement, { template, context, tags }: GapOptions): Promise<Types> {
  const names = new ConditionNames();
  const body = nameConditions({ text: tagsOf(document).map(token).join(""), tags }, names);
  const module = await readVariables(template, context);
  const texts = [restore(body.text, body.tags, "html")];
  const { contract } = makeContract({ template, module, texts, conditions: names.list });
  return { contract, lists: listsOf(body, contract, names) };
}

class WrapperGaps {
  readonly #tags: TagTable;
  readonly #findings: Findings;
  readonly #types: Types;
  /** The opening tags of the sections around the current element. */
  readonly #open: number[] = [];
  /** Closing tags by opening tags. */
  readonly #closing = new Map<number, number>();
  /** The sections around each element so far. */
  readonly #earlier: (readonly number[])[] = [];

  constructor({ tags, findings }: GapOptions, types: Types) {
    this.#tags = tags;
    this.#findings = findings;
    this.#types = types;
  }

  place(wrapper: MjmlElement): void {
    for (const child of wrapper.children) {
      if (!child.isBareTag) this.#placeOne(child);
      if (child.tagName === "mj-raw") for (const { tag } of tokensIn(child.content?.text ?? "")) this.#take(tag);
    }
  }

  #take(tag: number): void {
    const role = roleOf(this.#tags[tag]);
    if (role === "opens") this.#open.push(tag);
    const opening = role === "closes" ? this.#open.pop() : undefined;
    if (opening !== undefined) this.#closing.set(opening, tag);
  }

  #placeOne(element: MjmlElement): void {
    const open = this.#open;
    const isAfter = this.#earlier.some((around) => around.every((tag, depth) => open[depth] === tag));
    if (!isAfter) {
      const list = open.find((tag) => !isInverted(this.#tags[tag]) && this.#types.lists.isList(tag));
      const others = this.#earlier.map((around) => around.slice(around.findIndex((tag, depth) => open[depth] !== tag)));
      if (list !== undefined) {
        element.gapIn = ALWAYS;
        this.#warnOfList(element, list);
      } else if (others.length > 0) {
        element.gapIn = this.#sectionsOf(others, element);
      }
    }
    this.#earlier.push([...open]);
  }

  /** Sections that show their content once if any of the given sections is shown. */
  #sectionsOf(sections: readonly (readonly number[])[], element: MjmlElement): SectionTags[] {
    const once = [...new Map(sections.map((around) => [around.join(), around])).values()];
    const not: SectionTags[] = [];
    const isTestable = once.every((around, index) => around.length === 1 || index === once.length - 1);
    if (!isTestable || once.flat().some((tag) => this.#mayBeHidden(tag))) this.#report(element);
    return once.map((around) => {
      const within = [...not, ...around.map((tag) => this.#again(tag))];
      const [only] = around;
      if (only !== undefined) not.push(this.#again(only, true));
      const closing = within.map((each) => each.closing).reverse();
      return { opening: within.map(({ opening }) => opening).join(""), closing: closing.join("") };
    });
  }

  /** Whether the name of a section may mean something else at the current place. */
  #mayBeHidden(tag: number): boolean {
    const around = scopeNames(this.#open, this.#tags).map((section) => ({ section, isAdded: true }));
    return mayBeHidden(this.#types.contract, around, tagName(this.#tags[tag]));
  }

  /** The tags for repeating a section elsewhere, or for its opposite; a list is tested for having items. */
  #again(opening: number, isOpposite = false): SectionTags {
    const add = (number: number | undefined, write: (text: string) => string) => {
      const tag = this.#tags[number ?? opening];
      return tag ? token(this.#tags.push({ ...tag, text: write(tag.text) }) - 1) : "";
    };
    const sigil = isInverted(this.#tags[opening]) === isOpposite ? "#" : "^";
    const question = this.#types.lists.isList(opening) ? " has-items" : "";
    return {
      opening: add(opening, (text) => text.replace(/[#^]/, sigil).replace(/\s*\}\}$/, `${question}}}`)),
      closing: add(this.#closing.get(opening), (text) => text),
    };
  }

  #warnOfList(element: MjmlElement, list: number): void {
    const message = `MJML omits the gap of <mj-wrapper> above its first <${element.tagName}>, but ${this.#tags[list]?.text} repeats the element, so the gap is kept${chainNote(element.source.chain)}.`;
    this.#findings.warning("mjml-section", message, positionOf(element), HINT);
  }

  #report(element: MjmlElement): void {
    const message = `MJML omits the gap of <mj-wrapper> above its first element, but whether this <${element.tagName}> is the first depends on sections that can't be tested here${chainNote(element.source.chain)}.`;
    this.#findings.error("mjml-section", message, positionOf(element), HINT);
  }
}

const ALWAYS: readonly SectionTags[] = [{ opening: "", closing: "" }];
const HINT = "Put an element that is always shown before the section, or use padding instead of gap.";
