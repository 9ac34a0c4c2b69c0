import { PlatformImages } from '../../../src';
import { eventually, sleep, TestEngine, tinyVm } from '../engine';
import { insist } from '../kill-run/killer';
import { applyPlatform, platformManifests } from '../platform';
import type { FleetFault, FleetVictim } from './schedule';

const NODES = 3;
const PREFIX = 'fleet-';

/** Launcher and boot of a guest, which no fault may change. */
interface Guest {
  readonly pod: string;
  readonly node: string;
  readonly bootId: string;
}

/** Breaks parts of a platform of several nodes, and compares its guests, Pods and processes with those before. */
export class FleetRun {
  private guests = new Map<string, Guest>();

  private constructor(
    private readonly engine: TestEngine,
    private readonly vms: readonly string[],
    private readonly say: (line: string) => void,
  ) {}

  /** Starts an engine with three nodes, the platform as Pods, and VMs on all nodes. */
  public static async start(vmCount: number, say: (line: string) => void): Promise<FleetRun> {
    const engine = await TestEngine.start({ bare: true, nodes: NODES });
    const vms = Array.from({ length: vmCount }, (_, i) => `${PREFIX}${i}`);
    const run = new FleetRun(engine, vms, say);
    try {
      await run.install();
      await run.boot();
    } catch (error) {
      await engine.down();
      throw error;
    }
    return run;
  }

  private async install(): Promise<void> {
    const { engine } = this;
    const built = await engine.virt8s('images', 'build', '--tag', 'test');
    if (built.code !== 0) throw new Error(built.stderr);
    const images = PlatformImages.of({ registry: 'localhost/virt8s', tag: 'test' });
    await applyPlatform(engine, platformManifests(images, { nodes: NODES }));
  }

  /** Boots a few guests at a time: many that boot together have no CPU left for their DHCP requests. */
  private async boot(): Promise<void> {
    const { engine, vms } = this;
    for (let at = 0; at < vms.length; at += NODES) {
      const batch = vms.slice(at, at + NODES);
      await engine.mustApply(batch.map((name) => tinyVm(name, { memory: '128Mi' })));
      for (const name of batch) await engine.guest(name);
    }
    await eventually(async () => void (this.guests = await this.observe()), { everyMs: 1_000 });
    const nodes = new Set(Array.from(this.guests.values(), ({ node }) => node));
    if (vms.length >= NODES && nodes.size < NODES) throw new Error(`the guests run on ${[...nodes].join(', ')} only`);
  }

  /** Breaks one after the other, and waits until everything works again. */
  public async during(faults: readonly FleetFault[]): Promise<void> {
    for (const fault of faults) await this.cause(fault);
    this.say(`${faults.length} faults`);
    await this.settles();
  }

  /** Drops all requests to the API server for this time, and waits until everything works again. */
  public async withoutApiServer(lastsMs: number): Promise<void> {
    this.say(`the API server is unreachable for ${lastsMs} ms`);
    const nft = async (...lines: string[]): Promise<void> => {
      const { code, stderr } = await this.engine.run('nft', ['-f', '-'], `${lines.join('\n')}\n`);
      if (code !== 0) throw new Error(stderr);
    };
    const table = `inet virt8s-test-outage-${this.engine.port}`;
    await nft(
      `add table ${table}`,
      `add chain ${table} input { type filter hook input priority 0; }`,
      `add rule ${table} input tcp dport ${this.engine.port} drop`,
    );
    try {
      await sleep(lastsMs);
    } finally {
      await nft(`delete table ${table}`);
    }
    await this.startsAnother();
    await this.settles();
  }

  /** Starts a VM and deletes it, for which every program must get changes again. */
  private async startsAnother(): Promise<void> {
    const name = `${PREFIX}another`;
    const began = Date.now();
    await eventually(() => this.engine.mustApply(tinyVm(name, { memory: '128Mi' })), { everyMs: 1_000 });
    await this.engine.vmBecomes(name, 'Running');
    this.say(`another VM runs after ${Date.now() - began} ms`);
    await this.engine.guest(name);
    await this.engine.kubectl('delete', 'vm', name, '--timeout=5m');
  }

  public async end(): Promise<string[]> {
    await this.engine.down();
    return this.engine.leftovers();
  }

  private async cause({ victim, choice, afterMs, lastsMs }: FleetFault): Promise<void> {
    await sleep(afterMs);
    if (victim === 'node network') return this.disconnect(choice, lastsMs);
    const pids = await eventually(async () => {
      const found = this.pids(victim);
      if (found.length === 0) throw new Error(`${victim} does not run`);
      return found;
    });
    const pid = pids[choice % pids.length]!;
    this.say(`SIGKILL to ${victim} (${pid})`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended in this moment
    }
    if (victim === 'engine') await this.engine.up();
  }

  private async disconnect(choice: number, lastsMs: number): Promise<void> {
    const list = (await insist(() => this.engine.virt8s('node', 'list'))).stdout;
    const others = Array.from(list.matchAll(/^(\S+) +on +connected/gm), ([, name]) => name!);
    const node = others[choice % others.length];
    if (node === undefined) throw new Error(`no node can be disconnected:\n${list}`);
    this.say(`${node} is disconnected for ${lastsMs} ms`);
    const must = (verb: string): Promise<void> =>
      insist(async () => {
        const { code, stderr } = await this.engine.virt8s('node', verb, node);
        if (code !== 0) throw new Error(stderr);
      });
    await must('disconnect');
    await sleep(lastsMs);
    await must('connect');
  }

  private pids(victim: FleetVictim): number[] {
    const { engine } = this;
    switch (victim) {
      case 'engine':
      case 'api-server':
        try {
          return [engine.componentPid(victim)];
        } catch {
          return [];
        }
      case 'node agent':
        return engine.pids('engine.cjs', '--config', engine.stateDir);
      default:
        return engine.pids(`${victim}.cjs`);
    }
  }

  private async settles(): Promise<void> {
    const began = Date.now();
    await eventually(() => this.verify(), { everyMs: 1_000 });
    this.say(`converged after ${Date.now() - began} ms`);
  }

  /** @throws while anything differs from before the first fault */
  private async verify(): Promise<void> {
    const now = await this.observe();
    for (const [name, before] of this.guests) {
      const after = now.get(name);
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      throw new Error(`${name} was ${JSON.stringify(before)}, and is ${JSON.stringify(after)}`);
    }
    const { status } = await this.engine.get('kubevirt', 'kubevirt', 'kubevirt');
    const is = (type: string): string | undefined =>
      status.conditions.find((condition: { type: string }) => condition.type === type)?.status;
    if (is('Available') !== 'True' || is('Degraded') !== 'False') {
      throw new Error(`the platform: ${JSON.stringify(status.conditions)}`);
    }
    const notReady = (await this.engine.list('nodes'))
      .filter((node) => !node.status.conditions.some(isReady))
      .map(({ metadata }) => metadata.name);
    if (notReady.length > 0) throw new Error(`nodes are not Ready: ${notReady.join(', ')}`);
    const unready = (await this.engine.list('pods', '-A'))
      .filter(({ status: { phase, conditions } }) => phase === 'Running' && !conditions.some(isReady))
      .map(({ metadata }) => metadata.name);
    if (unready.length > 0) throw new Error(`Pods are not Ready: ${unready.join(', ')}`);
  }

  /** @throws unless each VM has one running guest that answers, and nothing else exists */
  private async observe(): Promise<Map<string, Guest>> {
    const { engine, vms } = this;
    const pods = await engine.list('pods');
    const names = pods.map(({ metadata }) => metadata.labels['vm.kubevirt.io/name'] as string).sort();
    if (names.join() !== [...vms].sort().join()) throw new Error(`launchers exist of ${names.join(', ')}`);
    const waiting = (await engine.list('vm')).filter(({ status }) => status?.printableStatus !== 'Running');
    if (waiting.length > 0) {
      throw new Error(waiting.map(({ metadata, status }) => `${metadata.name}: ${status?.printableStatus}`).join(', '));
    }
    const running = engine.pids('qemu-system', `guest=default_${PREFIX}`);
    if (running.length !== vms.length) throw new Error(`${running.length} QEMU run for ${vms.length} VMs`);
    const guests = await Promise.all(
      vms.map(async (name): Promise<[string, Guest]> => {
        const pod = pods.find(({ metadata }) => metadata.labels['vm.kubevirt.io/name'] === name)!;
        const { boot_id: bootId } = await engine.guest(name);
        return [name, { pod: pod.metadata.name, node: pod.spec.nodeName, bootId }];
      }),
    );
    return new Map(guests);
  }
}

const isReady = ({ type, status }: { type: string; status: string }): boolean => type === 'Ready' && status === 'True';
