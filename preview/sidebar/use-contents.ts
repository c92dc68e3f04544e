import { useEffect, useState } from "react";
import { useProject, useSource } from "../state/data.js";

/** The text content of all templates, requested when the user searches, and again after templates have changed. */
export const useContents = (isWanted: boolean): Readonly<Record<string, string>> | undefined => {
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
