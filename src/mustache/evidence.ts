import { BIGINT_SCHEMA, DATE_SCHEMA } from "./javascript-values.js";
import type { Condition, VariablesSchema } from "./variables.js";

const SCALARS = ["string", "number", "boolean"] as const;
type Scalar = (typeof SCALARS)[number];

const SCALAR_KINDS = [...SCALARS, "Date", "bigint"] as const;
type ScalarKind = (typeof SCALAR_KINDS)[number];

const SCALAR_SCHEMAS = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  Date: DATE_SCHEMA,
  bigint: BIGINT_SCHEMA,
} as const satisfies Readonly<Record<ScalarKind, VariablesSchema>>;

/**
 * How to treat names that only tags have. `needed`: the variables must have them.
 * `unknown`: an object in an example has no other members; without examples, a section may be over a list or an object.
 */
export type NamesInTags = "needed" | "unknown";

/** What examples, tags and conditions show about one variable. */
export class Evidence {
  /** Members of the value itself, if it is an object. */
  readonly members = new Map<string, Evidence>();
  /** In how many examples the value is present. */
  seen = 0;
  printed = false;
  /** Whether a tag or a condition names it. */
  isNamedInTags = false;
  #item: Evidence | undefined;
  readonly #scalars = new Set<ScalarKind>();
  #isNull = false;
  #objects = 0;
  #lists = 0;
  #mayBeAbsent = false;
  #isTestedForTruth = false;
  /** The type that a condition requires. */
  #requiredType: Scalar | "array" | undefined;

  /** Records an example's value. */
  observe(value: unknown): void {
    if (value === undefined) this.#mayBeAbsent = true;
    if (!isData(value)) return;
    this.seen += 1;
    if (value === null) this.#isNull = true;
    else if (value instanceof Date) this.#scalars.add("Date");
    else if (typeof value === "bigint") this.#scalars.add("bigint");
    else if (typeof value === "string") this.#scalars.add("string");
    else if (typeof value === "number") this.#scalars.add("number");
    else if (typeof value === "boolean") this.#scalars.add("boolean");
    else if (Array.isArray(value)) {
      this.#lists += 1;
      for (const item of value) this.item.observe(item);
    } else {
      this.#objects += 1;
      for (const [name, member] of Object.entries(value)) {
        if (member === undefined || isData(member)) this.member(name).observe(member);
      }
    }
  }

  /** Records a condition on the value: it may be absent, or must have the type that the condition needs. */
  ask(test: Condition["test"]): void {
    switch (test.kind) {
      case "present":
        this.#mayBeAbsent = true;
        break;
      case "null":
        this.#isNull = true;
        this.#mayBeAbsent = true;
        break;
      case "truthy":
        this.#isTestedForTruth = true;
        break;
      case "equals":
        if (test.value === null) this.#mayBeAbsent = true;
        else this.#requiredType = SCALARS.find((type) => type === typeof test.value);
        break;
      case "compares":
        this.#requiredType = "number";
        break;
      case "has-items":
      case "has-at-least":
      case "has-exactly":
      case "length":
      case "item":
      case "items":
        this.#requiredType = "array";
        break;
      case "some":
      case "every":
        this.#requiredType = "array";
        this.item.at(test.path).ask(test.test);
        break;
      case "value":
        this.printed = true; // Printed under another name.
        break;
      case "empty": // Any value may be empty.
      case "among-first":
      case "among-last":
      case "computed": // Its variables are read instead.
        break;
    }
  }

  /** Records the members and items that a schema has, so that names resolve to them. */
  expect({ properties = {}, items, prefixItems = [], anyOf = [], oneOf = [], allOf = [] }: VariablesSchema): void {
    for (const [name, member] of Object.entries(properties)) this.member(name).expect(member);
    for (const item of [items, ...prefixItems]) if (typeof item === "object") this.item.expect(item);
    for (const branch of [...anyOf, ...oneOf, ...allOf]) this.expect(branch);
  }

  /** The items, if the value is a list. */
  get item(): Evidence {
    this.#item ??= new Evidence();
    return this.#item;
  }

  member(name: string): Evidence {
    const member = this.members.get(name) ?? new Evidence();
    this.members.set(name, member);
    return member;
  }

  /** A member at any depth, by its dotted name; `.` is the value itself. */
  at(path: string): Evidence {
    const names = path === "." ? [] : path.split(".");
    return names.reduce<Evidence>((evidence, name) => evidence.member(name), this);
  }

  /** Whether any example or tag uses it. */
  get isUsed(): boolean {
    return this.seen > 0 || this.printed || this.members.size > 0 || (this.#item?.isUsed ?? false);
  }

  /** Whether an example shows its type, so that tags need not be considered. */
  get isExemplified(): boolean {
    return this.#scalars.size + this.#objects + this.#lists > 0;
  }

  get mayHaveMembers(): boolean {
    return this.#objects > 0 || !this.isExemplified;
  }

  /**
   * What names in a section over it may belong to. Examples decide; without them, a value with dotted names is an object,
   * and any other is a list.
   */
  get contexts(): readonly Evidence[] {
    if (!this.isExemplified) return [this.members.size > 0 ? this : this.item];
    return [...(this.#objects > 0 ? [this] : []), ...(this.#lists > 0 ? [this.item] : [])];
  }

  toSchema(namesInTags: NamesInTags): VariablesSchema {
    if (this.#isNull && !this.isExemplified && !this.isNamedInTags) return {};
    const kinds = this.isExemplified ? this.#exemplified(namesInTags) : this.#guessed(namesInTags);
    if (this.#isNull) kinds.push({ type: "null" });
    const [only] = kinds;
    return only && kinds.length === 1 ? only : { anyOf: kinds };
  }

  #exemplified(namesInTags: NamesInTags): VariablesSchema[] {
    return [
      ...SCALAR_KINDS.filter((kind) => this.#scalars.has(kind)).map((kind) => SCALAR_SCHEMAS[kind]),
      ...(this.#objects > 0 ? [this.toObjectSchema(namesInTags)] : []),
      ...(this.#lists > 0 ? [this.#listSchema(namesInTags)] : []),
    ];
  }

  #guessed(namesInTags: NamesInTags): VariablesSchema[] {
    if (this.members.size > 0) return [this.toObjectSchema(namesInTags)];
    if (this.item.isUsed) {
      const list = this.#listSchema(namesInTags);
      return namesInTags === "unknown" ? [this.item.toSchema(namesInTags), list] : [list];
    }
    if (this.#requiredType === "array") return [this.printed ? { type: "string" } : { type: "array" }];
    // React prints nothing for a boolean, and Mustache prints its word: a printed value is assumed not to be one.
    const requiredType = this.printed && this.#requiredType === "boolean" ? undefined : this.#requiredType;
    return [{ type: requiredType ?? (this.printed ? "string" : "boolean") }];
  }

  #listSchema(namesInTags: NamesInTags): VariablesSchema {
    return this.item.isUsed ? { type: "array", items: this.item.toSchema(namesInTags) } : { type: "array" };
  }

  toObjectSchema(namesInTags: NamesInTags): VariablesSchema {
    const isMember = ({ seen, isOptional }: Evidence): boolean =>
      namesInTags === "needed" || this.#objects === 0 || seen > 0 || isOptional;
    const members = [...this.members].filter(([, member]) => isMember(member));
    const properties = members.map(([name, member]) => [name, member.toSchema(namesInTags)] as const);
    // A name that no example has is required: its absence is more likely a mistake.
    const required = members
      .filter(([, { seen, isOptional }]) => !isOptional && (seen === 0 || seen >= this.#objects))
      .map(([name]) => name);
    return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  /** Whether it may be absent, judged by anything but its absence from some examples. */
  get isOptional(): boolean {
    const isBoolean = this.isExemplified ? this.#scalars.has("boolean") : !this.printed;
    return this.#mayBeAbsent || this.#isNull || (this.#isTestedForTruth && !isBoolean);
  }
}

/** Whether JSON can represent such a value. */
function isData(value: unknown): value is object | string | number | bigint | boolean | null {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
