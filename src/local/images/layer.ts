import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { Transform, Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { CommandError, run } from '../../runtime/host/command';
import { removeTree } from '../host/files';
import { assertRoom } from '../host/free-space';
import { convertWhiteouts } from './whiteouts';

export interface LayerSource {
  readonly blob: Readable;
  /** Digest of the blob as stored. */
  readonly digest: string;
  /** Digest of the tar inside. */
  readonly diffId: string;
  readonly mediaType: string;
}

const EXTRACT = [
  '--extract',
  '--file=-',
  '--numeric-owner',
  '--same-owner',
  '--same-permissions',
  '--delay-directory-restore',
  '--xattrs',
  // file capabilities and user attributes; trusted.overlay.* from an image would steer overlayfs
  '--xattrs-include=security.capability',
  '--xattrs-include=user.*',
  '--warning=no-unknown-keyword',
  '--warning=no-timestamp',
];

const CHECK_ROOM_BYTES = 4 << 20;

/**
 * Unpacks a layer into `target`, which appears only if it is complete and both digests match.
 *
 * GNU tar keeps members inside the directory: it drops leading `/`, rejects `..`, and creates links that lead out only
 * after everything else, so that no member is written through a link. Layers with device nodes are rejected.
 */
export async function unpackLayer(source: LayerSource, target: string): Promise<void> {
  const temporary = `${target}.partial`;
  await removeTree(temporary);
  await mkdir(temporary, { recursive: true, mode: 0o755 });
  try {
    await extract(source, temporary);
    await convertWhiteouts(temporary, EXTRACT);
    // only complete layers get this name, also after a power cut
    await run('sync', ['--file-system', temporary], { timeoutMs: 0 });
    await rename(temporary, target);
  } catch (error) {
    await removeTree(temporary);
    throw error;
  }
}

async function extract(source: LayerSource, directory: string): Promise<void> {
  const blob = digestOf();
  const diff = digestOf();
  const tar = spawn('tar', [...EXTRACT, `--directory=${directory}`], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  tar.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const ended = new Promise<number>((resolve, reject) => {
    tar.on('error', (error: NodeJS.ErrnoException) => reject(new CommandError(['tar'], error.code ?? 'error', said)));
    tar.on('close', (code) => resolve(code ?? 128));
  });
  ended.catch(() => undefined);
  try {
    await pipeline(
      source.blob,
      blob.through,
      decompressor(source.mediaType),
      whileRoom(directory),
      diff.through,
      intoStdin(tar.stdin),
    );
  } catch (error) {
    tar.kill('SIGKILL');
    const code = await ended;
    if (code !== 0 && said) throw new CommandError(['tar', '--extract'], code, said);
    throw new Error(`layer ${source.digest}: ${(error as Error).message}`);
  }
  const code = await ended;
  if (code !== 0) throw new CommandError(['tar', '--extract'], code, said);
  for (const [what, want, got] of [
    ['blob', source.digest, blob.value()],
    ['content', source.diffId, diff.value()],
  ]) {
    if (want !== got)
      throw new Error(`layer ${source.digest}: its ${what} is damaged (${got}); build or pull it again`);
  }
}

/**
 * Writes to a process until it stops reading. tar ends at the archive's end mark, often before our last write or `end` has
 * settled. Its exit code and the digests show whether it read the whole archive; a closed pipe does not.
 */
function intoStdin(stdin: Writable): Writable {
  let open = true;
  stdin.on('error', () => (open = false));
  stdin.on('close', () => (open = false));
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (open) stdin.write(chunk, () => done());
      else done();
    },
    final(done) {
      if (open) stdin.end();
      done();
    },
  });
}

/** Ends a stream before it fills the disk: the size of a decompressed layer is not known beforehand. */
function whileRoom(directory: string): Transform {
  let unchecked = CHECK_ROOM_BYTES;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unchecked += chunk.length;
      if (unchecked < CHECK_ROOM_BYTES) return done(null, chunk);
      unchecked = 0;
      assertRoom(directory).then(() => done(null, chunk), done);
    },
  });
}

function digestOf(): { through: Transform; value: () => string } {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, value: () => `sha256:${hash.digest('hex')}` };
}

function decompressor(mediaType: string): Transform {
  if (/gzip$/.test(mediaType)) return createGunzip();
  if (/zstd$/.test(mediaType)) return createZstdDecompress();
  return new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
}
