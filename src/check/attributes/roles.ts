/** The roles of WAI-ARIA 1.3, its drafts included; those of books (`doc-`) and of pictures (`graphics-`) are known by their prefix. */
export const ROLES: readonly string[] = (
  "alert alertdialog application article associationlist associationlistitemkey associationlistitemvalue banner blockquote button " +
  "caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog directory " +
  "document emphasis feed figure form generic grid gridcell group heading image img insertion label legend link list listbox " +
  "listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option " +
  "paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter " +
  "sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel " +
  "term text textbox time timer toolbar tooltip tree treegrid treeitem"
).split(" ");
