import { useEffect } from "react";
import { kept } from "../state/kept.js";
import { allKeys } from "./all-keys.js";
import { type Command, currentCommands } from "./commands.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How long the second key of `g i` may take. */
const sequencePause = 1_200;

let first: { readonly stroke: string; readonly at: number } | undefined;

/** Keys without a modifier can be switched off: who speaks to the computer says letters by accident. */
export const singleKeys = {
  areOn: () => kept.read("single-keys") !== "off",
  set: (areOn: boolean) => kept.write("single-keys", areOn ? "on" : "off"),
};

/** `mod+k`, `shift+j`, `?`: a mark that needs Shift on one keyboard does not on another, so that only letters tell it. */
const strokeOf = (event: KeyboardEvent): string => {
  const isLetter = /^[a-z]$/i.test(event.key);
  // Which some systems report as Ctrl and Alt: on many keyboards it is how `[` is typed.
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

/** A Mac's keyboard has one key that deletes, and reports it as Backspace. */
const named = (key: string): string =>
  key === "Backspace" ? "delete" : (key.startsWith("Arrow") ? key.slice(5) : key).toLowerCase();

/** In a field, they are about what is typed there. */
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
  // What is not offered now does nothing: the second key alone was not meant.
  if (allKeys.some((keys) => keys === sequence)) return commands.find(({ keys }) => keys === sequence);
  if (allKeys.some((keys) => keys.startsWith(`${stroke} `))) first = { stroke, at: event.timeStamp };
  return commands.find(({ keys }) => keys === stroke);
};

/** Runs what the keys stand for. The email’s frames hand theirs on, as events of their elements. */
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
