import { Plus, Rows3, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { inGroup, useCommands } from "../palette/commands.js";
import { useProject, useSource } from "../state/data.js";
import { preferences } from "../state/stores.js";
import { changeView, useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { KeyHint } from "../ui/keys.js";
import { SearchBar } from "../ui/bar.js";
import { Spoken } from "../ui/text.js";
import { rowsOf } from "./rows.js";
import { searchTemplates } from "./search.js";
import { Tree } from "./tree.js";
import type { TemplateSummary } from "../../src/preview/contract.js";
import styles from "./sidebar.module.css";

const stepped = (all: readonly string[], current: string | undefined, step: 1 | -1): string | undefined => {
  const at = current === undefined ? -1 : all.indexOf(current);
  return all[(at + step + all.length) % all.length];
};

/** Commands that step through the listed templates and through the selected template's fixtures. */
const useSteps = (listed: readonly TemplateSummary[]): void => {
  const { template, fixture } = useView();
  const names = listed.map(({ name }) => name);
  const fixtures = listed.find(({ name }) => name === template)?.fixtures ?? [];
  const toTemplate = (step: 1 | -1) => {
    const name = stepped(names, template, step);
    if (name !== undefined) changeView({ template: name });
  };
  const toFixture = (step: 1 | -1) => {
    const name = stepped(fixtures, fixture ?? fixtures[0], step);
    if (name !== undefined) changeView({ fixture: name });
  };
  useCommands(
    inGroup("Templates", [
      { id: "next-template", title: "Next template", keys: "j", run: () => toTemplate(1) },
      { id: "previous-template", title: "Previous template", keys: "k", run: () => toTemplate(-1) },
      { id: "next-fixture", title: "Next fixture", keys: "shift+j", run: () => toFixture(1) },
      { id: "previous-fixture", title: "Previous fixture", keys: "shift+k", run: () => toFixture(-1) },
    ]),
  );
};

/** The text content of all templates, requested when the user searches, and again after templates have changed. */
const useContents = (isWanted: boolean): Readonly<Record<string, string>> | undefined => {
  const source = useSource();
  const { templates } = useProject();
  const [contents, setContents] = useState<Readonly<Record<string, string>>>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    source.contents().then(
      (all) => isCurrent && setContents(all),
      // Names and subjects can still be searched.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [source, isWanted, templates]);
  return contents;
};

/** The templates, with one line each or as an inbox would show them. */
export const Sidebar = ({ onNew }: { readonly onNew: () => void }) => {
  const { templates, can } = useProject();
  const { template, search = "" } = useView();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [isRich, setIsRich] = useState(preferences.read("list") === "rich");
  const field = useRef<HTMLInputElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const query = useDeferredValue(search);
  const contents = useContents(query.trim() !== "");
  const hits = useMemo(() => searchTemplates(templates, query, contents), [templates, query, contents]);
  // Search results are shown even in closed groups.
  const isSearching = query.trim() !== "";
  const rows = useMemo(
    () => rowsOf(hits, { chosen: template, closed: isSearching ? new Set() : closed }),
    [hits, template, closed, isSearching],
  );
  const setSearch = (text: string) => changeView({ search: text === "" ? undefined : text });
  const chooseFirst = () => {
    // The rendered list may be behind what was typed.
    const [first] = searchTemplates(templates, search, contents);
    if (first) changeView({ screen: "template", template: first.template.name });
  };
  useSteps(hits.map((hit) => hit.template));
  const toggleRich = () => {
    setIsRich(!isRich);
    preferences.write("list", isRich ? "compact" : "rich");
  };
  const otherList = isRich ? "List templates by name only" : "List templates with their subjects";
  useCommands(
    inGroup("Templates", [
      { id: "list", title: otherList, run: toggleRich },
      { id: "search", title: "Search the templates", keys: "/", run: () => field.current?.select() },
    ]),
  );

  return (
    <>
      <SearchBar
        ref={field}
        type="text"
        inputMode="search"
        aria-label="Search names, subjects and contents"
        placeholder="Search templates"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && search !== "") setSearch("");
          else if (event.key === "Enter" && search.trim() !== "" && !event.nativeEvent.isComposing) chooseFirst();
          else if (event.key === "ArrowDown") tree.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
          else return;
          event.preventDefault();
        }}
      >
        {search === "" ? (
          <KeyHint keys="/" />
        ) : (
          <IconButton icon={X} label="Clear search" onClick={() => (setSearch(""), field.current?.focus())} />
        )}
        <IconButton icon={Rows3} label="Subjects in the list" isPressed={isRich} onClick={toggleRich} />
        {can.changeTemplates && <IconButton icon={Plus} label="New template" onClick={onNew} />}
      </SearchBar>
      {hits.length === 0 ? (
        <p className={styles.none}>No template has "{query.trim()}" in its name, subject or content.</p>
      ) : (
        <Tree
          ref={tree}
          rows={rows}
          // Search results show the subject, because it may contain the match.
          isRich={isRich || isSearching}
          onToggle={(prefix) =>
            setClosed((before) => {
              const next = new Set(before);
              if (!next.delete(prefix)) next.add(prefix);
              return next;
            })
          }
        />
      )}
      <div role="status">
        {isSearching && <Spoken>{hits.length === 1 ? "1 template found" : `${hits.length} templates found`}</Spoken>}
      </div>
    </>
  );
};
