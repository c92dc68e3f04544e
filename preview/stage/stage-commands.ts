import { pendingFind } from "../code/later-code-view.js";
import { type PageCommand, inGroup, type ShortcutKeys, useCommands } from "../palette/commands.js";
import { useOfProject, useSource, useSummary } from "../state/data.js";
import { desktop, OWN_VERSION, versionOf, type Mode, type Pane } from "../state/view.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { failed, notify } from "../ui/notice.js";
import {
  addPane,
  changeAllPanes,
  changeFocusedPane,
  closePane,
  compare,
  compareWithDeployed,
  focusedPane,
  LAYOUTS,
  applyLayout,
  resetZoom,
  SCHEMES,
  textSizeAfter,
  toggleFit,
  toggleInspecting,
  toggleScrolling,
  WIDTHS,
  zoomIn,
  zoomOut,
} from "./panes.js";
import { useRemoteImages } from "./remote-images.js";

export const MODES: readonly { readonly value: Mode; readonly keys: ShortcutKeys; readonly label: string }[] = [
  { value: "rendered", keys: "1", label: "Rendered" },
  { value: "html", keys: "2", label: "HTML" },
  { value: "mustache", keys: "3", label: "Mustache" },
  { value: "text", keys: "4", label: "Text" },
  { value: "source", keys: "5", label: "Source" },
];

/** A command that applies to one pane or to all of them. */
interface PaneCommand extends Pick<PageCommand, "id" | "title" | "keys"> {
  readonly change: (pane: Pane) => Partial<Pane>;
}

const PANE_COMMANDS: readonly PaneCommand[] = [
  {
    id: "scheme-next",
    title: "Next scheme",
    keys: "d",
    change: ({ scheme }) => ({ scheme: after(SCHEMES, ({ value }) => value === scheme).value }),
  },
  ...SCHEMES.map(({ value, label }): PaneCommand => ({
    id: `scheme-${value}`,
    title: `Scheme: ${label.toLowerCase()}`,
    change: () => ({ scheme: value }),
  })),
  {
    id: "width-next",
    title: "Next width",
    keys: "w w",
    change: (pane) => ({ width: after(WIDTHS, ({ width }) => width === pane.width).width }),
  },
  ...WIDTHS.map(({ id, name, keys, width }): PaneCommand => ({
    id: `width-${id}`,
    title: `Width: ${name.toLowerCase()}, ${width}`,
    keys,
    change: () => ({ width }),
  })),
  {
    id: "images-blocked",
    title: "Block or show images",
    keys: "x",
    change: ({ areImagesBlocked }) => ({ areImagesBlocked: !areImagesBlocked }),
  },
  {
    id: "right-to-left",
    title: "Toggle right to left",
    keys: "r",
    change: ({ isRightToLeft }) => ({ isRightToLeft: !isRightToLeft }),
  },
  { id: "text-larger", title: "Larger text", keys: "+", change: resized(25) },
  { id: "text-smaller", title: "Smaller text", keys: "-", change: resized(-25) },
  { id: "text-usual", title: "Reset text size", keys: "0", change: () => ({ textSize: desktop.textSize }) },
];

/** The commands for panes. Shortcuts act on the focused pane; the palette can also change all panes. */
export function useStageCommands(): void {
  const { mode, panes, isInspecting, zoom, scrollsApart } = useView();
  const remote = useRemoteImages();
  const comparisons = useComparisons();
  const findInSource = () => {
    pendingFind.ask();
    changeView({ mode: "source" });
  };
  useCommands([
    ...inGroup(
      "View",
      MODES.map(({ value, label, keys }) => {
        const run = () => changeView({ mode: value });
        return { id: `mode-${value}`, title: `Show: ${label}`, keys, run };
      }),
    ),
    // Code views offer their own find command.
    ...inGroup("Code", [mode === "rendered" && { id: "find-source", title: "Find in the source", run: findInSource }]),
    ...inGroup("Panes", [
      ...LAYOUTS.map((layout) => {
        const run = () => applyLayout(layout);
        return { id: `layout-${layout.id}`, title: layout.name, keys: layout.keys, run };
      }),
      ...comparisons.map(({ id, ...comparison }) => ({ ...comparison, id: `compare-${id}` })),
      { id: "pane-add", title: "Add a pane", keys: "l a", run: addPane },
      {
        id: "pane-close",
        title: "Close the pane",
        keys: "l x",
        run: () => closePane(focusedPane(currentView().panes.length)),
      },
      ...PANE_COMMANDS.map(({ change, ...command }) => ({ ...command, run: () => changeFocusedPane(change) })),
      ...(panes.length > 1 ? PANE_COMMANDS : []).map(({ id, title, change }) => {
        const run = () => changeAllPanes(change);
        return { id: `${id}-all`, title: `${title}, in all panes`, run };
      }),
    ]),
    ...inGroup("View", [
      {
        id: "inspect",
        title: isInspecting ? "Stop inspecting elements" : "Inspect elements",
        keys: "i",
        run: toggleInspecting,
      },
      {
        id: "fit",
        title: zoom === undefined ? "Show panes at full size" : "Scale panes to fit",
        keys: "z",
        run: toggleFit,
      },
      { id: "zoom-in", title: "Zoom in", run: zoomIn },
      { id: "zoom-out", title: "Zoom out", run: zoomOut },
      { id: "zoom-reset", title: "Reset zoom", run: resetZoom },
      {
        id: "scroll-together",
        title: scrollsApart ? "Sync scrolling" : "Don't sync scrolling",
        run: toggleScrolling,
      },
      {
        id: "remote-images",
        title: remote.areShown ? "Hide remote images" : "Show remote images",
        run: remote.toggle,
      },
      remote.showAlways && {
        id: "remote-images-always",
        title: "Always show remote images",
        run: remote.showAlways,
      },
    ]),
  ]);
}

/** The choice after the current one, wrapping around at the end. */
function after<Choice>(choices: readonly [Choice, ...Choice[]], isChosen: (choice: Choice) => boolean): Choice {
  return choices[(choices.findIndex(isChosen) + 1) % choices.length] ?? choices[0];
}

function resized(step: number): PaneCommand["change"] {
  return ({ textSize }) => ({ textSize: textSizeAfter(textSize, step) });
}

/** What the view's template can be compared with. */
export function useComparisons(): readonly Pick<PageCommand, "id" | "title" | "run">[] {
  const { name = "", fixtures = [] } = useSummary() ?? {};
  const { seeCommits, seeRemote } = useOfProject(({ can }) => can);
  const environments = useOfProject((project) => project.environments);
  const source = useSource();
  const withCommits = (show: (commits: Awaited<ReturnType<typeof source.commits>>) => void) =>
    source.commits(name).then(show, failed("Couldn't read the commits"));
  const compareFixtures = () => {
    // The view's fixture and the one after it.
    const chosen = Math.max(0, fixtures.indexOf(currentView().fixture ?? "default"));
    compare({ fixture: undefined }, { fixture: fixtures[(chosen + 1) % fixtures.length] });
  };
  const compareWithLastCommit = () =>
    withCommits(({ last }) => {
      if (last) compare(versionOf(OWN_VERSION), versionOf(`commit:${last.hash}`));
      else notify("Nothing has been committed yet.", "error");
    });
  const compareCommits = () =>
    withCommits(({ ofTemplate: [newer, older] }) => {
      if (newer && older) compare(versionOf(`commit:${newer.hash}`), versionOf(`commit:${older.hash}`));
      else notify(`Fewer than two commits have changed ${name}.`, "error");
    });
  return [
    fixtures.length > 1 && { id: "fixtures", title: "Compare two fixtures", run: compareFixtures },
    seeCommits && { id: "last-commit", title: "Compare with the last commit", run: compareWithLastCommit },
    seeCommits && { id: "two-commits", title: "Compare two commits", run: compareCommits },
    ...(seeRemote ? environments : []).map(
      (environment) =>
        environment.hasKey && {
          id: `deployed-${environment.name}`,
          title: `Compare with the version deployed to ${environment.name}`,
          run: () => compareWithDeployed(environment.name),
        },
    ),
  ].filter((comparison) => comparison !== false);
}
