import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { grouped } from "../state/counts.js";
import { bringIntoSight } from "../ui/bring-into-sight.js";
import { Modal } from "../ui/dialog.js";
import { Highlight, Spoken, Visible } from "../ui/text.js";
import { KeyHint } from "../ui/keys.js";
import { useMails, useProject, useSource } from "../state/data.js";
import { changeView, folderView } from "../state/view-store.js";
import { type PageCommand, useAllCommands } from "./commands.js";
import { type Match, matchOf } from "./match.js";
import bar from "../ui/bar.module.css";
import { classes } from "../ui/classes.js";
import styles from "./palette.module.css";

/** Something to choose in the palette. */
interface Entry extends PageCommand {
  /** Shown next to the title in a lighter colour. */
  readonly note?: string;
}

interface Found extends Entry {
  readonly match: Match;
}

/** Maximum number of matches, and of templates without a query. */
const MOST = 40;
const MOST_TEMPLATES = 8;

/** Everything in the page that can be opened or run. */
const useEntries = (): readonly Entry[] => {
  const { templates } = useProject();
  const mails = useMails();
  const commands = useAllCommands();
  return [
    ...templates.map(({ name, subject }) => ({
      id: `template ${name}`,
      group: "Templates",
      title: name,
      note: subject,
      run: () => changeView({ screen: "template", template: name }),
    })),
    // The palette is already open.
    ...commands.filter(({ id }) => id !== "palette"),
    ...templates.flatMap(({ name, fixtures }) =>
      fixtures.map((fixture) => ({
        id: `fixture ${name} ${fixture}`,
        group: "Fixtures",
        title: `${name} / ${fixture}`,
        run: () => changeView({ screen: "template", template: name, fixture }, "push"),
      })),
    ),
    ...mails.map(({ id, folder, subject, receivedBy, to }) => ({
      id: `mail ${id}`,
      group: "Inbox",
      title: subject === "" ? "(no subject)" : subject,
      note: [...(receivedBy === undefined ? [] : [`${receivedBy} →`]), to.join(", ")].join(" "),
      run: () => changeView({ ...folderView(folder), mail: id }),
    })),
  ];
};

/** Best matches first, grouped. Without a query: some templates and all commands. */
const findEntries = (entries: readonly Entry[], query: string): readonly Found[] => {
  const results = entries.flatMap((entry) => {
    const match = matchOf(query, entry.title);
    return match ? [{ ...entry, match }] : [];
  });
  let templates = 0;
  if (query.trim() === "")
    return results.filter(({ group }) =>
      group === "Templates" ? templates++ < MOST_TEMPLATES : group !== "Fixtures" && group !== "Inbox",
    );
  const score = ({ group, match }: Found) => match.score + (group === "Templates" ? 10 : group === "Fixtures" ? 5 : 0);
  const best = results.sort((a, b) => score(b) - score(a)).slice(0, MOST);
  return [...grouped(best, ({ group }) => group).values()].flat();
};

/** What the palette is for. The local service's page has no templates. */
export const usePaletteTitle = (): string =>
  `Go to ${useSource().kind === "local-service" ? "an email" : "a template"} or run a command`;

export const Palette = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => (
  <Modal isOpen={isOpen} size="middle" label={usePaletteTitle()} onClose={onClose}>
    <Finder onClose={onClose} />
  </Modal>
);

const Finder = ({ onClose }: { readonly onClose: () => void }) => {
  const hasTemplates = useSource().kind !== "local-service";
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const results = findEntries(useEntries(), query);
  const groups = [...grouped(results, ({ group }) => group)];
  const shown = groups.flatMap(([, entries]) => entries);
  const at = Math.min(chosen, shown.length - 1);
  const optionId = (entry: Found) => `${id}-${shown.indexOf(entry)}`;

  useEffect(() => {
    bringIntoSight(list.current?.querySelector("[aria-selected=true]"), list.current);
  }, [at, query]);

  const run = (entry: Found | undefined) => {
    if (!entry) return;
    onClose();
    // Runs after the dialog has returned the focus, so that the command can move it.
    setTimeout(entry.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (next !== undefined && shown.length > 0) {
      event.preventDefault();
      const isStep = event.key.startsWith("Arrow");
      setChosen(isStep ? (next + shown.length) % shown.length : Math.min(shown.length - 1, Math.max(0, next)));
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(shown[at]);
    }
  };

  return (
    <>
      <div className={classes(bar.search, styles.head)}>
        <Search size={16} aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-label={hasTemplates ? "Template, fixture, email or command" : "Email or command"}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown[at] && `${id}-${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={usePaletteTitle()}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <KeyHint keys="escape" />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={styles.list}>
        {groups.map(([group, entries]) => (
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden className={styles.group}>
              {group}
            </div>
            {entries.map((entry) => (
              <div
                key={entry.id}
                id={optionId(entry)}
                role="option"
                aria-selected={entry === shown[at]}
                className={styles.option}
                onPointerMove={() => setChosen(shown.indexOf(entry))}
                onClick={() => run(entry)}
              >
                <span className={styles.title}>
                  <Highlight text={entry.title} ranges={entry.match.ranges} />
                </span>
                {entry.note && (
                  <span className={styles.note}>
                    <Visible text={entry.note} />
                  </span>
                )}
                {entry.keys && <KeyHint keys={entry.keys} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className={styles.none}>Nothing matches "{query}".</p>}
      <div role="status">
        <Spoken>{shown.length === 1 ? "1 result" : `${shown.length} results`}</Spoken>
      </div>
    </>
  );
};
