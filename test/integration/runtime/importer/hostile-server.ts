/** A web server and registry that answers each path as a test says, and an import from it in this process. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportRequest } from '../../../../src/api/cdi/import-request';
import { Confiner } from '../../../../src/runtime/importer/convert/confined';
import { ImportError } from '../../../../src/runtime/importer/import-error';
import { importImage } from '../../../../src/runtime/importer/import-image';
import { Journal } from '../../../../src/runtime/importer/journal';
import { Progress } from '../../../../src/runtime/importer/progress';
import { LIMITS, type HttpLimits } from '../../../../src/runtime/importer/source/limits';
import { openSource, type OpenOptions } from '../../../../src/runtime/importer/source/open-source';
import { Target } from '../../../../src/runtime/importer/target/target';
import { PATIENCE_MS } from '../../../support/patience';

export const MIB = 1 << 20;
/** Largest disk of an import. */
export const CAPACITY = 8 * MIB;

/** The limits of an import, without its waits between attempts. */
const PATIENT: HttpLimits = { ...LIMITS, attempts: 2, firstRetryMs: 1 };
/** For servers that stop sending. */
export const HASTY: HttpLimits = { ...PATIENT, headersMs: 300, silenceMs: 300 };
/** For servers that send too slowly, however long a byte takes. */
export const PACED: HttpLimits = {
  ...PATIENT,
  headersMs: PATIENCE_MS,
  silenceMs: PATIENCE_MS,
  paceMs: 200,
  leastBytes: 10 << 10,
};

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class HostileServer {
  /** By path. */
  public readonly answers = new Map<string, Answer>();
  /** Paths of the requests. */
  public readonly requests: IncomingMessage[] = [];
  private constructor(private readonly server: Server) {}

  public static async start(): Promise<HostileServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const made = new HostileServer(server);
    server.on('request', (request, response) => made.answer(request, response));
    return made;
  }

  public get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public reset(): void {
    this.answers.clear();
    this.requests.length = 0;
  }

  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request);
    response.on('error', () => undefined);
    const answer = this.answers.get(request.url ?? '');
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  }
}

export interface Failure {
  readonly error: unknown;
  /** Bytes that the importer read. */
  readonly received: number;
  /** Bytes that its files occupy after its end. */
  readonly occupied: number;
  /** Files that are left besides the disk. */
  readonly left: readonly string[];
}

/** Imports a disk, and returns why it failed. */
export async function failureOf(source: ImportRequest['source'], limits = PATIENT): Promise<Failure> {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-hostile-'));
  let received = 0;
  try {
    await using target = await Target.file(join(folder, 'disk.img'), CAPACITY);
    const confiner = await Confiner.create(folder);
    const error = await attempt(source, target, { confiner, folder, limits, onBytes: (bytes) => (received += bytes) });
    const files = readdirSync(folder);
    const occupied = files.reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
    const left = files.filter((name) => !['disk.img', 'confinement.bpf', 'progress.json'].includes(name));
    return { error, received, occupied, left };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function attempt(
  from: ImportRequest['source'],
  target: Target,
  { folder, ...options }: OpenOptions & { readonly folder: string },
): Promise<unknown> {
  try {
    const { source, checksum } = await openSource(from, options);
    try {
      const { confiner } = options;
      const context = { journal: new Journal(folder), progress: new Progress(), spoolFolder: folder, confiner };
      await importImage(source, target, { ...context, checksum });
    } finally {
      source.close();
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Expects one clear error with a remedy, and that nothing was read or stored without a limit. */
export function expectClear({ error, received, occupied, left }: Failure, problem: string, message: RegExp): void {
  expect(error).toBeInstanceOf(ImportError);
  expect(error).toMatchObject({ problem, message: expect.stringMatching(message) as string });
  expect((error as ImportError).message.length).toBeLessThan(1000);
  expect((error as ImportError).remedy).toBeTruthy();
  expect(received).toBeLessThanOrEqual(5 * CAPACITY);
  expect(occupied).toBeLessThanOrEqual(CAPACITY + MIB);
  expect(left).toEqual([]);
}

export const digestOf = (data: Buffer | string): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

/** Sends the same bytes until the client ends. */
export function sendForever(response: ServerResponse, chunk = Buffer.alloc(256 << 10, 'x')): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

/** Range that a request asks for. */
export function rangeOf({ headers }: IncomingMessage, size: number): [from: number, end: number] {
  const [, from = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  return [Number(from), last ? Math.min(size, Number(last) + 1) : size];
}

/** Answers ranges of `data`, with more or other headers. */
export const ranges =
  (data: Buffer, headers: Record<string, string> = {}, total = data.length): Answer =>
  (request, response) => {
    const [from, end] = rangeOf(request, data.length);
    const part = data.subarray(from, end);
    response.writeHead(206, {
      etag: '"1"',
      'content-range': `bytes ${from}-${end - 1}/${total}`,
      'content-length': part.length,
      ...headers,
    });
    response.end(part);
  };
