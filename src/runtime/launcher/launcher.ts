/** virt-launcher's composition: guest, command socket, notifications, DHCP, port forwarding, and the end of the Pod. */
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { serveCmd } from './cmd/server';
import { Notifier } from './cmd/notifier';
import { leaseOf, parseResolvConf } from './dhcp/lease';
import { DhcpServer } from './dhcp/server';
import { type Ask, probe } from './guest-agent/probe';
import { serveProbes } from './guest-agent/probe-server';
import { log, logAbout } from './log';
import type { LauncherPaths } from './paths';
import { servePortForward } from './port-forward/server';
import { SerialLogLimit } from './serial-log';
import { Guest } from './vm/guest';
import { KILL_ONCE } from './vm/kill';
import { type LauncherRecord, RecordFile } from './vm/record';
import type { Ending } from './vm/state';

export interface LauncherOptions {
  paths: LauncherPaths;
  /** UID of the VMI that this Pod belongs to. */
  uid?: string;
  /** The Pod fails if no start is requested within this time. */
  startTimeoutSeconds: number;
  /** Time between the power button and the kill, if the VMI sets none. */
  graceSeconds: number;
  /** Directory of the supervisor; the file `exit-code` in it and a signal end the Pod. */
  supervisor: string;
  resolvConf(): string;
}

/** Time that the end of the Pod waits for the handler to acknowledge the last state. */
const LAST_WORDS_MS = 2_000;
/** Delay after a start until its memory is released. Measured: 2 MiB per VM. */
const TIDY_MS = 5_000;
/** Interval of further power button presses: a booting guest misses them. */
const PRESS_AGAIN_MS = 5_000;

export class Launcher {
  private readonly guest: Guest;
  private readonly notifier: Notifier;
  private readonly dhcp = new DhcpServer();
  private readonly serialLog = new SerialLogLimit();
  private record: LauncherRecord | undefined;
  private startTimer: NodeJS.Timeout | undefined;
  private pressTimer: NodeJS.Timeout | undefined;
  private stopping = false;
  private finished = false;

  constructor(private readonly options: LauncherOptions) {
    const { paths } = options;
    this.notifier = new Notifier(paths.notifySocket);
    this.guest = new Guest(paths, new RecordFile(join(paths.private, 'launcher.json')), {
      onState: (state) => this.notifier.publish(state),
      onEnded: (ending) => void this.finish(ending),
      onRecord: (record) => this.onRecord(record),
      restartLibvirtd: () => this.killLibvirtd(),
    });
  }

  async start(): Promise<void> {
    const { paths, uid, startTimeoutSeconds } = this.options;
    logAbout({ uid });
    this.guest.start();
    const cmd = serveCmd(this.guest, uid, () => {
      if (!this.guest.wasStarted) void this.finish({ exitCode: 0, message: 'deleted before the guest was started' });
    });
    await servePortForward(paths.portForwardSocket, () => this.guestAddress());
    const ask: Ask = (command, args, timeoutSeconds) => this.guest.askAgent(command, args, timeoutSeconds);
    await serveProbes(paths.probeSocket, (request) => probe(ask, request));
    // last, because any process that sees this socket may use the launcher completely
    await cmd.listen(paths.launcherSocket, 0o660);
    if (!this.guest.wasStarted) {
      this.startTimer = setTimeout(() => this.startTimedOut(), startTimeoutSeconds * 1000);
    }
    log('info', 'virt-launcher is ready', { ms: Math.round(performance.now()), restarted: this.guest.wasStarted });
  }

  /** SIGTERM: power button, then kill, within the grace period. */
  stop(): void {
    if (this.stopping || this.finished) return;
    this.stopping = true;
    if (!this.guest.wasStarted) {
      void this.finish({ exitCode: 0, message: 'stopped before the guest was started' });
      return;
    }
    const grace = this.guest.vmi?.spec.terminationGracePeriodSeconds ?? this.options.graceSeconds;
    log('info', 'stopping the guest', { graceSeconds: grace });
    const press = (): void => {
      this.guest.shutdown().catch((error: unknown) => log('warn', 'power button', { error: String(error) }));
    };
    this.pressTimer = setInterval(press, PRESS_AGAIN_MS);
    if (grace > 0) press();
    setTimeout(() => {
      clearInterval(this.pressTimer);
      if (this.finished) return;
      log('warn', 'the guest did not power off in time');
      const kill = (): Promise<void> => this.guest.kill(KILL_ONCE);
      // twice, because libvirtd may be replaced in between
      kill()
        .catch(kill)
        .catch((error: unknown) => void this.finish({ exitCode: 1, message: String(error) }));
    }, grace * 1000);
  }

  private startTimedOut(): void {
    if (this.guest.wasStarted) return;
    const seconds = this.options.startTimeoutSeconds;
    const why = this.guest.lastFailure ?? 'virt-handler did not ask for it; see its log';
    void this.finish({ exitCode: 1, message: `the guest was not started within ${seconds} s: ${why}` });
  }

  private onRecord(record: LauncherRecord): void {
    this.record = record;
    logAbout(record.vmi.metadata);
    if (record.started) {
      clearTimeout(this.startTimer);
      setTimeout(() => globalThis.gc?.(), TIDY_MS).unref();
    }
    this.serialLog.watch(`${this.options.paths.runtime(record.vmi.metadata.uid!)}/virt-serial0-log`);
    const resolv = parseResolvConf(this.options.resolvConf());
    const leases = (record.options.podInterfaces ?? []).flatMap((nic) => leaseOf(record.vmi, nic, resolv) ?? []);
    this.dhcp.serve(leases).catch((error: unknown) => {
      log('error', 'the DHCP server cannot listen; the guest gets no address automatically', { error: String(error) });
    });
  }

  /** s6-supervise's control pipe: `k` kills the service, which is then started again. */
  private killLibvirtd(): void {
    try {
      const control = join(this.options.supervisor, 'libvirtd/supervise/control');
      const pipe = openSync(control, constants.O_WRONLY | constants.O_NONBLOCK); // fails if no process reads it
      writeSync(pipe, 'k');
      closeSync(pipe);
    } catch (error) {
      log('error', 'libvirtd could not be restarted', { error: String(error) });
    }
  }

  private guestAddress(): string | undefined {
    const nics = this.record?.options.podInterfaces ?? [];
    return nics.find(({ guestIPv4 }) => guestIPv4)?.guestIPv4?.split('/')[0];
  }

  /** Ends the Pod: last state to the handler, termination message, exit code; then the supervisor stops all services. */
  private async finish({ exitCode, message }: Ending): Promise<void> {
    if (this.finished) return;
    this.finished = true;
    this.guest.forbidStarts();
    clearInterval(this.pressTimer);
    log(exitCode === 0 ? 'info' : 'error', message, { exitCode });
    await this.notifier.flush(LAST_WORDS_MS);
    try {
      writeFileSync('/dev/termination-log', message, { flag: 'r+' });
    } catch {
      // without a termination message, the kubelet takes the end of the log
    }
    const { supervisor } = this.options;
    writeFileSync(join(supervisor, 'exit-code'), `${exitCode}\n`);
    // s6-svscan's control pipe: `t` terminates, and runs .s6-svscan/finish in its place
    writeFileSync(join(supervisor, '.s6-svscan/control'), 't', { flag: 'a' });
    // otherwise the supervisor would have to wait for this process
    process.exit(0);
  }
}
