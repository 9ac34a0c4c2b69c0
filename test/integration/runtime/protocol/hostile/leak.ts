/** Name of the warning that listeners are added and never removed. */
export const LEAK = 'MaxListenersExceededWarning';
