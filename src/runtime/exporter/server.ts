import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  backupPaths,
  digestPath,
  DISK_BYTES_HEADER,
  DISK_UNIT,
  formatsOf,
  manifestPaths,
  READY_PATH,
  type ExportedBackup,
  type ExportedMachine,
  type ExportedVolume,
  type ExportFormat,
  type ExportRequest,
} from '../../api/export/export-request';
import { errorText } from '../../api/error-text';
import type { KubeObject } from '../../api';
import { tarOf } from './archive';
import { type Asked, askedIn, openData, pageOf } from './backup';
import { Digests } from './digests';
import { Disk } from './disk';
import { find } from './files';
import { headerSecret, machineManifests, manifestText } from './manifests';
import { rangeOf } from './range';
import { members, plain } from './stream';
import { isAuthorized } from './token';

export interface ExporterOptions {
  readonly request: ExportRequest;
  readonly tls: Pick<ServerOptions, 'cert' | 'key'>;
  /** UID of this Pod. */
  readonly podUid: string;
  /** Reads the token, which its Secret may change. */
  token(): string;
  /** Reads the manifests; undefined if the source is not a VM. */
  machine(): ExportedMachine | undefined;
  log(message: string): void;
}

const MOST_CONNECTIONS = 64;
/** Downloads at the same time. */
const MOST_DOWNLOADS = 16;
/** Time after which a client that neither reads nor sends is disconnected. */
const SILENCE_MS = 120_000;
const HEADERS_MS = 20_000;

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  rest: string,
  query: URLSearchParams,
) => Promise<void>;

interface Route {
  readonly path: string;
  /** Whether paths below it are served as well. */
  readonly isFolder?: boolean;
  readonly answer: Answer;
}

/** Serves the volumes and manifests of an export to clients that know its token. */
export function createExporter(options: ExporterOptions): Server {
  const exporter = new Exporter(options);
  const server = createServer(
    {
      ...options.tls,
      minVersion: 'TLSv1.2',
      maxHeaderSize: 16 << 10,
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS,
      handshakeTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS,
    },
    (request, response) => void exporter.serve(request, response),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENCE_MS);
  return server;
}

class Exporter {
  private readonly digests = new Digests();
  private readonly routes: readonly Route[];
  private downloads = 0;

  public constructor(private readonly options: ExporterOptions) {
    const { volumes, backup } = options.request;
    this.routes = [
      ...volumes.flatMap((volume) => this.routesOf(volume)),
      ...(backup?.volumes ?? []).flatMap((volume) => backupRoutes(backup!, volume)),
      ...(['internal', 'external'] as const).flatMap((type): Route[] => [
        {
          path: `/${type}${manifestPaths.all}`,
          answer: async (request, response) => {
            const machine = options.machine();
            objects(request, response, machine && machineManifests(options.request.name, machine, type));
          },
        },
        {
          path: `/${type}${manifestPaths['auth-header-secret']}`,
          answer: async (request, response) =>
            objects(request, response, [headerSecret(options.request.name, options.token())]),
        },
      ]),
    ];
  }

  public async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.answer(request, response);
    } catch (error) {
      this.options.log(`${request.method} ${request.url?.split('?')[0]}: ${errorText(error)}`);
      // a client must not take an incomplete body for a complete one
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'the volume cannot be read; see the log of the exporter Pod');
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!URL.canParse(request.url ?? '', 'https://exporter')) return refuse(response, 400, 'the path is not valid');
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://exporter');
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'use GET or HEAD');
    if (pathname === READY_PATH) return void response.end('OK');
    if (!isAuthorized(request, searchParams, this.options.token())) {
      return refuse(response, 401, 'the token is missing or wrong; send that of status.tokenSecretRef');
    }
    const route = this.routes.find(({ path, isFolder }) => (isFolder ? pathname.startsWith(path) : pathname === path));
    if (!route) return refuse(response, 404, 'nothing is exported at this path; see status.links');
    if (this.downloads >= MOST_DOWNLOADS) return refuse(response, 503, 'too many downloads; try again later');
    this.downloads += 1;
    try {
      await route.answer(request, response, pathname.slice(route.path.length), searchParams);
    } finally {
      this.downloads -= 1;
    }
  }

  private routesOf(volume: ExportedVolume): Route[] {
    const answers: Readonly<Record<ExportFormat, Answer>> = {
      raw: (request, response) => this.raw(volume, request, response),
      gzip: (request, response) => this.compressed(volume, request, response),
      dir: (request, response, rest) => file(volume, request, response, rest),
      'tar.gz': (request, response) => archive(volume, request, response),
    };
    const routes = formatsOf(volume.name, volume.content).map(({ format, path }) => ({
      path,
      isFolder: format === 'dir',
      answer: answers[format],
    }));
    const digest: Answer = (request, response) =>
      this.onDisk(volume, response, async (disk) => {
        const text = request.method === 'HEAD' ? '' : await this.digests.of(disk);
        response.setHeader('content-type', 'text/plain').end(text);
      });
    return volume.content === 'disk' ? [...routes, { path: digestPath(volume.name), answer: digest }] : routes;
  }

  private raw(volume: ExportedVolume, request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.onDisk(volume, response, async (disk) => {
      const from = part(request, response, disk, 'bytes');
      if (!from) return;
      const { start, end } = from;
      response.setHeader('content-length', end - start);
      await send(request, response, plain(disk, start, end, this.digests.observer(disk, start)));
    });
  }

  private compressed(volume: ExportedVolume, request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.onDisk(volume, response, async (disk) => {
      const from = part(request, response, disk, DISK_UNIT);
      if (!from) return;
      response.setHeader('content-type', 'application/gzip');
      await send(request, response, members(disk, from.start, this.digests.observer(disk, from.start)));
    });
  }

  private async onDisk(
    volume: ExportedVolume,
    response: ServerResponse,
    use: (disk: Disk) => Promise<void>,
  ): Promise<void> {
    await using disk = await Disk.open(volume, this.options.podUid);
    if (!disk) return refuse(response, 404, 'the volume has no regular file disk.img');
    await use(disk);
  }
}

function backupRoutes(backup: ExportedBackup, volume: string): Route[] {
  const { map, data } = backupPaths(volume);
  const answer =
    (use: (asked: Asked, request: IncomingMessage, response: ServerResponse) => Promise<void>): Answer =>
    async (request, response, _rest, query) => {
      const asked = askedIn(query);
      if ('mistake' in asked) return refuse(response, 400, asked.mistake);
      try {
        await use(asked, request, response);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        refuse(response, 503, 'the guest does not serve the backup; it has ended, or its launcher starts again');
      }
    };
  return [
    {
      path: map,
      answer: answer(async (asked, _request, response) => {
        const page = await pageOf(backup, volume, asked);
        response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
      }),
    },
    {
      path: data,
      answer: answer(async (asked, request, response) => {
        const { client, start, end } = await openData(backup, volume, asked);
        await using disk = client;
        response.setHeader('content-type', 'application/octet-stream').setHeader('content-length', end - start);
        await send(
          request,
          response,
          plain(disk, start, end, () => undefined),
        );
      }),
    },
  ];
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Sets the headers of the requested part of a disk. Undefined if it was refused. */
function part(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { size, version }: Disk,
  unit: string,
): { start: number; end: number } | undefined {
  const etag = `"${version}"`;
  response.setHeader('accept-ranges', unit).setHeader('etag', etag);
  response.setHeader('content-type', 'application/octet-stream').setHeader(DISK_BYTES_HEADER, size);
  const range = rangeOf({ range: headers.range, ifRange: headers['if-range']?.toString(), etag, unit, size });
  if (range === undefined) return { start: 0, end: size };
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `${unit} */${size}`);
    refuse(response, 416, `the disk has ${size} bytes`);
    return undefined;
  }
  // a compressed disk is always sent to its end
  const end = unit === DISK_UNIT ? size : range.end + 1;
  response.statusCode = 206;
  response.setHeader('content-range', `${unit} ${range.start}-${end - 1}/${size}`);
  return { start: range.start, end };
}

async function file(
  { path }: ExportedVolume,
  request: IncomingMessage,
  response: ServerResponse,
  rest: string,
): Promise<void> {
  const found = await find(path, decoded(rest));
  if (!found) return refuse(response, 404, 'the volume has no such file or folder');
  if ('listing' in found) return void response.setHeader('content-type', 'text/html; charset=utf-8').end(found.listing);
  const { file: handle, size } = found;
  try {
    response.setHeader('content-type', 'application/octet-stream').setHeader('content-length', size);
    const read = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead < length) throw new Error('a file became smaller while it was read');
      return buffer;
    };
    await send(
      request,
      response,
      plain({ size, read }, 0, size, () => undefined),
    );
  } finally {
    await handle.close();
  }
}

async function archive({ path }: ExportedVolume, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/gzip');
  if (request.method === 'HEAD') return void response.end();
  await pipeline(Readable.from(tarOf(path), { objectMode: false }), createGzip({ level: 1 }), response);
}

async function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  bytes: AsyncGenerator<Buffer>,
): Promise<void> {
  if (method === 'HEAD') return void response.end();
  await pipeline(Readable.from(bytes, { objectMode: false, highWaterMark: 1 << 20 }), response);
}

function objects(
  { headers }: IncomingMessage,
  response: ServerResponse,
  found: readonly KubeObject[] | undefined,
): void {
  if (!found) return refuse(response, 404, 'there are no manifests; only exports of a VM or a snapshot have them');
  const { type, text } = manifestText(found, headers.accept);
  response.setHeader('content-type', type).end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
