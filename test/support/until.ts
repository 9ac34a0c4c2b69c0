import { eventually } from './patience';

export interface UntilOptions {
  /** Expected event, for the error. */
  readonly what?: string;
  /** Shortest pause between two looks, in milliseconds. */
  readonly everyMs?: number;
}

/** Repeats a look until it returns something other than undefined and false; its last error is thrown. */
export function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { what = look.toString(), everyMs = 20 }: UntilOptions = {},
): Promise<T> {
  return eventually(
    async () => {
      const found = await look();
      if (!found) throw new Error(`never seen: ${what}`);
      return found;
    },
    { everyMs },
  );
}
