import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

/** Time for which a token can be valid: five minutes, and differences of clocks. */
const KEPT_MS = 6 * 60_000;
/** Far more than clients need; each entry is a text of 36 characters. */
const MOST = 10_000;

/** Tokens that began an upload, which no other upload may use. They are kept in a file, because the server may be killed. */
export class UsedTokens {
  /** Times by identifiers, the oldest first. */
  private readonly times = new Map<string, number>();

  public constructor(private readonly file: string) {
    try {
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const [time, id] = line.split(' ');
        if (id) this.times.set(id, Number(time));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  public has(id: string): boolean {
    return this.times.has(id);
  }

  /** Remembers a token. Returns whether that was possible: if not, tokens have to expire first. */
  public add(id: string, now: number): boolean {
    if (this.times.size >= MOST) this.forget(now);
    if (this.times.size >= MOST) return false;
    this.times.set(id, now);
    appendFileSync(this.file, `${now} ${id}\n`, { mode: 0o600 });
    return true;
  }

  private forget(now: number): void {
    for (const [id, time] of this.times) {
      if (now - time < KEPT_MS) break;
      this.times.delete(id);
    }
    writeFileSync(this.file, [...this.times].map(([id, time]) => `${time} ${id}\n`).join(''), { mode: 0o600 });
  }
}
