import { useEffect, useRef } from "react";
import type { TemplateReport } from "../../src/preview/contract.js";
import { changeView, currentView } from "../state/view-store.js";
import { followed } from "./followed.js";

/** Keeps the view on the same element when a save changes the numbers of elements. */
export const useFollowedPlace = (report: TemplateReport | undefined): void => {
  const before = useRef<TemplateReport>(undefined);
  useEffect(() => {
    if (!report || report.places.length === 0) return;
    const old = before.current;
    before.current = report;
    const { place, template } = currentView();
    if (!old || old.name !== report.name || template !== report.name || place === undefined) return;
    const next = followed(place, old.places, report.places);
    if (next !== place) changeView({ place: next }, "replace");
  }, [report]);
};
