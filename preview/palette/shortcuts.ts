import { useEffect } from "react";
import { preferences } from "../state/stores.js";
import { allKeys } from "./all-keys.js";
import { type Command, currentCommands } from "./commands.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Maximum time in ms between the two keys of `g i`. */
const sequencePause = 1_200;

let first: { readonly stroke: string; readonly at: number } | undefined;

/** Single-key shortcuts can be turned off, because voice input can trigger them by accident. */
export const singleKeys = {
  areOn: () => preferences.read("single-keys") !== "off",
  set: (areOn: boolean) => preferences.write("single-keys", areOn ? "on" : "off"),
};

/**
 * `mod+k`, `shift+j`, `?`. Shift is only included for letters, because whether a symbol needs it depends on the
 * keyboard layout.
 */
const strokeOf = (event: KeyboardEvent): string => {
  const isLetter = /^[a-z]$/i.test(event.key);
  // Some systems report AltGr, which types `[` on many keyboards, as Ctrl and Alt.
  const isAltGraph = event.getModifierState("AltGraph");
  return [
    !isAltGraph && (isMac ? event.metaKey : event.ctrlKey) && "mod",
    !isAltGraph && event.altKey && "alt",
    event.shiftKey && (isLetter || event.key.length > 1) && "shift",
    named(event.key),
  ]
    .filter(Boolean)
    .join("+");
};

/** The delete key of a Mac keyboard reports Backspace. */
const named = (key: string): string =>
  key === "Backspace" ? "delete" : (key.startsWith("Arrow") ? key.slice(5) : key).toLowerCase();

/** In a text field, these apply to the text in it. */
const ofFields = new Set(["mod+z", "mod+shift+z"]);

const takesText = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])",
  ) !== null;

const commandOf = (event: KeyboardEvent): Command | undefined => {
  const stroke = strokeOf(event);
  const isSingle = !stroke.startsWith("mod+");
  if ((isSingle || ofFields.has(stroke)) && takesText(event.target)) return undefined;
  if (isSingle && !singleKeys.areOn()) return undefined;
  const sequence = first && event.timeStamp - first.at < sequencePause ? `${first.stroke} ${stroke}` : stroke;
  first = undefined;
  const commands = currentCommands();
  // A sequence that isn't available now does nothing; its second key doesn't run on its own.
  if (allKeys.some((keys) => keys === sequence)) return commands.find(({ keys }) => keys === sequence);
  if (allKeys.some((keys) => keys.startsWith(`${stroke} `))) first = { stroke, at: event.timeStamp };
  return commands.find(({ keys }) => keys === stroke);
};

/** Runs the command of the pressed keys. Email frames forward their key events to the page. */
const onPageKey = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog:modal")) return;
  const command = commandOf(event);
  if (!command) return;
  event.preventDefault();
  if (!event.repeat || !command.runsOnce) command.run();
};

export const useShortcuts = (): void => {
  useEffect(() => {
    document.addEventListener("keydown", onPageKey);
    return () => document.removeEventListener("keydown", onPageKey);
  }, []);
};
