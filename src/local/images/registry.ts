import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../../api/error-text';
import { run } from '../../runtime/host/command';
import { listDirectory, removeTree } from '../host/files';
import { assertRoom } from '../host/free-space';
import type { RegistryLogin } from './credentials';
import { choosePlatform, digestOf, type Manifest } from './manifest';
import { parseReference } from './reference';

export interface PullOptions {
  /** Logins to try, in this order; then those of this machine (`skopeo login`), or none. */
  readonly logins?: readonly RegistryLogin[];
  /** Called every two seconds during a download. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Bytes of an image's compressed layers. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** An image in a registry. */
export interface RemoteImage {
  /** Digest of the manifest for this machine's platform. */
  readonly digest: string;
  /** Bytes of its layers, as the registry declares them. */
  readonly size: number;
}

const POLL_MS = 2_000;
/** A registry that sends less in the time of `stallMs` has failed. */
const LEAST_BYTES = 1 << 20;
/** Room for manifest, config and the differences of compression. */
const SLACK_BYTES = 64 << 20;

/** A registry that does not respond, rejects the login or lacks the image. */
export class RegistryError extends Error {}

/** Reads an image of a registry with skopeo, which follows containers-registries.conf(5): mirrors and insecure registries. */
export class RegistryImage implements AsyncDisposable {
  private constructor(
    private readonly repository: string,
    public readonly remote: RemoteImage,
    private readonly login: Login,
  ) {}

  /** Finds the image, with the first login that the registry accepts. */
  public static async open(reference: string, logins: readonly RegistryLogin[] = []): Promise<RegistryImage> {
    const parsed = parseReference(reference);
    if (!parsed) throw new RegistryError(`"${reference}" is not an image reference`);
    const { repository, tag, digest } = parsed;
    const name = `${repository}${digest ? `@${digest}` : `:${tag}`}`;
    let failure: unknown;
    for (const given of [...logins, undefined]) {
      const login = await Login.create(repository, given);
      try {
        return new RegistryImage(repository, await resolve(repository, name, login), login);
      } catch (error) {
        await login[Symbol.asyncDispose]();
        // a login that the Pod brings explains more than the last attempt without one
        failure ??= error;
      }
    }
    throw failure;
  }

  /** Downloads into an OCI layout. What an interrupted download has completed in this folder is not downloaded again. */
  public async download(folder: string, stallMs: number, onProgress?: PullOptions['onProgress']): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await listDirectory(folder)) {
      if (name.startsWith('oci-put-blob')) await removeTree(join(folder, name));
    }
    const watch = new DownloadWatch(folder, this.remote.size, stallMs, onProgress);
    const source = `docker://${this.repository}@${this.remote.digest}`;
    // without compression by skopeo: the size on disk is what the registry sent
    const flags = [
      ...this.login.flags('--src-'),
      '--quiet',
      '--retry-times=3',
      '--dest-oci-accept-uncompressed-layers',
    ];
    try {
      await watch.poll();
      await skopeo(['copy', ...flags, source, `oci:${folder}:image`], watch.signal);
    } catch (error) {
      throw watch.reason ?? error;
    } finally {
      watch.stop();
    }
  }

  public [Symbol.asyncDispose](): Promise<void> {
    return this.login[Symbol.asyncDispose]();
  }
}

async function resolve(repository: string, name: string, login: Login): Promise<RemoteImage> {
  const inspect = async (reference: string): Promise<string> =>
    (await skopeo(['inspect', '--raw', ...login.flags('--'), `docker://${reference}`])).stdout;
  let text = await inspect(name);
  let manifest = JSON.parse(text) as Manifest;
  if (manifest.manifests) {
    text = await inspect(`${repository}@${choosePlatform(manifest.manifests).digest}`);
    manifest = JSON.parse(text) as Manifest;
  }
  const size = (manifest.layers ?? []).reduce((sum, layer) => sum + Number(layer.size ?? 0), 0);
  return { digest: digestOf(text), size };
}

/** Flags of skopeo for a registry. A password is passed in a file, because processes can read the arguments of others. */
class Login implements AsyncDisposable {
  private constructor(
    private readonly folder: string | undefined,
    private readonly isLocal: boolean,
  ) {}

  public static async create(repository: string, login: RegistryLogin | undefined): Promise<Login> {
    const host = repository.split('/')[0] ?? '';
    // as container engines do: a registry of this machine needs no certificate
    const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
    if (!login) return new Login(undefined, isLocal);
    const folder = await mkdtemp(join(tmpdir(), 'virt8s-login-'));
    const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    await writeFile(join(folder, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }), { mode: 0o600 });
    return new Login(folder, isLocal);
  }

  public flags(prefix: '--' | '--src-'): string[] {
    const authFile = this.folder ? [`${prefix}authfile=${join(this.folder, 'auth.json')}`] : [];
    return [...authFile, ...(this.isLocal ? [`${prefix}tls-verify=false`] : [])];
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}

/** Ends a download that stalls, that is larger than its manifest declares, or that would fill the disk. */
class DownloadWatch {
  public reason?: Error;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /** Bytes at the last time that enough had arrived. */
  private counted = 0;
  private countedAt = Date.now();

  public constructor(
    private readonly folder: string,
    private readonly total: number,
    private readonly stallMs: number,
    private readonly onProgress: PullOptions['onProgress'],
  ) {
    this.timer = setInterval(() => void this.poll().catch((error: Error) => this.end(error)), POLL_MS);
  }

  public get signal(): AbortSignal {
    return this.controller.signal;
  }

  public async poll(): Promise<void> {
    const done = await folderSize(this.folder);
    if (done - this.counted >= LEAST_BYTES) {
      this.counted = done;
      this.countedAt = Date.now();
    }
    if (Date.now() - this.countedAt > this.stallMs) {
      throw new RegistryError(`the registry sent less than 1 MiB in ${this.stallMs / 1000} s`);
    }
    if (done > this.total + SLACK_BYTES) {
      throw new RegistryError(`the registry sent ${done} bytes, but the manifest declares ${this.total}`);
    }
    await assertRoom(this.folder);
    this.onProgress?.({ done: Math.min(done, this.total), total: this.total });
  }

  public stop(): void {
    clearInterval(this.timer);
  }

  private end(reason: Error): void {
    this.reason ??= reason;
    this.stop();
    this.controller.abort();
  }
}

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // a temporary file may have been renamed since
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function skopeo(args: readonly string[], signal?: AbortSignal): Promise<{ stdout: string }> {
  const configuration = process.env.VIRT8S_REGISTRIES_CONF;
  const global = configuration ? [`--registries-conf=${configuration}`] : [];
  try {
    return await run('skopeo', [...global, ...args], signal ? { timeoutMs: 0, signal } : {});
  } catch (error) {
    throw new RegistryError(registryMessage(error));
  }
}

/** Extracts the message from skopeo's log line `time="…" level=fatal msg="…"`. */
function registryMessage(error: unknown): string {
  const text = errorText(error);
  const match = /level=fatal msg="((?:[^"\\]|\\.)*)"/.exec(text);
  return match?.[1] ? match[1].replace(/\\"/g, '"') : text;
}
