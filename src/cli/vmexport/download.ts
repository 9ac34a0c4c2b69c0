import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { DISK_BYTES_HEADER, DISK_UNIT, MEMBER_BYTES } from '../../api/export/export-request';
import { HEADER_BYTES, memberLength } from '../../api/export/gzip-member';
import { CliError, messageOf } from '../errors';
import type { DownloadPlan, VolumePlan } from './flags';
import { volumeLink, type VolumeLink } from './links';
import { Meter } from './meter';
import type { Route } from './route';
import { Sink } from './sink';

/** Attempts without progress, before a download fails: in 45 s, the Pod of an exporter is created again. */
const ATTEMPTS = 8;
/** First and longest pause; each is twice as long as the one before. */
const PAUSE_MS = { first: 1_000, longest: 10_000 };
const inflate = promisify<Buffer, object, Buffer>(gunzip);

/** Downloads a volume, resumes it after failures, and verifies its checksum. */
export async function downloadVolume(
  route: Route,
  { volume, format, file }: VolumePlan,
  plan: Pick<DownloadPlan, 'output' | 'retries'>,
): Promise<void> {
  const link = volumeLink(route.link, volume, file);
  await using sink = await Sink.open(plan.output);
  const download = new Download(route, link, format === 'raw', sink);
  await attempts(download, Math.max(ATTEMPTS, plan.retries));
  await sink.finish();
  await download.verify();
}

async function attempts(download: Download, most: number): Promise<void> {
  for (let attempt = 1, before = 0; ; attempt++) {
    try {
      return await download.run();
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (download.done > before) attempt = 1;
      before = download.done;
      if (attempt >= most) throw new CliError(`the download failed ${attempt} times: ${messageOf(error)}`);
      console.error(`${messageOf(error)}; continuing`);
      await sleep(Math.min(PAUSE_MS.first * 2 ** (attempt - 1), PAUSE_MS.longest));
    }
  }
}

class Download {
  /** Bytes of the disk, or of an archive, that are written. */
  public done = 0;
  private etag?: string;
  private hash = createHash('sha256');
  private meter = new Meter();

  public constructor(
    private readonly route: Route,
    private readonly link: VolumeLink,
    private readonly isRaw: boolean,
    private readonly sink: Sink,
  ) {}

  /** Downloads what is missing. @throws CliError if another attempt cannot help */
  public async run(): Promise<void> {
    const response = await this.route.get(this.link.url, this.resumption());
    const { statusCode = 0, headers } = response;
    if (statusCode !== 200 && statusCode !== 206) throw await refused(response);
    if (statusCode === 200 && this.done > 0) await this.restart();
    this.etag = headers.etag;
    const size = Number(headers[DISK_BYTES_HEADER] ?? (this.link.format === 'gzip' ? NaN : headers['content-length']));
    this.meter.begin(this.done, size);
    try {
      if (headers['accept-ranges'] === DISK_UNIT) await this.members(response);
      else await this.plain(response);
    } finally {
      response.destroy();
      this.meter.end();
    }
    if (size > 0 && this.done < size) throw new Error(`the connection ended after ${this.done} of ${size} bytes`);
  }

  /** @throws CliError if the disk differs from that of the exporter */
  public async verify(): Promise<void> {
    const found = this.link.format === 'tar.gz' ? undefined : await this.digest();
    if (found === undefined) return console.error('Download finished successfully (the exporter offers no checksum)');
    const own = this.hash.digest('hex');
    if (found !== own)
      throw new CliError(`the checksum of the download is ${own}, but that of the disk is ${found}; download it again`);
    console.error(`Download finished successfully (sha256:${own})`);
  }

  private async digest(): Promise<string | undefined> {
    const url = `${this.link.url.replace(/\.gz$/, '')}.sha256`;
    const response = await this.route.get(url);
    const body = (await text(response)).trim();
    return response.statusCode === 200 && /^[0-9a-f]{64}$/.test(body) ? body : undefined;
  }

  private resumption(): Record<string, string> {
    if (this.done === 0 || !this.etag) return {};
    const unit = this.link.format === 'gzip' ? DISK_UNIT : 'bytes';
    return { range: `${unit}=${this.done}-`, 'if-range': this.etag };
  }

  private async restart(): Promise<void> {
    if (!(await this.sink.restart())) {
      throw new CliError('the disk changed, or its exporter cannot resume; download it again');
    }
    this.done = 0;
    this.hash = createHash('sha256');
  }

  /** Writes members one by one, so that a broken connection leaves only complete ones. */
  private async members(response: IncomingMessage): Promise<void> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      while (rest.length >= HEADER_BYTES && rest.length >= memberLength(rest)) {
        const length = memberLength(rest);
        await this.member(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    if (rest.length > 0) throw new Error('the connection ended within the disk');
  }

  private async member(packed: Buffer): Promise<void> {
    // its checksum is verified
    const data = await inflate(packed, { maxOutputLength: MEMBER_BYTES });
    if (this.isRaw) await this.sink.writeSparse(data);
    else await this.sink.write(packed);
    this.advance(data);
  }

  /** Writes what a server sends that does not divide disks: KubeVirt's, or an archive. */
  private async plain(response: IncomingMessage): Promise<void> {
    // a compressed stream cannot be continued
    if (this.done > 0 && this.link.format !== 'raw') await this.restart();
    const isPacked = this.link.format === 'gzip' && this.isRaw;
    const bytes = isPacked ? response.pipe(createGunzip()) : response;
    response.on('error', (error) => bytes.destroy(error));
    for await (const data of bytes as AsyncIterable<Buffer>) {
      await this.sink.write(data);
      this.advance(data);
    }
    if (!response.complete) throw new Error('the connection broke off');
  }

  private advance(data: Buffer): void {
    this.hash.update(data);
    this.done += data.length;
    this.meter.show(this.done);
  }
}

async function refused(response: IncomingMessage): Promise<Error> {
  const { statusCode = 0 } = response;
  const message = `the exporter answered ${statusCode}: ${(await text(response)).trim().slice(0, 300)}`;
  return statusCode >= 500 || statusCode === 429 ? new Error(message) : new CliError(message);
}
