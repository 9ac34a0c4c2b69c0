import { constants, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { waitFor } from '../pods/killer';

/** Reads conmon's container logs (CRI format) for `kubectl logs`. */

export interface LogOptions {
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Milliseconds since 1970; older lines are omitted. */
  readonly since?: number;
  /** Stream to read. Default: both. */
  readonly stream?: 'stdout' | 'stderr';
}

export interface LogLine {
  readonly time: string;
  readonly stream: 'stdout' | 'stderr';
  /** Whether the line continues in the next entry. */
  readonly partial: boolean;
  readonly text: string;
}

/** Parses an entry: `2026-11-20T13:30:00.123456789+00:00 stdout F hello`. */
export function parseLine(line: string): LogLine | undefined {
  const match = /^(\S+) (stdout|stderr) ([FP])\S* ?(.*)$/s.exec(line);
  if (!match) return undefined;
  const [, time = '', stream, tag, text = ''] = match;
  return { time, stream: stream as LogLine['stream'], partial: tag === 'P', text };
}

const CHUNK = 64 << 10;
/** Interval of additional checks, because fs.watch may lose events. */
const POLL_MS = 5_000;

/**
 * Sends a log to `write`, which returns false when the client stops reading. With `follow`, sends until `ended` returns
 * true and the whole log was sent.
 */
export async function sendLog(
  path: string,
  options: LogOptions,
  write: (line: LogLine, text: Buffer) => boolean | Promise<boolean>,
  ended: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  let file = await openLog(path);
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  let atLineStart = true;
  let rest = '';
  let position = file ? await tailOffset(file, options.tailLines) : 0;

  const send = async (raw: string): Promise<boolean> => {
    const line = parseLine(raw);
    if (!line || (options.stream && line.stream !== options.stream)) return true;
    if (options.since !== undefined && Date.parse(line.time) < options.since) return true;
    const stamp = options.timestamps && atLineStart ? `${line.time} ` : '';
    let text = Buffer.from(`${stamp}${line.text}${line.partial ? '' : '\n'}`);
    if (text.length > left) text = text.subarray(0, left);
    left -= text.length;
    atLineStart = !line.partial;
    return (await write(line, text)) && left > 0;
  };
  const drain = async (handle: FileHandle): Promise<boolean> => {
    const buffer = Buffer.alloc(CHUNK);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
      if (!bytesRead || signal.aborted) return !signal.aborted;
      position += bytesRead;
      // latin1 keeps single bytes: a chunk may end within a character
      const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!(await send(Buffer.from(line, 'latin1').toString('utf8')))) return false;
    }
  };

  const changes = options.follow ? new Changes(path, signal) : undefined;
  try {
    for (;;) {
      // subscribe before reading, so that no write in between is missed
      const change = changes?.next();
      const last = ended();
      if (file && !(await drain(file))) return;
      if (!change) return;
      const fresh = await reopened(path, file);
      if (fresh) {
        await file?.close();
        [file, position, rest] = [fresh, 0, ''];
        continue;
      }
      if (last) return;
      await waitFor(change, POLL_MS);
      if (signal.aborted) return;
    }
  } finally {
    changes?.close();
    await file?.close();
  }
}

/** Wakes a follower when the directory of the log changes. */
class Changes {
  private readonly watcher;
  private pending = Promise.withResolvers<void>();
  private readonly wake = (): void => {
    this.pending.resolve();
    this.pending = Promise.withResolvers<void>();
  };

  public constructor(
    path: string,
    private readonly signal: AbortSignal,
  ) {
    const name = basename(path);
    this.watcher = watch(dirname(path), (_event, file) => {
      // the record changes when the container ends
      if (file === name || file === 'record.json') this.wake();
    });
    this.watcher.on('error', this.wake);
    signal.addEventListener('abort', this.wake);
  }

  public next(): Promise<void> {
    return this.pending.promise;
  }

  public close(): void {
    this.watcher.close();
    this.signal.removeEventListener('abort', this.wake);
  }
}

async function openLog(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file || (await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/** Opens the log after a rotation, if `current` is no longer the file of that name. */
async function reopened(path: string, current: FileHandle | undefined): Promise<FileHandle | undefined> {
  if (!current) return openLog(path);
  const now = await stat(path).catch(() => undefined);
  return now && now.ino !== (await current.stat()).ino ? openLog(path) : undefined;
}

/** Offset of the last `lines` lines. */
async function tailOffset(file: FileHandle, lines: number | undefined): Promise<number> {
  if (lines === undefined) return 0;
  const { size } = await file.stat();
  const buffer = Buffer.alloc(CHUNK);
  let found = 0;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - CHUNK);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    for (let index = bytesRead - 1; index >= 0; index--) {
      const at = start + index;
      // the newline at the end of the file does not start a line; continued lines count as one
      if (buffer[index] !== 0x0a || at === size - 1) continue;
      if (await continues(file, at)) continue;
      if (++found === lines) return at + 1;
    }
    end = start;
  }
  return lines === 0 ? size : 0;
}

/** Whether the entry that ends at `newline` is part of a longer line. */
async function continues(file: FileHandle, newline: number): Promise<boolean> {
  const start = Math.max(0, newline - 20_000);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(newline - start), 0, newline - start, start);
  const text = buffer.toString('latin1', 0, bytesRead);
  const entry = text.slice(text.lastIndexOf('\n') + 1);
  return / std(?:out|err) P /.test(entry.slice(0, 64));
}
