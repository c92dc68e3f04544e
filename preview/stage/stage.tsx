import { ExportCommands } from "../export/export-commands.js";
import { useTemplate } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { useView } from "../state/view-store.js";
import { CompiledCode } from "./compiled-code.js";
import { EmailPane } from "./email-pane.js";
import { FilledCode, panesByFill } from "./filled-code.js";
import { FixtureChoice } from "./pane-bar.js";
import { PaneGrid } from "./pane-grid.js";
import { SourceCode } from "./source-code.js";
import { StageBar } from "./stage-bar.js";
import { useStageCommands } from "./stage-commands.js";
import styles from "./stage.module.css";

/** The email in one to four panes, or its code. */
export function Stage() {
  useStageCommands();
  return (
    <div className={styles.stage}>
      <StageBar />
      <ExportCommands />
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
  const count = panes.length;
  if (mode === "rendered")
    return (
      <PaneGrid widths={panes.map(({ width }) => width)}>
        {panes.map((pane, index) => (
          <EmailPane key={index} {...{ pane, index, count }} />
        ))}
      </PaneGrid>
    );
  const names = detail.fixtures.map(({ name }) => name);
  const fixtureOf = ({ fixture: own }: Pane) =>
    [own, fixture].find((name) => name && names.includes(name)) ?? names[0] ?? "";
  const filled = panesByFill(panes, fixtureOf);
  return (
    <PaneGrid widths={filled.map(({ pane }) => pane.width)}>
      {filled.map(({ pane, index }) => (
        <FilledCode key={`${mode}-${index}`} pane={pane} index={index} part={mode}>
          <FixtureChoice {...{ pane, index, count }} />
        </FilledCode>
      ))}
    </PaneGrid>
  );
}
