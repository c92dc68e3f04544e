import type { VariablesSchema } from "./variables.js";

type Scalar = "string" | "number" | "boolean";

/** What examples and tags show of one variable. */
export class Evidence {
  /** Members of the value itself, where it is an object. */
  readonly members = new Map<string, Evidence>();
  /** How often examples have the value at all. */
  seen = 0;
  printed = false;
  #item: Evidence | undefined;
  readonly #scalars = new Set<Scalar>();
  #isNull = false;
  #objects = 0;
  #lists = 0;

  /** Takes in an example's value. */
  observe(value: unknown): void {
    if (!isData(value)) return;
    this.seen += 1;
    if (value === null) this.#isNull = true;
    else if (typeof value === "number" || typeof value === "bigint") this.#scalars.add("number");
    else if (typeof value === "boolean") this.#scalars.add("boolean");
    else if (typeof value === "string" || value instanceof Date) this.#scalars.add("string");
    else if (Array.isArray(value)) {
      this.#lists += 1;
      for (const item of value) this.item.observe(item);
    } else {
      this.#objects += 1;
      for (const [name, member] of Object.entries(value)) if (isData(member)) this.member(name).observe(member);
    }
  }

  /** The items, where the value is a list. */
  get item(): Evidence {
    this.#item ??= new Evidence();
    return this.#item;
  }

  member(name: string): Evidence {
    const member = this.members.get(name) ?? new Evidence();
    this.members.set(name, member);
    return member;
  }

  /** Whether any example or tag has anything to do with it. */
  get isUsed(): boolean {
    return this.seen > 0 || this.printed || this.members.size > 0 || (this.#item?.isUsed ?? false);
  }

  /** Whether an example shows what it is, so that tags need not be asked. */
  get isExemplified(): boolean {
    return this.#scalars.size + this.#objects + this.#lists > 0;
  }

  get mayHaveMembers(): boolean {
    return this.#objects > 0 || !this.isExemplified;
  }

  /**
   * What names in a section over it may belong to. Examples decide; without them a value that dotted names look into
   * is an object, and any other a list.
   */
  get contexts(): readonly Evidence[] {
    if (!this.isExemplified) return [this.members.size > 0 ? this : this.item];
    return [...(this.#objects > 0 ? [this] : []), ...(this.#lists > 0 ? [this.item] : [])];
  }

  toSchema(): VariablesSchema {
    const kinds = this.isExemplified ? this.#exemplified() : [this.#guessed()];
    if (this.#isNull) kinds.push({ type: "null" });
    const [only] = kinds;
    return only && kinds.length === 1 ? only : { anyOf: kinds };
  }

  #exemplified(): VariablesSchema[] {
    const scalars = (["string", "number", "boolean"] as const).filter((type) => this.#scalars.has(type));
    return [
      ...scalars.map((type) => ({ type })),
      ...(this.#objects > 0 ? [this.toObjectSchema()] : []),
      ...(this.#lists > 0 ? [this.#listSchema()] : []),
    ];
  }

  #guessed(): VariablesSchema {
    if (this.members.size > 0) return this.toObjectSchema();
    if (this.item.isUsed) return this.#listSchema();
    return { type: this.printed ? "string" : "boolean" };
  }

  #listSchema(): VariablesSchema {
    return this.item.isUsed ? { type: "array", items: this.item.toSchema() } : { type: "array" };
  }

  /** A member is optional where one example has it and another doesn't: a name that none has is more likely a mistake. */
  toObjectSchema(): VariablesSchema {
    const properties = [...this.members].map(([name, member]) => [name, member.toSchema()] as const);
    const required = [...this.members]
      .filter(([, { seen }]) => seen === 0 || seen >= this.#objects)
      .map(([name]) => name);
    return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }
}

/** Whether JSON carries such a value at all. */
function isData(value: unknown): value is object | string | number | bigint | boolean | null {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
