import { Braces, Ellipsis, SquareCode } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTemplate } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar, Space } from "../ui/bar.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { later } from "../ui/later.js";
import { Segmented } from "../ui/field.js";
import { type Editing, useEditing } from "./editing.js";
import { VariablesForm } from "./form/form.js";
import { controlsIn, SaveBar } from "./save-bar.js";
import { Menu } from "../ui/popover.js";
import { copyText } from "../ui/copy.js";
import { sendCall, printJson } from "./json/read.js";
import { PresetsMenu } from "./presets-menu.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { notify } from "../ui/notice.js";
import { Button } from "../ui/button.js";
import { drafts, type InvalidJson } from "./unsaved.js";
import styles from "./panel.module.css";

const nothing = (what: string) => () => notify(`There is nothing to ${what}`);

/** The panel's commands, for the palette and shortcuts. */
function usePanelCommands(editing: Editing, focus: () => void): void {
  const show = (right: "form" | "json"): void => {
    changeView({ right });
    // Waits until it is rendered.
    requestAnimationFrame(focus);
  };
  // Invalid JSON has its own undo in the editor.
  const isWhole = editing.draft?.problem === undefined;
  const undo = () => ((isWhole && editing.undo) || nothing("undo"))();
  const redo = () => ((isWhole && editing.redo) || nothing("redo"))();
  const reset = () => (editing.isEdited || !isWhole ? editing.reset : nothing("reset"))();
  useCommands(
    inGroup("Variables", [
      { id: "variables-form", title: "Edit variables in a form", keys: "e", run: () => show("form") },
      { id: "variables-json", title: "Edit variables as JSON", keys: "shift+e", run: () => show("json") },
      { id: "variables-undo", title: "Undo the last edit", keys: "mod+z", run: undo },
      { id: "variables-redo", title: "Redo the last edit", keys: "mod+shift+z", run: redo },
      { id: "variables-reset", title: "Reset the variables", keys: "shift+u", run: reset },
      { id: "variables-copy", title: "Copy variables as JSON", run: () => copyJson(editing) },
      { id: "variables-copy-call", title: "Copy as mailer.send(…)", run: () => copyCall(editing) },
    ]),
  );
}

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
        <div className="fill" />
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
  usePanelCommands(editing, () => controlsIn(body.current)[0]?.focus());
  return (
    <>
      {editing.obstacle !== undefined && <Note tone="warning" words={editing.obstacle} />}
      <div ref={body} className={classes("fill", !isJson && styles.scroll)}>
        {isJson ? (
          <JsonView editing={editing} />
        ) : (
          // Folded groups belong to one fixture.
          <VariablesForm key={editing.key} editing={editing} />
        )}
      </div>
      <Notes editing={editing} isJson={isJson} />
      <SaveBar editing={editing} isJson={isJson} fields={body} />
    </>
  );
};

const PanelMenus = ({ editing }: { readonly editing: Editing }) => (
  <>
    <PresetsMenu editing={editing} />
    <Menu
      label="More"
      icon={Ellipsis}
      items={[
        { label: "Copy as JSON", icon: Braces, onChoose: () => copyJson(editing) },
        { label: "Copy as mailer.send(…)", icon: SquareCode, onChoose: () => copyCall(editing) },
      ]}
    />
  </>
);

/** Notes on why the email may not show these variables. */
const Notes = ({ editing, isJson }: { readonly editing: Editing; readonly isJson: boolean }) => {
  const { draft, fixture, isOutdated, problems, key } = editing;
  // Problems of a single variable are shown at its field.
  const whole = problems.filter(({ path }) => path.length === 0);
  return (
    <>
      {draft?.problem && isJson && <Note tone="warning" words="The email shows the last valid JSON." />}
      {draft?.problem && !isJson && (
        <Note tone="error" words={jsonProblem(draft.problem)}>
          <Button onClick={() => changeView({ right: "json" })}>Fix the JSON</Button>
          <Button kind="quiet" onClick={() => drafts.set(key, undefined)}>
            Discard it
          </Button>
        </Note>
      )}
      {fixture?.isMadeUp && (
        <Note
          tone="warning"
          words={`This template has no fixture, so these values are made up. Enter real ones and save them as ${fixture.file}.`}
        />
      )}
      {!isJson && whole.map(({ message }) => <Note key={message} tone="error" words={message} />)}
      {isOutdated && (
        <Note
          tone="warning"
          words={`${fixture?.name} changed on disk after you started editing. Saving overwrites that change.`}
        >
          <Button onClick={editing.reset}>Use the version on disk</Button>
        </Note>
      )}
    </>
  );
};

const Note = ({
  tone,
  words,
  children,
}: {
  readonly tone: "error" | "warning";
  readonly words: string;
  readonly children?: ReactNode;
}) => (
  <div role="status" data-tone={tone} className={styles.note}>
    <p>{words}</p>
    {children && <span className={styles.buttons}>{children}</span>}
  </div>
);

function jsonProblem({ line, column, message }: InvalidJson): string {
  return `The JSON isn't valid: line ${line}, column ${column}: ${message} The email shows the last valid JSON.`;
}

function copyJson({ input }: Editing): void {
  void copyText(printJson(input), "JSON");
}

function copyCall({ detail, input }: Editing): void {
  void copyText(sendCall(detail.name, input), "Call");
}
