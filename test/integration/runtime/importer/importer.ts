/** Runs the importer's image as its Pod does: as user 107, without capabilities, on a read-only root. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  IMPORT_VARIABLE,
  importerPaths,
  type ImportReport,
  type ImportRequest,
} from '../../../../src/api/cdi/import-request';
import { importerImage } from '../../../../src/local/engine/images';
import { nodeFlagsOf, nodeMemoryVariables } from '../../../../src/local/engine/node-memory-flags';
import { unpackedImage } from '../launcher/image';

const USER = 107;
const MIB = 1 << 20;

export interface ImporterOptions {
  /** Files of the Pod's folders: path to content. */
  readonly files?: Readonly<Record<string, string>>;
  /** Block device of this machine in place of the claim's file system. */
  readonly device?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly report: ImportReport;
  readonly output: string;
  /** Largest resident memory of the importer itself, in MiB. */
  readonly peakMiB: number;
  /** The part of it that is not the content of files, such as programs, which all Pods of a node share. */
  readonly anonymousMiB: number;
}

/** An importer and its claim, which survive its container. */
export class Importer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'virt8s-importer-'));
  private process?: ChildProcess;
  private starts = 0;

  public constructor(
    private readonly request: Partial<ImportRequest> & Pick<ImportRequest, 'source'>,
    private readonly options: ImporterOptions = {},
  ) {
    for (const name of ['data', 'state', 'tmp', 'upper', 'work', 'rootfs', 'crun']) mkdirSync(this.path(name));
    for (const name of ['data', 'state', 'tmp']) chownSync(this.path(name), USER, USER);
    for (const [path, text] of Object.entries(options.files ?? {})) {
      mkdirSync(join(this.path('files'), path, '..'), { recursive: true });
      writeFileSync(join(this.path('files'), path), text);
    }
  }

  public get disk(): string {
    return this.options.device ?? this.path('data/disk.img');
  }

  public path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs until the importer ends. */
  public async run(): Promise<Ended> {
    writeFileSync(this.path('termination-log'), '');
    chownSync(this.path('termination-log'), USER, USER);
    writeFileSync(this.path('config.json'), JSON.stringify(this.ociConfig()));
    const script = [
      'set -e',
      'umount /sys/fs/cgroup/unified 2>/dev/null || true',
      `exec crun --root ${this.path('crun')} --cgroup-manager=disabled run --pid-file ${this.path('pid')} --no-pivot --bundle ${this.folder} ${this.name()}`,
    ];
    this.process = spawn('unshare', ['--mount', 'sh', '-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [this.process.stdout!, this.process.stderr!]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const memory = new PeakMemory(() => Number(readFileSync(this.path('pid'), 'utf8')));
    const code = await new Promise<number | null>((resolve) => this.process!.once('close', resolve));
    const peak = memory.stop();
    const text = readFileSync(this.path('termination-log'), 'utf8');
    return { code, output, ...peak, report: text ? (JSON.parse(text) as ImportReport) : { message: '' } };
  }

  /** Kills the importer with everything that it started. */
  public kill(): void {
    execFileSync('crun', [
      '--root',
      this.path('crun'),
      'kill',
      '--all',
      `importer-${process.pid}-${this.starts}`,
      'KILL',
    ]);
  }

  /** Bytes that the disk occupies. */
  public allocated(): number {
    return statSync(this.disk).blocks * 512;
  }

  public remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private name(): string {
    this.starts += 1;
    return `importer-${process.pid}-${this.starts}`;
  }

  private ociConfig(): object {
    const { device, env = {} } = this.options;
    const bind = (source: string, destination: string, ...options: string[]) => ({
      destination,
      source,
      type: 'bind',
      options: ['rbind', ...options],
    });
    const request: ImportRequest = {
      contentType: 'kubevirt',
      claimBytes: 64 * MIB,
      overhead: 0,
      isPreallocated: false,
      owner: 'claim-uid',
      ...this.request,
    };
    return {
      ociVersion: '1.0.2',
      process: {
        user: { uid: USER, gid: USER },
        args: ['/usr/bin/node', ...nodeFlagsOf('virt-importer'), '/usr/lib/virt8s/virt-importer.cjs'],
        env: [
          'PATH=/usr/bin',
          ...nodeMemoryVariables,
          `${IMPORT_VARIABLE}=${JSON.stringify(request)}`,
          ...Object.entries(env).map(([key, value]) => `${key}=${value}`),
        ],
        cwd: '/',
        noNewPrivileges: true,
        capabilities: {},
      },
      root: { path: unpackedImage(importerImage), readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=65536k'] },
        bind(this.path('termination-log'), '/dev/termination-log'),
        bind('/etc/hosts', '/etc/hosts', 'ro'),
        bind('/etc/resolv.conf', '/etc/resolv.conf', 'ro'),
        bind(this.path('tmp'), '/tmp'),
        ...(device ? [bind(this.path('state'), importerPaths.state)] : [bind(this.path('data'), importerPaths.data)]),
        ...(existsSync(this.path('files')) ? [bind(this.path('files'), '/run/virt8s', 'ro')] : []),
      ],
      linux: {
        ...(device && {
          devices: [
            { path: importerPaths.device, type: 'b', ...numbersOf(device), uid: USER, gid: USER, fileMode: 0o660 },
          ],
        }),
        namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      },
    };
  }
}

/** Follows the peak of a process, which the kernel forgets with its end. */
class PeakMemory {
  private kib = 0;
  private anonymousKib = 0;
  private readonly timer = setInterval(() => this.look(), 10);

  public constructor(private readonly pid: () => number) {}

  public stop(): Pick<Ended, 'peakMiB' | 'anonymousMiB'> {
    clearInterval(this.timer);
    return { peakMiB: this.kib / 1024, anonymousMiB: this.anonymousKib / 1024 };
  }

  private look(): void {
    try {
      const status = readFileSync(`/proc/${this.pid()}/status`, 'utf8');
      const kibOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
      this.kib = Math.max(this.kib, kibOf('VmHWM'));
      this.anonymousKib = Math.max(this.anonymousKib, kibOf('RssAnon'));
    } catch {
      // it has not started, or has ended
    }
  }
}

function numbersOf(device: string): { major: number; minor: number } {
  const { rdev } = statSync(device);
  return { major: (rdev >> 8) & 0xfff, minor: (rdev & 0xff) | ((rdev >> 12) & 0xfff00) };
}
