import { Columns2, Image, ImageOff, Link2, Link2Off, Scan, SquareMousePointer } from "lucide-react";
import type { Keys } from "../palette/all-keys.js";
import { mostPanes } from "../state/address.js";
import type { Mode } from "../state/view.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar, Space } from "../ui/bar.js";
import { Button, IconButton } from "../ui/button.js";
import { spokenKeys } from "../ui/keys.js";
import { Menu } from "../ui/menu.js";
import { Segmented } from "../ui/segmented.js";
import { Select } from "../ui/select.js";
import { useComparisons } from "./comparisons.js";
import { addPane, LAYOUTS, layOut, toggleInspecting, toggleScrolling } from "./panes.js";
import { useRemoteImages } from "./remote-images.js";
import styles from "./stage.module.css";
import { toggleFit } from "./zoom.js";

export const MODES: readonly { readonly value: Mode; readonly keys: Keys; readonly label: string }[] = [
  { value: "rendered", keys: "1", label: "Rendered" },
  { value: "html", keys: "2", label: "HTML" },
  { value: "mustache", keys: "3", label: "Mustache" },
  { value: "text", keys: "4", label: "Text" },
  { value: "source", keys: "5", label: "Source" },
];

export function StageBar() {
  const { mode } = useView();
  return (
    <Bar label="View" isHigh>
      <span className={styles.modes}>
        <Segmented label="Mode" value={mode} options={MODES} onChange={(chosen) => changeView({ mode: chosen })} />
      </span>
      <span className={styles.narrowModes}>
        <Select label="Mode" isQuiet value={mode} options={MODES} onChange={(chosen) => changeView({ mode: chosen })} />
      </span>
      <Space />
      {mode === "rendered" && <PaneTools />}
    </Bar>
  );
}

function PaneTools() {
  const { panes, zoom, scrollsApart, isInspecting } = useView();
  const remote = useRemoteImages();
  const comparisons = useComparisons();
  return (
    <>
      <IconButton
        icon={SquareMousePointer}
        label="Inspect elements"
        keys="i"
        isPressed={isInspecting === true}
        onClick={toggleInspecting}
      />
      <IconButton
        icon={remote.areShown ? Image : ImageOff}
        label={`Remote images in ${remote.areAlwaysShown ? "all templates" : "this template"}`}
        isPressed={remote.areShown}
        onClick={remote.toggle}
      />
      <span className={styles.spare}>
        <Button
          kind="quiet"
          icon={Scan}
          aria-label="Scale to fit"
          title={`Scale to fit (${spokenKeys("z")})`}
          aria-pressed={zoom === undefined}
          onClick={toggleFit}
        >
          <span className={styles.fit}>Fit</span>
        </Button>
        {panes.length > 1 && (
          <IconButton
            icon={scrollsApart ? Link2Off : Link2}
            label="Sync scrolling"
            isPressed={!scrollsApart}
            onClick={toggleScrolling}
          />
        )}
      </span>
      <Menu
        label="Panes"
        icon={Columns2}
        items={[
          ...LAYOUTS.map((layout) => ({ label: layout.name, keys: layout.keys, onChoose: () => layOut(layout) })),
          { label: "Add a pane", keys: "l a", isDisabled: panes.length >= mostPanes, onChoose: addPane },
          ...comparisons.map(({ title, run }) => ({ label: title, onChoose: run })),
        ]}
      />
    </>
  );
}
