import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Socket } from 'node:net';
import type { VirtualMachineInstance } from '../../../api';
import type { CmdResponse, DomainState, VirtualMachineOptions } from '../../protocol';
import { CmdDefinition, GrpcClient } from '../../protocol';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import { parseFields } from './fields';
import { MAX_REPORT_BYTES, parseAgentAnswer, parseDomainState } from './sanitize';

/** The launcher said no: its own words, fit for a condition. */
export class LauncherRefusal extends Error {
  public constructor(
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Starting a guest includes its disks' overlays and libvirt's own work. */
const SYNC_TIMEOUT_MS = 120_000;

/** Operations on a running guest that need no spec. */
export type GuestAction = 'pause' | 'unpause' | 'softReboot' | 'reset' | 'shutdown' | 'kill' | 'end';

const METHODS = {
  pause: 'pauseVirtualMachine',
  unpause: 'unpauseVirtualMachine',
  softReboot: 'softRebootVirtualMachine',
  reset: 'resetVirtualMachine',
  shutdown: 'shutdownVirtualMachine',
  kill: 'killVirtualMachine',
  end: 'deleteVirtualMachine',
} as const;

/** A list of the API, of things that have no object of their own. */
interface List {
  readonly metadata: object;
  readonly items: unknown[];
}

function listOf(json: string | undefined): List {
  const items = parseAgentAnswer(json);
  return { metadata: {}, items: Array.isArray(items) ? items : [] };
}

/** One launcher Pod's command socket. Connects when needed, and anew after the launcher was restarted. */
export class Launcher {
  private readonly client: GrpcClient;
  private watcher?: FSWatcher;

  public constructor(
    private readonly podUid: string,
    private readonly volumes: PodVolumes,
    /** Called when its socket may have appeared, and when an established connection ended. */
    private readonly onChange: (connected: boolean) => void,
  ) {
    this.client = new GrpcClient(() => this.open(launcherPaths.cmd), {
      maxMessageBytes: MAX_REPORT_BYTES,
      onDisconnect: () => onChange(false),
    });
  }

  /** Whether it listens already; if not, `onChange` will tell. */
  public isListening(): boolean {
    const { volume, parts } = launcherPaths.cmd;
    if (this.volumes.hasSocket(this.podUid, volume, parts[0])) {
      this.stopWatching();
      return true;
    }
    this.watcher ??= this.watchFor(volume);
    return false;
  }

  /** Its domain's state; `NoState` when it has none. */
  public async domain(): Promise<DomainState> {
    const { response, domain } = await this.cmd.getDomain({}, { timeoutMs: 5_000 });
    accept(response);
    if (!domain) return { status: 'NoState', reason: 'Unknown' };
    const state = parseDomainState(domain);
    if (!state) throw new LauncherRefusal('LauncherAnswer', 'the launcher reported a domain that cannot be read');
    return state;
  }

  /** Starts the guest; returns the fields that a running one does not have. */
  public async sync(vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<string[]> {
    const response = await this.cmd.syncVirtualMachine({ vmi: encode(vmi), options }, { timeoutMs: SYNC_TIMEOUT_MS });
    accept(response);
    return parseFields(response.notApplied);
  }

  public async act(action: GuestAction, vmi: VirtualMachineInstance): Promise<void> {
    accept(await this.cmd[METHODS[action]]({ vmi: encode(vmi) }, { timeoutMs: 20_000 }));
  }

  /** VirtualMachineInstanceGuestAgentInfo. What this guest's agent cannot tell is left out. */
  public async guestInfo(): Promise<object> {
    const answer = await this.cmd.getGuestInfo({});
    accept(answer.response);
    const orNothing = (list: Promise<List>): Promise<unknown[] | undefined> =>
      list.then(
        ({ items }) => items,
        () => undefined,
      );
    const [users, disks] = await Promise.all([orNothing(this.users()), orNothing(this.filesystems())]);
    return {
      ...(parseAgentAnswer(answer.guestInfoResponse) as object | undefined),
      ...(users ? { userList: users } : {}),
      ...(disks ? { fsInfo: { disks } } : {}),
    };
  }

  /** VirtualMachineInstanceGuestOSUserList */
  public async users(): Promise<List> {
    const answer = await this.cmd.getUsers({});
    accept(answer.response);
    return listOf(answer.guestUserListResponse);
  }

  /** VirtualMachineInstanceFileSystemList */
  public async filesystems(): Promise<List> {
    const answer = await this.cmd.getFilesystems({});
    accept(answer.response);
    return listOf(answer.guestFilesystemsResponse);
  }

  /** A connection to one of the Pod's sockets: the serial console, VNC, port forwarding. */
  public open({ volume, parts }: { volume: string; parts: readonly string[] }): Socket {
    return this.volumes.connect(this.podUid, volume, parts);
  }

  /** Throws unless a socket is there. */
  public check({ volume, parts }: { volume: string; parts: readonly string[] }): void {
    this.volumes.check(this.podUid, volume, parts);
  }

  public close(): void {
    this.stopWatching();
    this.client.close();
  }

  private get cmd() {
    return this.client.service(CmdDefinition);
  }

  private watchFor(volume: string): FSWatcher {
    const dir = this.volumes.open(this.podUid, volume);
    try {
      const watcher = watch(dir.path, { persistent: false }, () => this.onChange(true));
      watcher.on('error', () => this.stopWatching());
      return watcher;
    } finally {
      dir.close(); // inotify watches the inode
    }
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}

const encode = (vmi: VirtualMachineInstance): { vmiJson: Buffer } => ({ vmiJson: Buffer.from(JSON.stringify(vmi)) });

function accept(response: CmdResponse | undefined): void {
  if (response?.success) return;
  const reason = /^[A-Z][A-Za-z0-9]{0,63}$/.test(response?.reason ?? '') ? response!.reason! : 'SyncFailed';
  throw new LauncherRefusal(reason, (response?.message || 'the launcher gave no cause').slice(0, 1_024));
}
