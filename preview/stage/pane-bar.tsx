import { MoveHorizontal, X } from "lucide-react";
import { useTemplate } from "../state/data.js";
import type { Pane, Scheme } from "../state/view.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { Segmented } from "../ui/segmented.js";
import { Select } from "../ui/select.js";
import { PaneOptions } from "./pane-options.js";
import { PaneNotes } from "./pane-notes.js";
import styles from "./pane.module.css";
import { changePane, closePane } from "./panes.js";
import { schemeChoice, SCHEMES } from "./schemes.js";
import type { EmailNotes } from "./use-email-notes.js";
import { WidthChoice } from "./width-choice.js";

export interface PaneProps {
  readonly pane: Pane;
  readonly index: number;
  readonly count: number;
}

export function PaneBar({
  pane,
  index,
  count,
  scale,
  contentWidth,
  notes,
}: PaneProps & { readonly scale: number; readonly contentWidth: number; readonly notes: EmailNotes }) {
  const overflow =
    contentWidth > pane.width ? `The email is ${contentWidth} pixels wide, so it scrolls sideways here` : "";
  return (
    <Bar label={`Pane ${index + 1}`}>
      <FixtureChoice pane={pane} index={index} count={count} />
      <PaneNotes {...notes} />
      {scale !== 1 && <span className={styles.scale}>{Math.round(scale * 100)}%</span>}
      {overflow && (
        <span role="img" aria-label={overflow} title={overflow} className={styles.overflow}>
          <MoveHorizontal size={14} aria-hidden />
        </span>
      )}
      <span className={styles.width}>
        <WidthChoice width={pane.width} scale={scale} onChange={(width) => changePane(index, { width })} />
      </span>
      <SchemeMark scheme={pane.scheme} />
      <span className={styles.scheme}>
        <Segmented
          label="Scheme"
          value={pane.scheme}
          options={SCHEMES}
          onChange={(scheme) => changePane(index, { scheme })}
        />
      </span>
      <PaneOptions pane={pane} index={index} count={count} />
      {count > 1 && (
        <IconButton icon={X} label="Close pane" className={styles.close} onClick={() => closePane(index)} />
      )}
    </Bar>
  );
}

/** Shows the scheme on its own when there is no room to change it. */
function SchemeMark({ scheme }: { readonly scheme: Scheme }) {
  const { icon: Icon, label } = schemeChoice(scheme);
  return (
    <span role="img" aria-label={label} title={label} className={styles.mark}>
      <Icon size={16} aria-hidden />
    </span>
  );
}

/** A single pane shows the view's fixture. With several panes, each can pin its own, or follow the view's. */
export function FixtureChoice({ pane, index, count }: PaneProps) {
  const { fixture } = useView();
  const { detail } = useTemplate();
  const names = detail?.fixtures.map(({ name }) => name) ?? [];
  const chosen = fixture ?? names[0] ?? "";
  if (names.length === 0) return null;
  const isAlone = count === 1;
  return (
    <Select
      label="Fixture"
      isQuiet
      value={pane.fixture ?? chosen}
      options={names.map((name) => ({ value: name, label: name }))}
      onChange={(name) => {
        changePane(index, { fixture: isAlone || name === chosen ? undefined : name });
        if (isAlone) changeView({ fixture: name });
      }}
    />
  );
}
