import { type ReactNode, useRef, useState } from "react";
import { Columns2, Image, ImageOff, Link2, Link2Off, Scan, SquareMousePointer } from "lucide-react";
import { useTemplate } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { useView, changeView } from "../state/view-store.js";
import { EmailPane } from "./email-pane.js";
import { FilledCode, panesByFill, SourceCode } from "./code-panes.js";
import { FixtureChoice } from "./pane-bar.js";
import { MODES, useComparisons, useStageCommands } from "./stage-commands.js";
import { CodeView } from "../code/later-code-view.js";
import { Segmented, Select } from "../ui/field.js";
import { classes } from "../ui/classes.js";
import { useSize } from "../email/email-frame.js";
import { mostPanes } from "../state/address.js";
import { Bar, Space } from "../ui/bar.js";
import { Button, IconButton } from "../ui/button.js";
import { accessibleKeys } from "../ui/keys.js";
import { Menu } from "../ui/popover.js";
import { addPane, LAYOUTS, applyLayout, PaneIndex, toggleInspecting, toggleScrolling, toggleFit } from "./panes.js";
import { useRemoteImages } from "./remote-images.js";
import styles from "./stage.module.css";

/** The email in one to four panes, or its code. */
export function Stage() {
  useStageCommands();
  return (
    <div className={styles.stage}>
      <StageBar />
      <div className={styles.panes}>
        <Panes />
      </div>
    </div>
  );
}

function Panes() {
  const { mode, panes, fixture } = useView();
  const { detail } = useTemplate();
  if (!detail) return null;
  if (mode === "source") return <SourceCode />;
  if (!detail.compiled) return null;
  if (mode === "mustache") return <CompiledCode />;
  if (mode === "rendered")
    return (
      <PaneGrid widths={panes.map(({ width }) => width)}>
        {panes.map((_, index) => (
          <PaneIndex key={index} value={index}>
            <EmailPane />
          </PaneIndex>
        ))}
      </PaneGrid>
    );
  const names = detail.fixtures.map(({ name }) => name);
  const fixtureOf = ({ fixture: own }: Pane) =>
    [own, fixture].find((name) => name && names.includes(name)) ?? names[0] ?? "";
  const filled = panesByFill(panes, fixtureOf);
  return (
    <PaneGrid widths={filled.map(({ pane }) => pane.width)}>
      {filled.map(({ index }) => (
        <PaneIndex key={`${mode}-${index}`} value={index}>
          <FilledCode part={mode}>
            <FixtureChoice />
          </FilledCode>
        </PaneIndex>
      ))}
    </PaneGrid>
  );
}

const PARTS = [
  { value: "html", label: "HTML" },
  { value: "text", label: "Text" },
] as const;

/** A compiled body as sync uploads it, with its Mustache tags. */
function CompiledCode() {
  const { detail } = useTemplate();
  const [part, setPart] = useState<"html" | "text">("html");
  if (!detail?.compiled) return null;
  return (
    <CodeView
      text={detail.compiled[part]}
      language={part === "html" ? "mustache" : "text"}
      label={part === "html" ? "Mustache HTML" : "Mustache text"}
      name={`${detail.name}.mustache.${part === "html" ? "html" : "txt"}`}
    >
      <Segmented label="Body" value={part} options={PARTS} onChange={(chosen) => setPart(chosen)} />
    </CodeView>
  );
}

/**
 * Panes in as many columns as fit. Their order in the document does not change, because a frame that moves loads again.
 */
function PaneGrid({ widths, children }: { readonly widths: readonly number[]; readonly children: ReactNode }) {
  const grid = useRef<HTMLDivElement>(null);
  const { width: room } = useSize(grid);
  const columns = columnsFor(widths, room);
  return (
    <div
      ref={grid}
      className={classes(styles.grid, columns.length === 1 && widths.length > 1 && styles.stack)}
      style={{
        gridTemplateColumns: columns.map(({ least, share }) => `minmax(min(${least}px, 100%), ${share}fr)`).join(" "),
      }}
    >
      {children}
    </div>
  );
}

/**
 * Email width in CSS pixels from which a pane gets half as much space again. A threshold, so that panes stay put while
 * a panel is resized.
 */
const WIDE = 600;

interface Column {
  /** Minimum width in CSS pixels: a phone's email is almost at its full size, a wide one is readable in outline. */
  readonly least: number;
  readonly share: number;
}

const columnOf = (width: number): Column => (width < WIDE ? { least: 360, share: 2 } : { least: 328, share: 3 });

/** The columns of a grid of panes: as many as fit into a room in CSS pixels, with the same number in every row. */
function columnsFor(widths: readonly number[], room: number): readonly Column[] {
  const counts = [...new Set([widths.length, 2])].filter((count) => count > 1 && count <= widths.length);
  const choices = counts.map((count) =>
    widths.slice(0, count).map((_, at) => widest(widths.filter((__, index) => index % count === at))),
  );
  return choices.find((columns) => columns.reduce((sum, { least }) => sum + least, 0) <= room) ?? [widest(widths)];
}

/** Wide enough for each pane of a column. */
function widest(widths: readonly number[]): Column {
  const columns = widths.map(columnOf);
  return {
    least: Math.max(0, ...columns.map(({ least }) => least)),
    share: Math.max(1, ...columns.map(({ share }) => share)),
  };
}

function StageBar() {
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
          title={`Scale to fit (${accessibleKeys("z")})`}
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
          ...LAYOUTS.map((layout) => ({ label: layout.name, keys: layout.keys, onChoose: () => applyLayout(layout) })),
          { label: "Add a pane", keys: "l a", isDisabled: panes.length >= mostPanes, onChoose: addPane },
          ...comparisons.map(({ title, run }) => ({ label: title, onChoose: run })),
        ]}
      />
    </>
  );
}
