import { useLayoutEffect } from "react";
import { useOfProject } from "../state/data.js";

/** Acts once the list contains a template, before the next paint. Does nothing while the name is undefined. */
export const useWhenListed = (name: string | undefined, act: () => void): void => {
  const isListed = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  useLayoutEffect(() => {
    if (isListed) act();
    // Runs once, even if other things are rendered meanwhile.
  }, [isListed]);
};
