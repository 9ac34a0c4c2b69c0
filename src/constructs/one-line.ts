import { brief } from '../api/findings';

/** What somebody wrote may be long, hold line breaks, or turn the direction of a terminal: this stays one short line. */
export function oneLine(text: string): string {
  const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return brief(brief(text).replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, escaped));
}
