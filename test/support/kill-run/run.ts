import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomNumbers } from '../dying-client';
import { eventually, TestEngine } from '../engine';
import { TestCa } from '../pki';
import { WebServer } from '../web-server';
import { Disks, type Wanted } from './disks';
import { insist, Killer } from './killer';
import { leftovers } from './leftovers';
import { Machine } from './machine';
import type { Kill } from './schedule';

const CONTENT_BYTES = 24 << 20;
/** Namespace of clones whose source is in another one, which the garbage collector does not clean up. */
const TEAM = 'team';
const GOLDEN = { name: 'golden' };
const LONGEST_ABORT_MS = 4_000;

/**
 * Runs imports, uploads, clones, hotplugs, snapshots and restores at the same time, again and again, while programs are killed.
 * Every operation has to succeed in the end, with the right bytes, and to leave nothing.
 */
export class KillRun {
  private round = 0;
  private readonly random = randomNumbers(1);

  private constructor(
    private readonly engine: TestEngine,
    private readonly server: WebServer,
    private readonly folder: string,
    private readonly host: string,
    private readonly disks: Disks,
    private readonly machine: Machine,
    private readonly say: (line: string) => void,
  ) {}

  public static async start(say: (line: string) => void): Promise<KillRun> {
    const ca = await TestCa.create('images');
    const server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-kills-'));
    const content = Buffer.alloc(CONTENT_BYTES);
    for (let at = 0; at < CONTENT_BYTES; at += 4096) content.write(`block ${at}`, at);
    const raw = join(server.root, 'disk.raw');
    writeFileSync(raw, content);
    execFileSync('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, join(server.root, 'disk.qcow2')]);
    const engine = await TestEngine.start();
    const [node] = await engine.list('nodes');
    const host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    const disks = new Disks(engine, content);
    const machine = new Machine(engine);
    await engine.kubectl('create', 'namespace', TEAM);
    await engine.mustApply(disks.objectOf({ ...GOLDEN, source: { http: { url: server.url('disk.raw', host) } } }));
    await Promise.all([machine.start(), disks.hasContent(GOLDEN)]);
    return new KillRun(engine, server, folder, host, disks, machine, say);
  }

  /** Kills while operations run, then waits until they are complete, and compares what is left. */
  public async during(kills: readonly Kill[]): Promise<void> {
    const killer = new Killer(this.engine, this.say);
    let isOver = false;
    const killAll = async (): Promise<void> => {
      try {
        for (const kill of kills) if (!isOver) await killer.kill(kill);
      } finally {
        isOver = true;
      }
    };
    /** Repeats operations until all kills have happened. */
    const lane = async (...operations: readonly [string, (round: number) => Promise<void>][]): Promise<void> => {
      do {
        for (const [name, run] of operations) {
          const round = this.round++;
          await run(round).catch((error: unknown) => {
            isOver = true;
            throw new Error(`${name} ${round}: ${error instanceof Error ? error.message : String(error)}`);
          });
          killer.note(`${name} ${round} is complete`);
        }
      } while (!isOver);
    };
    const slow = (file: string): object => ({ http: { url: this.server.url(`slow/${file}`, this.host) } });
    const pvc = { pvc: { name: GOLDEN.name, namespace: 'default' } };
    const made = (wanted: Omit<Wanted, 'name'>) => (round: number) =>
      this.disks.fill({ ...wanted, name: `disk-${round}` });
    const lanes = [
      killAll(),
      lane(['hotplug', () => this.machine.hotplug()], ['restore', (round) => this.machine.restore(round)]),
      lane(
        ['import', made({ source: slow('disk.raw') })],
        ['import of qcow2 to a device', made({ source: slow('disk.qcow2'), volumeMode: 'Block' })],
      ),
      lane(
        ['upload', (round) => this.upload(`disk-${round}`)],
        ['import after an aborted one', (round) => this.abort(`disk-${round}`, { source: slow('disk.raw') })],
      ),
      lane(
        [
          'copy to a device after an aborted one',
          (round) => this.abort(`disk-${round}`, { source: pvc, namespace: TEAM, volumeMode: 'Block' }),
        ],
        ['clone', made({ source: pvc, namespace: TEAM })],
      ),
    ];
    try {
      await Promise.all(lanes);
      await this.settles();
    } catch (error) {
      // nothing may start the engine again while it is removed
      await Promise.allSettled(lanes);
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${killer.log.join('\n')}`);
    }
  }

  public async end(): Promise<string[]> {
    await this.engine.down();
    this.server.stop();
    rmSync(this.folder, { recursive: true });
    return this.engine.leftovers();
  }

  /** Sends the disk with the command line, which continues after a broken connection, until it has arrived. */
  private upload(name: string): Promise<void> {
    const image = join(this.server.root, 'disk.raw');
    const args = ['image-upload', 'dv', name, '--image-path', image, '--no-create', '--wait-secs', '300'];
    return this.disks.fill({ name, source: { upload: {} } }, (isFilled) =>
      insist(async () => {
        if (await isFilled()) return;
        const { code, stderr } = await this.engine.virt8s(...args);
        if (code !== 0 && !(await isFilled())) throw new Error(stderr);
      }),
    );
  }

  /** Deletes a DataVolume while it is filled, and fills another one of its name. */
  private async abort(name: string, wanted: Omit<Wanted, 'name'>): Promise<void> {
    await this.disks.abort({ ...wanted, name }, this.random(LONGEST_ABORT_MS));
    await this.disks.fill({ ...wanted, name });
  }

  private async settles(): Promise<void> {
    await this.disks.hasContent(GOLDEN);
    await this.machine.verify('data');
    const kept = { claims: ['default/data', 'default/extra', 'default/golden'], dataVolumes: ['golden'], pods: 1 };
    await eventually(
      async () => {
        const left = await leftovers(this.engine, kept);
        if (left.length > 0) throw new Error(`left over:\n${left.join('\n')}`);
      },
      { everyMs: 1_000 },
    );
  }
}
