import { useState } from "react";
import { grouped } from "../state/counts.js";
import { Dialog } from "../ui/dialog.js";
import { Keys } from "../ui/keys.js";
import { Toggle } from "../ui/toggle.js";
import { type Command, useAllCommands } from "./commands.js";
import styles from "./shortcut-list.module.css";
import { singleKeys } from "./shortcuts.js";

type Group = readonly [name: string, commands: readonly Command[]];

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

/** All shortcuts that are available now. */
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
          <span>These do nothing while you type in a field.</span>
        </div>
      }
    >
      <div role="group" aria-label="Shortcuts" tabIndex={0} className={styles.groups}>
        {inColumns(groups).map((column, at) => (
          <div key={at}>
            {column.map(([group, commands]) => (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {commands.map(({ id, title, keys }) => (
                    <div key={id} className={styles.row}>
                      <dt>{title}</dt>
                      <dd>{keys && <Keys keys={keys} />}</dd>
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
