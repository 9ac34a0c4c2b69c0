import type { FileHandle } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { uploadHeaders } from '../../api/cdi/upload';
import type { ImageFile } from './image-file';

/** Upload proxy, as a client reaches it. */
export interface Proxy {
  readonly url: string;
  /** Authority of its certificate in PEM. Default: those of this machine. */
  readonly ca?: string;
  readonly isInsecure?: boolean;
}

export interface ProxyAnswer {
  readonly code: number;
  readonly text: string;
  /** Bytes of this file that have arrived before. */
  readonly offset: number;
}

const MOST_TEXT = 4096;
/** Time for which a server may take nothing. */
const IDLE_MS = 120_000;

/** Asks how much of the file has arrived. */
export const askOffset = (proxy: Proxy, path: string, token: string, image: ImageFile): Promise<ProxyAnswer> =>
  exchange(proxy, path, 'HEAD', { authorization: `Bearer ${token}`, [uploadHeaders.key]: image.key });

/** Sends the file from a position. Rejects if the connection breaks. */
export function send(
  proxy: Proxy,
  path: string,
  token: string,
  { image, file, offset }: { readonly image: ImageFile; readonly file: FileHandle; readonly offset: number },
  onBytes: (bytes: number) => void,
): Promise<ProxyAnswer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/octet-stream',
    'content-length': image.size - offset,
    [uploadHeaders.offset]: offset,
    [uploadHeaders.length]: image.size,
    [uploadHeaders.key]: image.key,
  };
  return exchange(proxy, path, 'POST', headers, async (to) => {
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        onBytes(chunk.length);
        done(undefined, chunk);
      },
    });
    const from = file.createReadStream({
      start: offset,
      end: image.size - 1,
      autoClose: false,
      highWaterMark: 256 << 10,
    });
    await pipeline(from, counter, to);
  });
}

function exchange(
  { url, ca, isInsecure }: Proxy,
  path: string,
  method: string,
  headers: Record<string, string | number>,
  write?: (to: NodeJS.WritableStream) => Promise<void>,
): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { method, headers, ca, rejectUnauthorized: !isInsecure, agent: false };
    const to = request(new URL(path, url), options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text = (text + chunk).slice(0, MOST_TEXT)));
      response.on('end', () => {
        const offset = Number(response.headers[uploadHeaders.offset] ?? 0);
        resolve({
          code: response.statusCode ?? 0,
          text: text.trim(),
          offset: Number.isSafeInteger(offset) ? offset : 0,
        });
        // an answer before the end of the body
        to.destroy();
      });
      response.on('error', reject);
    });
    // while the image is converted, nothing is sent
    to.setTimeout(IDLE_MS, () => {
      if (!to.writableFinished) to.destroy(new Error(`the server took nothing for ${IDLE_MS / 1000} s`));
    });
    to.on('error', reject);
    if (write) write(to).catch(reject);
    else to.end();
  });
}
