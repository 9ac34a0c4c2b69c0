/** Mistakes as data: one type, one registry of rules, one error and one printer. */
export * from './error';
export * from './finding';
export * from './message';
export * from './path';
export * from './print';
export * from './rules';
export * from './text';
export * from './unreported';
