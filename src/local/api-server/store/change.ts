import { AnyObject } from '../types';
import { decode } from './encoding';
import { Key } from './key';

/** One committed write. Objects are parsed on first use. */
export class Change {
  private now: AnyObject | undefined;
  private before: AnyObject | undefined;

  public constructor(
    public readonly rv: number,
    public readonly key: Key,
    /** JSON of the object after the write; undefined when it was deleted. */
    public readonly text: string | undefined,
    /** JSON of the object before it; undefined when it was created. */
    public readonly previousText: string | undefined,
  ) {}

  /** The object after the write; undefined when it was deleted. */
  public get object(): AnyObject | undefined {
    return this.text === undefined ? undefined : (this.now ??= decode(this.text));
  }

  /** The object before it; undefined when it was created. */
  public get previous(): AnyObject | undefined {
    return this.previousText === undefined ? undefined : (this.before ??= decode(this.previousText));
  }

  /** Characters of both objects. */
  public get size(): number {
    return (this.text?.length ?? 0) + (this.previousText?.length ?? 0);
  }
}
