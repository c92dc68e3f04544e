import { FlaskConical } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useCommands } from "../palette/commands.js";
import { kept } from "../state/kept.js";
import { Button } from "../ui/button.js";
import { Dialog, focusFirst } from "../ui/dialog.js";
import { Field, Input } from "../ui/field.js";
import { Menu } from "../ui/popover.js";
import { applyPreset } from "./actions.js";
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
  const [items, setItems] = useState(() => itemsIn(kept.read("preset-items") ?? "") ?? usualItems);
  const [isAsking, setIsAsking] = useState(false);
  const presets = presetsWith(items);
  const { name: itemsName } = itemsPreset(items);
  const ask = () => setIsAsking(true);
  useCommands([
    ...presets.map((preset) => ({
      id: `preset-${preset.name}`,
      title: `Preset: ${preset.name}`,
      group: "Variables",
      run: () => void applyPreset(editing, preset),
    })),
    { id: "preset-items", title: "Preset: custom number of items…", group: "Variables", run: ask },
  ]);
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
            kept.write("preset-items", String(count));
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
  const form = useId();
  const [text, setText] = useState(String(items));
  const count = itemsIn(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (count !== undefined) onChoose(count);
  };
  return (
    <Dialog
      title="Number of items"
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={count === undefined}>
            Apply
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <Field
          label="Items in each list"
          {...(count !== undefined || text === ""
            ? { hint: "Limited by the schema. The preset remembers this number." }
            : { error: `Enter a number from 1 to ${LONGEST.toLocaleString("en-GB")}.` })}
        >
          {(control) => (
            <Input
              {...control}
              ref={focusFirst}
              type="number"
              min={1}
              max={LONGEST}
              value={text}
              onFocus={(event) => event.target.select()}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
};
