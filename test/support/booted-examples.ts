import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { importerImage } from '../../src/local/engine/images';
import { pushImage } from '../integration/local/images/push';
import { Registry } from '../integration/package/registry';
import { TestEngine } from './engine';
import { guestDisk } from './guest-disk';
import { GUEST_SHELL } from './guest-shell';
import { TestCa } from './pki';
import { ownBytes, ReflinkStorage } from './reflink-storage';

const folder = resolve(__dirname, '../../examples');
const GUEST = 'localhost/virt8s/tiny:latest';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export type Manifest = any;

/** Examples on an engine without Internet: their guests are tiny ones, whose disks a registry of this machine has. */
export class BootedExamples {
  private constructor(
    public readonly engine: TestEngine,
    private readonly registry: Registry,
    private readonly storage: ReflinkStorage,
    private readonly dist: string,
  ) {}

  public static async start(): Promise<BootedExamples> {
    const storage = ReflinkStorage.create(32 * 2 ** 30);
    const engine = await TestEngine.start({ stateDir: join(storage.path, 's') });
    const [node] = await engine.list('nodes');
    const { address } = node.status.addresses.find(({ type }: Manifest) => type === 'InternalIP');
    const registry = await Registry.start(address);
    const dist = mkdtempSync(join(tmpdir(), 'virt8s-examples-'));
    const disk = join(dist, 'disk.qcow2');
    guestDisk('tiny', disk);
    await pushImage(registry.host, 'disks/tiny', [
      [
        { path: 'disk/', type: 'dir' },
        { path: 'disk/tiny.qcow2', content: readFileSync(disk) },
      ],
    ]);
    const config = { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig', metadata: { name: 'config' } };
    await engine.mustApply({ ...config, spec: { insecureRegistries: [registry.host] } });
    return new BootedExamples(engine, registry, storage, dist);
  }

  public async end(): Promise<void> {
    await this.engine.down();
    this.storage.remove();
    this.registry.stop();
    rmSync(this.dist, { recursive: true });
  }

  /** Folder with the manifests of an example. */
  public synthesize(example: string): string {
    const outdir = join(this.dist, example);
    const env = { ...process.env, CDK8S_OUTDIR: outdir, GUEST_IMAGE: GUEST, JOB_IMAGE: importerImage };
    execFileSync('node', ['--import', 'tsx', 'main.ts'], { cwd: join(folder, example), env });
    return outdir;
  }

  /** Objects of an example, or of a folder of its output, with the images of this machine and smaller guests. */
  public adapted(example: string, part = '.', userData = GUEST_SHELL): Manifest[] {
    const output = join(this.synthesize(example), part);
    const files = readdirSync(output).filter((file) => file.endsWith('.yaml'));
    const texts = files.map((file) =>
      readFileSync(join(output, file), 'utf8')
        .replace(/guest: \d+Gi/g, 'guest: 256Mi')
        // an emulated guest with more vCPUs than the machine has processors may starve and stand still
        .replace(/sockets: \d+/g, 'sockets: 1')
        .replace(/docker:\/\/quay\.io\/\S+/g, `docker://${this.registry.host}/disks/tiny:1`),
    );
    const objects = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON() as Manifest));
    objects.forEach((object) => replaceImages(object, userData));
    return objects;
  }

  /** Bytes on this machine that a claim does not share with the claim that it was copied from. */
  public async ownBytesOf(claim: string, namespace: string): Promise<number> {
    const { spec } = await this.engine.get('pvc', claim, namespace);
    return ownBytes(join(this.engine.stateDir, 'storage', spec.volumeName, 'volume.img'));
  }

  /** Makes the certificate that an example expects in the Secret `shop-tls`. @returns the file of its authority */
  public async certificate(namespace: string, host: string): Promise<string> {
    const ca = await TestCa.create('shop-ca');
    const pair = await ca.issue([{ CN: [host] }], [host]);
    const file = (name: string): string => join(this.dist, `${namespace}.${name}`);
    for (const [name, text] of Object.entries({ ...pair, ca: ca.pem })) writeFileSync(file(name), text);
    const pairFlags = [`--cert=${file('cert')}`, `--key=${file('key')}`];
    await this.engine.kubectl('create', 'secret', 'tls', 'shop-tls', '-n', namespace, ...pairFlags);
    return file('ca');
  }

  /** Output of a request to the address of an Ingress, by the name of its host. */
  public async viaIngress(namespace: string, name: string, url: string, ...args: string[]): Promise<string> {
    const { status } = await this.engine.get('ingress', name, namespace);
    const { ip, ports } = status.loadBalancer.ingress[0];
    const { hostname, protocol } = new URL(url);
    const [usual, port] = protocol === 'https:' ? [443, ports[1].port] : [80, ports[0].port];
    const connect = ['--connect-to', `${hostname}:${usual}:${ip}:${port}`];
    const { code, stdout, stderr } = await this.engine.run('curl', ['-sSf', '-m', '60', ...connect, ...args, url]);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }
}

/** Gives the guests of an object the tiny image and the user data. */
function replaceImages(object: Manifest, userData: string): void {
  if (typeof object !== 'object' || object === null) return;
  if (object.containerDisk) object.containerDisk.image = GUEST;
  if (object.cloudInitNoCloud) object.cloudInitNoCloud.userData = userData;
  Object.values(object).forEach((value) => replaceImages(value, userData));
}

/** Shell commands for a guest that read and write a text in a sector. */
interface Sector {
  readonly read: string;
  write(text: string): string;
}

const sectorAt = (device: string, sector: string): Sector => ({
  read: `dd if=${device} bs=512 skip=${sector} count=1 2>/dev/null | tr -cd a-z0-9-`,
  write: (text) => `echo ${text} | dd of=${device} bs=512 seek=${sector} conv=notrunc,fsync 2>&1`,
});

/** First sector of the disk with this serial number. */
export const firstSectorOf = (serial: string): Sector =>
  sectorAt(`/dev/$(basename $(dirname $(grep -l ${serial} /sys/block/*/serial)))`, '0');

/** Last sector of the system disk, which the system does not use. */
export const lastSector = sectorAt('/dev/vda', '$(($(cat /sys/block/vda/size) - 1))');
