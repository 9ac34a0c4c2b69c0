import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/patience';

/** Debian's registry on a port of this machine, over HTTP. */
export class Registry {
  private constructor(
    public readonly host: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** Starts it on an address of this machine; Pods reach that of their node. */
  public static async start(address = '127.0.0.1'): Promise<Registry> {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-registry-'));
    const host = `${address}:${await freePort()}`;
    const config = join(folder, 'config.yml');
    writeFileSync(
      config,
      `version: 0.1\nstorage: { filesystem: { rootdirectory: ${folder}/data } }\nhttp: { addr: '${host}' }\n`,
    );
    const server = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
    await eventually(async () => {
      const { ok, status } = await fetch(`http://${host}/v2/`);
      if (!ok) throw new Error(`docker-registry answers with ${status}`);
    });
    return new Registry(host, folder, server);
  }

  /** Digest of the manifest of a tag. */
  public async digestOf(name: string, tag: string): Promise<string | null> {
    const accept = 'application/vnd.oci.image.manifest.v1+json';
    const answer = await fetch(`http://${this.host}/v2/${name}/manifests/${tag}`, { headers: { accept } });
    return answer.headers.get('docker-content-digest');
  }

  /** Manifest or index of a tag or digest. */
  public async manifest(name: string, reference: string): Promise<unknown> {
    const accept = ['manifest', 'index'].map((kind) => `application/vnd.oci.image.${kind}.v1+json`).join(', ');
    const answer = await fetch(`http://${this.host}/v2/${name}/manifests/${reference}`, { headers: { accept } });
    return answer.json();
  }

  public stop(): void {
    this.server.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
