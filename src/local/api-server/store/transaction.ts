import type { DatabaseSync } from 'node:sqlite';
import { Change } from './change';

/**
 * The open transaction of a store. Writes are staged in it one after the other; one commit, and so one fsync, makes all
 * of them durable. It ends in the current turn of the event loop, so that a single writer waits for nobody.
 */
export class Transaction {
  private changes: Change[] = [];
  private committed: PromiseWithResolvers<void> | undefined;
  /** The scheduled commit; undefined unless others may have read staged writes. */
  private scheduled: NodeJS.Immediate | undefined;
  private newest: number;

  public constructor(
    private readonly db: DatabaseSync,
    /** Resource version of the newest committed write. */
    public rv: number,
    private readonly onCommit: (changes: readonly Change[]) => void,
    private readonly errorOf: (error: unknown) => unknown,
  ) {
    this.newest = rv;
  }

  /** Resource version of the next write. */
  public get next(): number {
    return this.newest + 1;
  }

  /** Whether objects may be newer than `rv`. */
  public get isOpen(): boolean {
    return this.changes.length > 0;
  }

  /** The first staged write to an object: its `previousText` is the committed object. */
  public first(resource: string, namespace: string, name: string): Change | undefined {
    return this.changes.find(
      ({ key }) => key.name === name && key.namespace === namespace && key.resource === resource,
    );
  }

  /** Stages a write. If `apply` fails, the whole transaction is rolled back. */
  public add(change: Change, apply: () => void): void {
    try {
      if (!this.isOpen) this.db.exec('BEGIN IMMEDIATE');
      apply();
    } catch (error) {
      throw this.fail(error);
    }
    this.changes.push(change);
    this.newest = change.rv;
  }

  /** Commits at the end of this turn of the event loop. */
  public schedule(): void {
    if (!this.isOpen) return;
    this.scheduled ??= setImmediate(() => {
      try {
        this.commit();
      } catch {
        // reported to those who wait for it
      }
    });
  }

  /** Resolves when the staged writes are durable. @throws the error of their commit */
  public end(): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    this.committed ??= Promise.withResolvers();
    return this.committed.promise;
  }

  /** Commits what is staged. @throws when it was rolled back instead */
  public commit(): void {
    if (!this.isOpen) return;
    try {
      this.db.exec('COMMIT');
    } catch (error) {
      throw this.fail(error);
    }
    this.rv = this.newest;
    const { changes, committed } = this.close();
    this.onCommit(changes);
    committed?.resolve();
  }

  private fail(cause: unknown): unknown {
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
    // Versions that others have read are not used again: they would pass for the version of another write.
    if (!this.scheduled) this.newest = this.rv;
    const error = this.errorOf(cause);
    this.close().committed?.reject(error);
    return error;
  }

  private close(): { changes: readonly Change[]; committed: PromiseWithResolvers<void> | undefined } {
    const { changes, committed } = this;
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    this.changes = [];
    this.committed = undefined;
    return { changes, committed };
  }
}
