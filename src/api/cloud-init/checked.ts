/**
 * Volume sources of constructs, whose documents were validated before they were rendered to text. Parsing the text
 * of each VM again would take longer than all other rules.
 */
export const CHECKED_SOURCES = new WeakSet<object>();
