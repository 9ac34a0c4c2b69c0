/** virt-launcher: the process in a VM's Pod that operates its guest. The supervisor restarts it; the guest keeps running. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Launcher } from './launcher';
import { log } from './log';
import { DEFAULT_PATHS, pathsOf } from './paths';

/** `240s`, `4m0s`, `90` -> seconds. */
function seconds(text: string, fallback: number): number {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text);
  if (!match || text === '') return fallback;
  return Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
}

function main(): void {
  // arguments of other launchers are ignored instead of failing the VM
  const { values } = parseArgs({
    strict: false,
    options: {
      uid: { type: 'string' },
      'qemu-timeout': { type: 'string', default: '240s' },
      'kubevirt-share-dir': { type: 'string', default: DEFAULT_PATHS.share },
      'ephemeral-disk-dir': { type: 'string', default: DEFAULT_PATHS.ephemeral },
      'container-disk-dir': { type: 'string', default: DEFAULT_PATHS.containerDisks },
      'grace-period-seconds': { type: 'string', default: '30' },
      'ovmf-path': { type: 'string', default: DEFAULT_PATHS.ovmf },
      'keep-after-failure': { type: 'boolean', default: false },
    },
  });
  const text = (name: keyof typeof values): string => String(values[name] ?? '');
  const paths = pathsOf({
    ...DEFAULT_PATHS,
    share: text('kubevirt-share-dir'),
    ephemeral: text('ephemeral-disk-dir'),
    containerDisks: text('container-disk-dir'),
    ovmf: text('ovmf-path'),
  });
  mkdirSync(dirname(paths.launcherSocket), { recursive: true });
  const launcher = new Launcher({
    paths,
    uid: text('uid') || undefined,
    startTimeoutSeconds: seconds(text('qemu-timeout'), 240),
    graceSeconds: seconds(text('grace-period-seconds'), 30),
    supervisor: join(paths.private, 'supervise'),
    resolvConf: () => readFileSync('/etc/resolv.conf', 'utf8'),
  });
  process.on('SIGTERM', () => launcher.stop());
  process.on('SIGINT', () => launcher.stop());
  launcher.start().catch((error: unknown) => {
    log('error', 'virt-launcher cannot start', { error: error instanceof Error ? error.stack : String(error) });
    process.exit(1);
  });
}

main();
