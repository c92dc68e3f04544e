import { createContext, useContext, useEffect } from "react";
import type {
  MailFolder,
  MailSummary,
  OtherService,
  OwnService,
  ProjectState,
  TemplateDetail,
  TemplateReport,
  TemplateSummary,
} from "../../src/preview/contract.js";
import type { Source } from "../data/source.js";
import type { DataState, DataStore } from "./data-store.js";
import { inIdle } from "./window.js";
import { useView } from "./view-store.js";

/**
 * Maximum delay in ms before reports are requested: rendering an email may take long, and its report should not wait
 * for all of it.
 */
const REPORT_PATIENCE_MS = 300;

const StoreContext = createContext<DataStore | undefined>(undefined);

export const DataProvider = StoreContext.Provider;

export const useDataStore = (): DataStore => {
  const store = useContext(StoreContext);
  if (!store) throw new Error("useDataStore must be used inside DataProvider.");
  return store;
};

const useData = <Part>(partOf: (state: DataState) => Part): Part => useDataStore().state.usePart(partOf);

export const useSource = (): Source => useDataStore().source;

/** Undefined until the project has loaded. Areas are rendered only after that. */
export const useLoadedProject = (): ProjectState | undefined => useData(({ project }) => project);

export const useLoadingTrouble = (): string | undefined => useData(({ trouble }) => trouble);

export const useProject = (): ProjectState => useOfProject((project) => project);

/** A part of the project. Components that use only a part are not rendered again when other parts change. */
export const useOfProject = <Part>(part: (project: ProjectState) => Part): Part =>
  useData(({ project }) => {
    if (!project) throw new Error("The project is not loaded yet.");
    return part(project);
  });

export const useIsConnected = (): boolean => useData(({ isConnected }) => isConnected);

export const useIsInboxReachable = (): boolean => useData(({ isInboxReachable }) => isInboxReachable);

export const useOwnService = (): OwnService | undefined => useData(({ ownService }) => ownService);

export const useOtherService = (): OtherService | undefined => useData(({ otherService }) => otherService);

/** Of all folders, newest first. */
export const useMails = (): readonly MailSummary[] => useData(({ mails }) => mails);

export const useAreMailsKnown = (): boolean => useData(({ areMailsKnown }) => areMailsKnown);

export const useHasOlderMails = (folder: MailFolder): boolean =>
  useData(({ foldersWithOlderMails }) => foldersWithOlderMails.includes(folder));

/** The summary of the view's template, or of the named one. */
export const useSummary = (name?: string): TemplateSummary | undefined => {
  const chosen = useView().template;
  const wanted = name ?? chosen;
  return useOfProject(({ templates }) => templates.find((template) => template.name === wanted));
};

/** A string that changes whenever a newer version may be available. */
export const useVersion = (name = ""): string => {
  const store = useDataStore();
  return store.state.usePart(() => store.versionOf(name));
};

/** The view's template, or the named one. It is loaded again when its revision changes; the old one stays meanwhile. */
export const useTemplate = (name?: string): { readonly detail?: TemplateDetail; readonly trouble?: string } => {
  const wanted = useSummary(name)?.name;
  const store = useDataStore();
  const version = useVersion(wanted);
  useEffect(() => {
    if (wanted !== undefined) store.wantTemplate(wanted);
  }, [store, wanted, version]);
  const known = store.templates.use(wanted ?? "");
  return { detail: known?.value, trouble: known?.trouble };
};

export const useReport = (name?: string): TemplateReport | undefined => {
  const wanted = useSummary(name)?.name;
  const store = useDataStore();
  const version = useVersion(wanted);
  const isShown = store.templates.use(wanted ?? "")?.value !== undefined;
  // Creating a report must not delay the email.
  const mayAsk = name !== undefined || isShown;
  useEffect(() => {
    if (wanted !== undefined && mayAsk) inIdle(() => store.wantReport(wanted), REPORT_PATIENCE_MS);
  }, [store, wanted, version, mayAsk]);
  return store.reports.use(wanted ?? "")?.value;
};
