import { ConditionNames } from "../../../mustache/condition-names.js";
import { protect, token, type Tag } from "../../../mustache/tokens.js";
import type { Condition } from "../../../mustache/variables.js";
import { isOnly } from "../runtime/kinds.js";
import { nameOf, type Finding } from "../runtime/rendering.js";
import type { Loop, Path, Site, Test } from "../runtime/symbolic.js";
import type { Alternative, Part } from "./tree.js";

/** A tag of the compiled body, and where in the source it comes from. */
export interface SitedTag extends Tag {
  readonly site?: Site;
}

/** What a section around a place is: one over a list, whose item names are looked for first; or one over a boolean. */
type Scope = { readonly kind: "item"; readonly loop: Loop } | { readonly kind: "boolean" };

/**
 * Writes parts as tokenised Mustache. Which name reaches a variable depends on the sections around the place, so names
 * are found only here; what none reaches is a finding.
 */
export class Writer {
  readonly tags: SitedTag[] = [];
  readonly findings: Finding[] = [];
  readonly #conditions = new ConditionNames();
  readonly #numbers = new Map<string, number>();
  readonly #file: string;

  /** @param file The component's, for tags that it writes itself. */
  constructor(file: string) {
    this.#file = file;
  }

  get conditions(): readonly Condition[] {
    return this.#conditions.list;
  }

  write(parts: readonly Part[], scopes: readonly Scope[] = []): string {
    return parts.map((part) => this.#part(part, scopes)).join("");
  }

  #part(part: Part, scopes: readonly Scope[]): string {
    if (part.kind === "text") return this.#text(part.text);
    if (part.kind === "missing") return this.#missing(part.path);
    if (part.kind === "alternative") return this.#alternative(part, scopes);
    if (part.kind === "value") {
      const name = this.#name(part.path, scopes);
      return this.#tag(part.raw ? `{{{${name}}}}` : `{{${name}}}`, part.path.site);
    }
    const { list } = part.loop;
    const body = this.write(part.body, [...scopes, { kind: "item", loop: part.loop }]);
    return this.#section("#", this.#name(list, scopes), body, list.site);
  }

  /** Mustache that a component writes itself stays Mustache. */
  #text(text: string): string {
    if (!text.includes("{{")) return text;
    const own: Tag[] = [];
    const protectedText = protect(text, this.#file, own).text;
    return protectedText.replace(/\uE000(\d+)\uE001/g, (_token, number: string) =>
      this.#tag(own[Number(number)]?.text ?? ""),
    );
  }

  #alternative({ test, yes, no }: Alternative, scopes: readonly Scope[]): string {
    const name = test.question.kind === "itself" ? this.#name(test.path, scopes) : this.#condition(test, scopes);
    const shown = this.write(yes, [...scopes, { kind: "boolean" }]);
    const otherwise = this.write(no, scopes);
    const { site } = test.path;
    return (
      (shown === "" ? "" : this.#section("#", name, shown, site)) +
      (otherwise === "" ? "" : this.#section("^", name, otherwise, site))
    );
  }

  #section(kind: "#" | "^", name: string, body: string, site: Site | undefined): string {
    return this.#tag(`{{${kind}${name}}}`, site) + body + this.#tag(`{{/${name}}}`, site);
  }

  #condition({ path, question }: Test, scopes: readonly Scope[]): string {
    if (question.kind === "itself") return this.#name(path, scopes);
    this.#checkReach(path, scopes);
    if (
      path.loop &&
      !isOnly({ ...path, names: [], shape: path.loop.list.shape.items() }, "object") &&
      path.names.length === 0
    ) {
      this.#report(
        path,
        "asks something of the items of a list of texts, which Mustache can't",
        "Make it a list of objects.",
      );
    }
    const { lists, names } = nameOf(path);
    const dotted = (steps: readonly string[]): string => steps.join(".") || ".";
    return this.#conditions.nameFor({ within: lists.map(dotted), path: dotted(names), test: question });
  }

  /** How a variable is named where these sections are around. */
  #name(path: Path, scopes: readonly Scope[]): string {
    const [first] = path.names;
    const inner = this.#checkReach(path, scopes);
    if (first === undefined) {
      if (!path.loop) this.#report(path, "prints all variables at once", "Print one of them.");
      if (inner.length > 0) {
        this.#report(
          path,
          "prints an item of a list of texts inside of a choice or of another list, where Mustache has no name for it",
          "Make it a list of objects.",
        );
      }
      return ".";
    }
    const shadow = inner.find((scope) => scope.kind === "item" && scope.loop.list.shape.items().member(first));
    if (shadow?.kind === "item") {
      const list = nameOf(shadow.loop.list).names.join(".") || "the list";
      this.#report(path, `is hidden by "${first}" of the items of ${list}`, "Give one of them another name.");
    }
    return path.names.join(".");
  }

  /** The sections that are between the place and what the path begins in, outermost first. */
  #checkReach(path: Path, scopes: readonly Scope[]): readonly Scope[] {
    if (!path.loop) return scopes;
    const index = scopes.findLastIndex((scope) => scope.kind === "item" && scope.loop.id === path.loop?.id);
    if (index < 0)
      this.#report(
        path,
        "uses an item of a list outside of the list",
        "Print it inside of the .map that it comes from.",
      );
    return scopes.slice(index + 1);
  }

  #missing(path: Path): string {
    this.#report(path, 'prints the word "undefined" where it is absent', 'Write what to print then: `${name ?? ""}`.');
    return "";
  }

  #report(path: Path, problem: string, hint: string): void {
    this.findings.push({ problem, hint, variable: nameOf(path), ...(path.site && { site: path.site }) });
  }

  #tag(text: string, site?: Site): string {
    const key = `${text} ${site?.file ?? ""} ${site?.start ?? ""}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.tags.push({ text, ...(site && { site }) }) - 1;
      this.#numbers.set(key, number);
    }
    return token(number);
  }
}
