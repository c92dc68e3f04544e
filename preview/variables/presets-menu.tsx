import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { inGroup, useCommands } from "../palette/commands.js";
import { preferences } from "../state/stores.js";
import { FormDialog } from "../ui/dialog.js";
import { FirstField } from "../ui/first-field.js";
import { Menu } from "../ui/popover.js";
import type { Variables } from "../../src/mustache/variables.js";
import { currentView } from "../state/view-store.js";
import { announce, notify } from "../ui/notice.js";
import { isEqual } from "../state/json.js";
import type { Editing } from "./editing.js";
import { itemsPreset, type Preset, presetsWith } from "./presets/presets.js";
import { LONGEST } from "./presets/stress.js";
import styles from "./panel.module.css";

const usualItems = 60;

const itemsIn = (text: string): number | undefined => {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= LONGEST ? count : undefined;
};

/**
 * Presets that fill the template with values that often break layouts. The user can choose the number of list items.
 */
export const PresetsMenu = ({ editing }: { readonly editing: Editing }) => {
  const [items, setItems] = useState(() => itemsIn(preferences.read("preset-items") ?? "") ?? usualItems);
  const [isAsking, setIsAsking] = useState(false);
  const presets = presetsWith(items);
  const { name: itemsName } = itemsPreset(items);
  const ask = () => setIsAsking(true);
  useCommands(
    inGroup("Variables", [
      ...presets.map((preset) => ({
        id: `preset-${preset.name}`,
        title: `Preset: ${preset.name}`,
        run: () => void applyPreset(editing, preset),
      })),
      { id: "preset-items", title: "Preset: custom number of items…", run: ask },
    ]),
  );
  const entryOf = (preset: Preset) => {
    const obstacle = editing.obstacle === undefined ? preset.obstacle(editing.schema) : "Read-only";
    return {
      label: preset.name,
      note: obstacle ?? preset.note,
      isDisabled: obstacle !== undefined || editing.draft?.problem !== undefined,
      onChoose: () => void applyPreset(editing, preset),
    };
  };
  return (
    <>
      <Menu
        label="Presets"
        icon={FlaskConical}
        items={presets.flatMap((preset) => {
          const entry = entryOf(preset);
          if (preset.name !== itemsName) return [entry];
          return [entry, { ...entry, label: "Custom number of items…", note: "", onChoose: ask }];
        })}
      >
        <span className={styles.presets}>Presets</span>
      </Menu>
      {isAsking && (
        <ItemsDialog
          items={items}
          onClose={() => setIsAsking(false)}
          onChoose={(count) => {
            setIsAsking(false);
            setItems(count);
            preferences.write("preset-items", String(count));
            void applyPreset(editing, itemsPreset(count));
          }}
        />
      )}
    </>
  );
};

const ItemsDialog = ({
  items,
  onClose,
  onChoose,
}: {
  readonly items: number;
  readonly onClose: () => void;
  readonly onChoose: (count: number) => void;
}) => {
  const [text, setText] = useState(String(items));
  const count = itemsIn(text);
  return (
    <FormDialog
      title="Number of items"
      submit={{ label: "Apply", isDisabled: count === undefined }}
      onSubmit={() => count !== undefined && onChoose(count)}
      onClose={onClose}
    >
      <FirstField
        label="Items in each list"
        hint="Limited by the schema. The preset remembers this number."
        error={
          count === undefined && text !== ""
            ? `Enter a number from 1 to ${LONGEST.toLocaleString("en-GB")}.`
            : undefined
        }
        type="number"
        min={1}
        max={LONGEST}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
};

/** The last preset's input and output, so that the next preset starts from the same input. */
let applied: { readonly key: string; readonly before: Variables; readonly after: Variables } | undefined;

async function applyPreset(
  { key, schema, input, draft, change, check, obstacle: readOnly }: Editing,
  preset: Preset,
): Promise<void> {
  if (readOnly !== undefined) return notify(readOnly);
  if (draft?.problem) return notify("Fix the JSON first: presets start from the current variables.", "error");
  const obstacle = preset.obstacle(schema);
  if (obstacle !== undefined) return notify(`${preset.name}: ${obstacle.toLowerCase()}.`);
  const { template, fixture, edited } = currentView();
  const before = applied?.key === key && isEqual(applied.after, input) ? applied.before : input;
  const after = await preset.apply(schema, before, check);
  const now = currentView();
  // The user selected or typed something else meanwhile.
  if (now.template !== template || now.fixture !== fixture || now.edited !== edited) return;
  if (isEqual(after, before)) return notify(`${preset.name}: the schema doesn't allow this for any value.`);
  applied = { key, before, after };
  change(after);
  announce(`${preset.name}: applied, not saved`);
}
