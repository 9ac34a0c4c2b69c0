import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cacheDir } from '../../local/engine/cache';
import { defaultStateDir } from '../../local/engine';
import { CliError } from '../errors';
import { unitOf } from './unit';

const NAME = 'virt8s.service';
const FILE = `/etc/systemd/system/${NAME}`;

export interface ServiceFlags {
  readonly stateDir?: string;
  readonly print?: boolean;
}

/** `virt8s service install` */
export function installService(flags: ServiceFlags): void {
  const unit = unitOf({
    command: [process.execPath, resolve(process.argv[1]!)],
    stateDir: resolve(flags.stateDir ?? defaultStateDir()),
    path: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin',
    cache: cacheDir(),
  });
  if (flags.print) {
    process.stdout.write(unit);
    return;
  }
  requireSystemd();
  writeFileSync(`${FILE}.new`, unit, { mode: 0o644 });
  renameSync(`${FILE}.new`, FILE);
  systemctl('daemon-reload');
  systemctl('enable', '--now', NAME);
  console.log(`${NAME} runs the engine, also after a reboot; its log: journalctl -u virt8s`);
}

/** `virt8s service uninstall` */
export function uninstallService(): void {
  requireSystemd();
  if (!existsSync(FILE)) throw new CliError(`${FILE} does not exist; the service is not installed`);
  systemctl('disable', '--now', NAME);
  rmSync(FILE);
  systemctl('daemon-reload');
  console.log(`${NAME} is removed; the state is kept: virt8s up starts the engine, virt8s down removes it`);
}

function requireSystemd(): void {
  if (process.getuid?.() !== 0) throw new CliError('systemd units require root: run it with sudo');
  if (existsSync('/run/systemd/system')) return;
  throw new CliError('this machine does not run systemd; start the engine with: virt8s up --foreground');
}

function systemctl(...args: string[]): void {
  const { status, error, stderr } = spawnSync('systemctl', args, { encoding: 'utf8' });
  if (status !== 0) throw new CliError(`systemctl ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
}
