/**
 * Volume sources whose documents were validated before they were rendered to text: the constructs' own. Reading the text
 * of each VM once more would take longer than all other rules.
 */
export const CHECKED_SOURCES = new WeakSet<object>();
