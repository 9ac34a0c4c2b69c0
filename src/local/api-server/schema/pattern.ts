import { RE2JS } from 're2js';
import { BoundedCache } from './bounded-cache';

const cache = new BoundedCache(256, compile);

/**
 * Compiles a pattern that a user wrote, with RE2's syntax: matching takes linear time. Throws with Go's message if the
 * pattern is not valid.
 */
export const pattern = (text: string): RE2JS => cache.get(text);

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    const { message } = error as Error;
    // Go shows the rest of the expression, which is empty
    throw new Error(message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message);
  }
}

/** First matches of a pattern, at most `limit` of them. */
export function findMatches(text: string, re: string, limit: number): string[] {
  const matcher = pattern(re).matcher(text);
  const found: string[] = [];
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}
