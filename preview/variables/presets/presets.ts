import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { counted } from "../../state/counts.js";
import { isRecord } from "../../../src/values.js";
import { type CheckValues, applyFittingChanges, checkWith, repair } from "./fitting.js";
import { type Amounts, type Stress, applyStress } from "./stress.js";

/** @param items Number of items that the preset for lists gives to each list. */
export function presetsWith(items: number): readonly Preset[] {
  return [
    preset("Long", "Text ×8, long words", { text: longText, canBeCut: true, items: [12, 3] }),
    itemsPreset(items),
    preset("Empty", "Nothing optional", { isEmptying: true, canBeCut: true }),
    preset("Right to left", "Arabic, Hebrew", { text: rightToLeftText }),
    preset("HTML in values", "Tags, quotes, {{", { text: htmlText }),
  ];
}

export function itemsPreset(items: number): Preset {
  return preset(counted(items, "item"), "In each list", { items: [items, 3], isExact: true });
}

export type Preset = ReturnType<typeof preset>;

/**
 * A way to stress a template with variables that its schema allows.
 *
 * @param note A short description of the change, for a menu.
 */
function preset(name: string, note: string, stress: Stress) {
  return {
    name,
    note,
    /** Why the preset can't change variables with this schema. Undefined if it can. */
    obstacle: (schema: VariablesSchema): string | undefined =>
      stress.text === undefined && !stress.isEmptying && !hasList(schema) ? "No lists here" : undefined,
    /** @param check Checks that go beyond the schema: limits, patterns, `derive`. */
    apply: async (schema: VariablesSchema, variables: Variables, check: CheckValues = () => []): Promise<Variables> => {
      const checkAll = checkWith(schema, check);
      // A value that does not fit gives no hint of how much of it would.
      const original = stress.isEmptying ? await repair(variables, schema, checkAll) : variables;
      const make = (amountOf?: Amounts) => applyStress(original, schema, stress, amountOf);
      return applyFittingChanges(original, make, stress.canBeCut === true, checkAll);
    },
  };
}

const hasList = (part: unknown): boolean => {
  if (Array.isArray(part)) return part.some(hasList);
  return isRecord(part) && (part["type"] === "array" || Object.values(part).some(hasList));
};

const UNBREAKABLE = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle";

/** Eight times as long, and with a word that cannot be broken. */
function longText(text: string): string {
  const source = text.trim() === "" ? "Placeholder text" : text;
  return `${Array.from({ length: 8 }, () => source).join(" ")} ${UNBREAKABLE}`;
}

const ARABIC = "مرحبا بالعالم، هذا نص من اليمين إلى اليسار. ";
const HEBREW = "שלום עולם, זהו טקסט מימין לשמאל. ";

/** About as long as before, with the original digits, which run left to right inside such text. */
function rightToLeftText(text: string): string {
  const source = text.length % 2 === 0 ? ARABIC : HEBREW;
  const length = Math.max(8, text.length);
  const words = source
    .repeat(Math.ceil(length / source.length))
    .slice(0, length)
    .trim();
  return [words, ...(text.match(/\d+/g) ?? [])].join(" ");
}

function htmlText(text: string): string {
  return `<b>${text}</b> & "quotes", 'quotes' <i>{{name}} {{{name}}}`;
}
