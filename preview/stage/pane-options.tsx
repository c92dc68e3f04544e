import { Copy, Minus, Plus, SlidersHorizontal, X } from "lucide-react";
import { mostPanes } from "../state/address.js";
import { useTemplate } from "../state/data.js";
import { desktop, paneTextSize } from "../state/pane.js";
import type { Pane } from "../state/view.js";
import { Button, IconButton } from "../ui/button.js";
import { Segmented } from "../ui/segmented.js";
import { Toggle } from "../ui/toggle.js";
import styles from "./choices.module.css";
import { LocaleChoice } from "./locale-choice.js";
import { changePane, closePane, duplicatePane } from "./panes.js";
import { Popover } from "./popover.js";
import { SCHEMES } from "./schemes.js";
import { VersionChoice } from "./version-choice.js";

interface Props {
  readonly pane: Pane;
  readonly index: number;
  readonly count: number;
}

export function PaneOptions({ pane, index, count }: Props) {
  const { detail } = useTemplate();
  const change = (part: Parameters<typeof changePane>[1]) => changePane(index, part);
  const changes = changedOptions(pane);
  return (
    <Popover label={["Pane options", ...changes].join(", ")} icon={SlidersHorizontal} isActive={changes.length > 0}>
      <div className={styles.choices}>
        <VersionChoice pane={pane} onChange={change} />
        <div className={styles.row}>
          Scheme
          <Segmented label="Scheme" value={pane.scheme} options={SCHEMES} onChange={(scheme) => change({ scheme })} />
        </div>
        <div className={styles.row}>
          Text size
          <TextSize value={pane.textSize} onChange={(textSize) => change({ textSize })} />
        </div>
        <Toggle
          label="Block images"
          isOn={pane.areImagesBlocked}
          onChange={(areImagesBlocked) => change({ areImagesBlocked })}
        />
        <Toggle
          label="Right to left"
          isOn={pane.isRightToLeft}
          onChange={(isRightToLeft) => change({ isRightToLeft })}
        />
        {detail?.derives && <LocaleChoice pane={pane} onChange={change} />}
        <div className={styles.end}>
          <Button icon={Copy} disabled={count === mostPanes} onClick={() => duplicatePane(index)}>
            Duplicate
          </Button>
          {count > 1 && (
            <Button icon={X} onClick={() => closePane(index)}>
              Close
            </Button>
          )}
        </div>
      </div>
    </Popover>
  );
}

export function TextSize({ value, onChange }: { readonly value: number; readonly onChange: (value: number) => void }) {
  return (
    <div className={styles.stepper}>
      <IconButton
        icon={Minus}
        label="Smaller text"
        disabled={value <= paneTextSize.least}
        onClick={() => onChange(textSizeAfter(value, -25))}
      />
      <output className={styles.value}>{value}%</output>
      <IconButton
        icon={Plus}
        label="Larger text"
        disabled={value >= paneTextSize.most}
        onClick={() => onChange(textSizeAfter(value, 25))}
      />
    </div>
  );
}

export function textSizeAfter(value: number, step: number): number {
  return Math.min(paneTextSize.most, Math.max(paneTextSize.least, value + step));
}

/** The options that differ from their defaults. */
function changedOptions(pane: Pane): readonly string[] {
  return [
    ...(pane.deployedTo === undefined ? [] : [`deployed to ${pane.deployedTo}`]),
    ...(pane.commit === undefined ? [] : [`at commit ${pane.commit}`]),
    ...(pane.client === undefined ? [] : [`as ${pane.client}`]),
    ...(pane.areImagesBlocked ? ["images blocked"] : []),
    ...(pane.textSize === desktop.textSize ? [] : [`text at ${pane.textSize}%`]),
    ...(pane.isRightToLeft ? ["right to left"] : []),
    ...(pane.locale === undefined ? [] : [pane.locale]),
    ...(pane.timeZone === undefined ? [] : [pane.timeZone]),
  ];
}
