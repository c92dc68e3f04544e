import { useEffect, useState } from "react";
import { preferences } from "../state/stores.js";
import { allKeys, type PageCommand, currentCommands, useAllCommands } from "./commands.js";
import { grouped } from "../state/counts.js";
import { Dialog } from "../ui/dialog.js";
import { isMac, KeyHint } from "../ui/keys.js";
import { Toggle } from "../ui/field.js";
import styles from "./shortcuts.module.css";

/** Maximum time in ms between the two keys of `g i`. */
const sequencePause = 1_200;

let first: { readonly stroke: string; readonly at: number } | undefined;

/** Single-key shortcuts can be turned off, because voice input can trigger them by accident. */
const singleKeys = {
  areOn: () => preferences.read("single-keys") !== "off",
  set: (areOn: boolean) => preferences.write("single-keys", areOn ? "on" : "off"),
};

/**
 * `mod+k`, `shift+j`, `?`. Shift is only included for letters, because whether a symbol needs it depends on the
 * keyboard layout.
 */
const strokeOf = (event: KeyboardEvent): string => {
  const isLetter = /^[a-z]$/i.test(event.key);
  // Some systems report AltGr, which types `[` on many keyboards, as Ctrl and Alt.
  const isAltGraph = event.getModifierState("AltGraph");
  return [
    !isAltGraph && (isMac ? event.metaKey : event.ctrlKey) && "mod",
    !isAltGraph && event.altKey && "alt",
    event.shiftKey && (isLetter || event.key.length > 1) && "shift",
    named(event.key),
  ]
    .filter(Boolean)
    .join("+");
};

/** The delete key of a Mac keyboard reports Backspace. */
const named = (key: string): string =>
  key === "Backspace" ? "delete" : (key.startsWith("Arrow") ? key.slice(5) : key).toLowerCase();

/** In a text field, these apply to the text in it. */
const ofFields = new Set(["mod+z", "mod+shift+z"]);

const takesText = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])",
  ) !== null;

const commandOf = (event: KeyboardEvent): PageCommand | undefined => {
  const stroke = strokeOf(event);
  const isSingle = !stroke.startsWith("mod+");
  if ((isSingle || ofFields.has(stroke)) && takesText(event.target)) return undefined;
  if (isSingle && !singleKeys.areOn()) return undefined;
  const sequence = first && event.timeStamp - first.at < sequencePause ? `${first.stroke} ${stroke}` : stroke;
  first = undefined;
  const commands = currentCommands();
  // A sequence that isn't available now does nothing; its second key doesn't run on its own.
  if (allKeys.some((keys) => keys === sequence)) return commands.find(({ keys }) => keys === sequence);
  if (allKeys.some((keys) => keys.startsWith(`${stroke} `))) first = { stroke, at: event.timeStamp };
  return commands.find(({ keys }) => keys === stroke);
};

/** Runs the command of the pressed keys. Email frames forward their key events to the page. */
const onPageKey = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog:modal")) return;
  const command = commandOf(event);
  if (!command) return;
  event.preventDefault();
  if (!event.repeat || !command.runsOnce) command.run();
};

export const useShortcuts = (): void => {
  useEffect(() => {
    document.addEventListener("keydown", onPageKey);
    return () => document.removeEventListener("keydown", onPageKey);
  }, []);
};

type Group = readonly [name: string, commands: readonly PageCommand[]];

/**
 * Distributes the groups so that the columns have similar heights: the longest group first, each into the shortest
 * column.
 */
const inColumns = (groups: Iterable<Group>): readonly (readonly Group[])[] => {
  const columns: Group[][] = [[], [], []];
  // A heading and the space before it take as much height as two rows.
  const heightOf = (column: readonly Group[]) => column.reduce((sum, [, commands]) => sum + commands.length + 2, 0);
  for (const group of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
    columns.toSorted((a, b) => heightOf(a) - heightOf(b))[0]?.push(group);
  }
  return columns;
};

export const ShortcutList = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const groups = grouped(
    useAllCommands().filter(({ keys }) => keys !== undefined),
    ({ group }) => group,
  );
  const [areSingleKeysOn, setAreSingleKeysOn] = useState(singleKeys.areOn);
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      size="wide"
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Toggle
            label="Keys without Ctrl or ⌘"
            isOn={areSingleKeysOn}
            onChange={(areOn) => {
              singleKeys.set(areOn);
              setAreSingleKeysOn(areOn);
            }}
          />
          <span className="soft">These do nothing while you type in a field.</span>
        </div>
      }
    >
      <div role="group" aria-label="Shortcuts" tabIndex={0} className={styles.groups}>
        {inColumns(groups).map((column, at) => (
          <div key={at}>
            {column.map(([group, commands]) => (
              <section key={group}>
                <h3 className={styles.heading}>{group}</h3>
                <dl>
                  {commands.map(({ id, title, keys }) => (
                    <div key={id} className={styles.row}>
                      <dt>{title}</dt>
                      <dd>{keys && <KeyHint keys={keys} />}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  );
};
