/** Writes one line of the engine's log. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

/** One line of a program's log, as JSON. */
export const logLine = (message: string, details?: object): string =>
  JSON.stringify({ time: new Date().toISOString(), message, ...details });
