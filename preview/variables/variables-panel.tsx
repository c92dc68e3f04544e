import { Braces } from "lucide-react";
import { useRef } from "react";
import { useTemplate } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar, Space } from "../ui/bar.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { later } from "../ui/later.js";
import { Segmented } from "../ui/segmented.js";
import { type Editing, useEditing } from "./editing.js";
import { VariablesForm } from "./form/form.js";
import { Note, Notes } from "./notes.js";
import { PanelMenus } from "./panel-menus.js";
import styles from "./panel.module.css";
import { SaveBar } from "./save/save-bar.js";
import { usePanelCommands } from "./use-panel-commands.js";

const JsonView = later(async () => (await import("./json/json-view.js")).JsonView);

/** The variables that fill the template, as a form or as JSON. */
export const VariablesPanel = () => {
  const { right, template } = useView();
  const { detail } = useTemplate(template);
  const editing = useEditing();
  return (
    <div className={styles.panel}>
      <Bar isHigh>
        <h2 className={styles.title}>Variables</h2>
        <Space />
        <Segmented
          label="Edit variables as"
          value={right ?? "form"}
          options={[
            { value: "form", label: "Form" },
            { value: "json", label: "JSON" },
          ]}
          onChange={(next) => changeView({ right: next })}
        />
        <span className={styles.menus}>{editing && <PanelMenus editing={editing} />}</span>
      </Bar>
      {editing ? (
        <Body editing={editing} isJson={right === "json"} />
      ) : detail === undefined ? (
        <div className={styles.body} />
      ) : (
        <EmptyState icon={Braces} title="No variables yet">
          The variables show up once the template compiles.
        </EmptyState>
      )}
    </div>
  );
};

const Body = ({ editing, isJson }: { readonly editing: Editing; readonly isJson: boolean }) => {
  const body = useRef<HTMLDivElement>(null);
  usePanelCommands(editing, () => {
    body.current?.querySelector<HTMLElement>(".cm-content, input, textarea, select, button")?.focus();
  });
  return (
    <>
      {editing.obstacle !== undefined && <Note tone="warning" words={editing.obstacle} />}
      <div ref={body} className={classes(styles.body, !isJson && styles.scroll)}>
        {isJson ? (
          <JsonView editing={editing} />
        ) : (
          <VariablesForm
            // Folded groups belong to one fixture.
            key={editing.key}
            schema={editing.schema}
            input={editing.input}
            problems={editing.problems}
            isLocked={editing.obstacle !== undefined || editing.draft?.problem !== undefined}
            check={editing.check}
            onChange={editing.change}
            onUndo={() => editing.undo?.()}
            onRedo={() => editing.redo?.()}
          />
        )}
      </div>
      <Notes editing={editing} isJson={isJson} />
      <SaveBar editing={editing} isJson={isJson} fields={body} />
    </>
  );
};
