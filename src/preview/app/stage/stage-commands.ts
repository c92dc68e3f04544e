import { type Command, useCommands } from "../palette/commands.js";
import { desktop } from "../state/pane.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { textSizeAfter } from "./pane-options.js";
import {
  addPane,
  changeAllPanes,
  closePane,
  LAYOUTS,
  layOut,
  toggleFullSize,
  toggleInspecting,
  toggleScrolling,
} from "./panes.js";
import { SCHEMES } from "./schemes.js";
import { useRemoteImages } from "./remote-images.js";
import { MODES } from "./stage-bar.js";
import { WIDTHS } from "./widths.js";

/** What the palette and the keys can do with the panes: all of them at once, so that nothing has to be pointed at first. */
export function useStageCommands(): void {
  const { isInspecting, isFullSize, scrollsApart } = useView();
  const remote = useRemoteImages();
  useCommands([
    ...MODES.map(({ value, label }, index): Command => {
      const run = () => changeView({ mode: value });
      return { id: `mode-${value}`, title: `Show: ${label}`, group: "View", keys: String(index + 1), run };
    }),
    ...LAYOUTS.map((layout): Command => {
      const run = () => layOut(layout);
      return { id: `layout-${layout.id}`, title: layout.name, group: "Panes", keys: layout.keys, run };
    }),
    { id: "pane-add", title: "Add a pane", group: "Panes", keys: "l a", run: addPane },
    {
      id: "pane-close",
      title: "Close the last pane",
      group: "Panes",
      keys: "l x",
      run: () => closePane(currentView().panes.length - 1),
    },
    {
      id: "scheme-next",
      title: "Next scheme",
      group: "Panes",
      keys: "d",
      run: () => changeAllPanes(({ scheme }) => ({ scheme: after(SCHEMES, ({ value }) => value === scheme).value })),
    },
    ...SCHEMES.map(({ value, label }): Command => {
      const run = () => changeAllPanes(() => ({ scheme: value }));
      return { id: `scheme-${value}`, title: `Scheme: ${label.toLowerCase()}`, group: "Panes", run };
    }),
    {
      id: "width-next",
      title: "Next width",
      group: "Panes",
      keys: "w",
      run: () => changeAllPanes((first) => ({ width: after(WIDTHS, ({ width }) => width === first.width).width })),
    },
    ...WIDTHS.map(({ id, name, width }): Command => {
      const run = () => changeAllPanes(() => ({ width }));
      return {
        id: `width-${id}`,
        title: `Width: ${name.toLowerCase()}, ${width}`,
        group: "Panes",
        keys: `w ${id[0]}`,
        run,
      };
    }),
    {
      id: "images-blocked",
      title: "Block images, or show them",
      group: "Panes",
      keys: "x",
      run: () => changeAllPanes(({ areImagesBlocked }) => ({ areImagesBlocked: !areImagesBlocked })),
    },
    {
      id: "right-to-left",
      title: "Right to left, or not",
      group: "Panes",
      keys: "r",
      run: () => changeAllPanes(({ isRightToLeft }) => ({ isRightToLeft: !isRightToLeft })),
    },
    { id: "text-larger", title: "Larger text", group: "Panes", keys: "+", run: () => resize(25) },
    { id: "text-smaller", title: "Smaller text", group: "Panes", keys: "-", run: () => resize(-25) },
    {
      id: "text-usual",
      title: "Usual text size",
      group: "Panes",
      keys: "0",
      run: () => changeAllPanes(() => ({ textSize: desktop.textSize })),
    },
    {
      id: "inspect",
      title: isInspecting ? "Stop inspecting elements" : "Inspect elements",
      group: "View",
      keys: "i",
      run: toggleInspecting,
    },
    {
      id: "fit",
      title: isFullSize ? "Scale panes to fit" : "Show panes in full size",
      group: "View",
      keys: "z",
      run: toggleFullSize,
    },
    {
      id: "scroll-together",
      title: scrollsApart ? "Scroll panes together" : "Scroll panes apart",
      group: "View",
      run: toggleScrolling,
    },
    {
      id: "remote-images",
      title: remote.areShown ? "Hide images of other hosts" : "Show images of other hosts",
      group: "View",
      run: remote.toggle,
    },
  ]);
}

/** The one behind the chosen one, and the first behind the last. */
function after<Choice>(choices: readonly [Choice, ...Choice[]], isChosen: (choice: Choice) => boolean): Choice {
  return choices[(choices.findIndex(isChosen) + 1) % choices.length] ?? choices[0];
}

function resize(step: number): void {
  changeAllPanes(({ textSize }) => ({ textSize: textSizeAfter(textSize, step) }));
}
