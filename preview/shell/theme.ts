import { useSyncExternalStore } from "react";
import { kept } from "../state/kept.js";

export const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

export const themeNames: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

const listeners = new Set<() => void>();
const read = (): Theme => themes.find((theme) => theme === kept.read("theme")) ?? "system";
let current = read();

const apply = () => {
  if (current === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = current;
};
apply();

export const setTheme = (theme: Theme): void => {
  current = theme;
  kept.write("theme", theme);
  apply();
  listeners.forEach((listener) => listener());
};

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
