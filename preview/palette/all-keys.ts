/**
 * All shortcuts. None is the beginning of another: if `w` were a shortcut, pressing `w d` would run it and then the one
 * for `d`.
 */
export const allKeys = [
  // The page.
  ...(["mod+k", "?", "g t", "g i", "s", "shift+l", "[", "]"] as const),
  // Lists of templates and emails.
  ...(["/", "j", "k", "shift+j", "shift+k", "enter", "delete", "shift+r"] as const),
  // What is shown and how.
  ...(["1", "2", "3", "4", "5", "i", "z", "mod+f"] as const),
  // Panes.
  ...([
    "l 1",
    "l d",
    "l p",
    "l 4",
    "l a",
    "l x",
    "d",
    "w w",
    "w d",
    "w t",
    "w p",
    "w s",
    "x",
    "r",
    "+",
    "-",
    "0",
  ] as const),
  // Findings.
  ...(["mod+j", "p", "g l", "g m", "g c", "g z", "g v", "g r", "n", "shift+n"] as const),
  // Variables.
  ...(["e", "shift+e", "mod+s", "mod+shift+s", "mod+z", "mod+shift+z", "shift+u"] as const),
] as const;

export type Keys = (typeof allKeys)[number];
