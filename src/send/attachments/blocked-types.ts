import { BLOCKED_EXTENSIONS } from "../../api/limits.js";

/** File types that a service or a email client blocks. Decision 0020 explains why each list counts. */
export interface BlockList {
  /** Why such a file is refused, as a relative clause about its extension. */
  readonly reason: string;
  /** Whether these types are also blocked inside archives. */
  readonly inArchives: boolean;
  readonly advice: string;
  /** In lower case, without the dot. */
  readonly extensions: ReadonlySet<string>;
}

const LINK = "Send a link to the file instead";
const ZIP_OR_LINK = "Put the file in a zip archive, or send a link to it";

/** The service's API document, version 4, part 4 (Send email). Read on 2026-11-23. */
export const SERVICE: BlockList = {
  reason: "which the service blocks",
  inArchives: true,
  advice: LINK,
  extensions: BLOCKED_EXTENSIONS,
};

/**
 * https://support.google.com/mail/answer/6590, read on 2026-11-23. The page has no date; this is its revision with
 * `.mjs` and `.xll`. It says that archives are also checked.
 */
export const GMAIL: BlockList = {
  reason: "which Gmail blocks",
  inArchives: true,
  advice: LINK,
  extensions: extensions(`
    ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar
    jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh
    xll
  `),
};

/**
 * https://support.microsoft.com/en-us/office/blocked-attachments-in-outlook-434752e1-02d3-4e90-9124-8b81e49a8519, read
 * on 2026-09-19. The page has no date; this is its revision with `.library-ms` and `.search-ms`, which were added in
 * July 2025. Outlook does not check archives: the page recommends a zip for these types.
 */
export const OUTLOOK: BlockList = {
  reason: "which Outlook blocks",
  inArchives: false,
  advice: ZIP_OR_LINK,
  extensions: extensions(`
    ade adp apk app appcontent-ms application appref-ms appx asp aspx asx bas bat bgi cab cdxml cer chm cmd cnt com cpl crt
    csh der diagcab exe fxp gadget grp hlp hpj hta htc img inf ins iso isp its jar jnlp js jse ksh library-ms lnk mad maf mag
    mam maq mar mas mat mau mav maw mcf mda mdb mde mdt mdw mdz mht mhtml msc msh msh1 msh1xml msh2 msh2xml mshxml msi msp
    mst msu ops osd pcd pif pl plg prf prg printerexport ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 pssc pst py pyc pyo pyw
    pyz pyzw reg scf scr sct search-ms settingcontent-ms shb shs theme tmp udl url vb vbe vbp vbs vhd vhdx vsmacros vsw
    webpnp website ws wsb wsc wsf wsh xbap xll xnk
  `),
};

/** Macro-enabled documents, templates and add-ins of Word, Excel, PowerPoint and Visio: decision 0020. */
export const OFFICE_MACROS: BlockList = {
  reason: "which many mail servers block",
  inArchives: false,
  advice: "Save the document without macros, or send a link to it",
  extensions: extensions("docm dotm xlsm xltm xlam xla pptm potm ppsm ppam ppa sldm vsdm vssm vstm"),
};

/**
 * OneNote files can contain programs that open with a click; Excel runs the formulas and macros of a SYLK file:
 * decision 0020.
 */
export const CARRIERS: BlockList = {
  reason: "which many mail servers block",
  inArchives: false,
  advice: "Convert the file to PDF or .xlsx, or send a link to it",
  extensions: extensions("one onepkg slk"),
};

/** The strictest first: files that the service blocks are never sent, whoever the recipient is. */
export const BLOCK_LISTS: readonly BlockList[] = [SERVICE, GMAIL, OUTLOOK, OFFICE_MACROS, CARRIERS];

export function blockListOf(extension: string, { inArchive = false } = {}): BlockList | undefined {
  return BLOCK_LISTS.find((list) => list.extensions.has(extension) && (list.inArchives || !inArchive));
}

function extensions(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
