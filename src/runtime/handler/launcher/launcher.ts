import { FailureReason } from '../../../api/reasons';
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Socket } from 'node:net';
import type { VirtualMachineInstance } from '../../../api';
import type { CmdResponse, DomainState, DomainStats, Stub, VirtualMachineOptions } from '../../protocol';
import { CmdDefinition, GrpcClient, GrpcError, GrpcStatus } from '../../protocol';
import { MAX_REPORT_BYTES } from '../../protocol/bounds';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import { parseFields } from './fields';
import { Latest } from './latest';
import { LOOK_RATE, MAX_BUFFERED_BYTES, MAX_CALLS, READ_RATE, REPORT_RATE, STATS_TIMEOUT_MS } from './limits';
import {
  parseDomainState,
  parseDomainStats,
  parseFilesystems,
  parseGuestInfo,
  parseRefusal,
  parseUsers,
} from './sanitize';
import type { List } from './sanitize';

/** The launcher rejected a request; reason and message are suitable for a condition. */
export class LauncherRefusal extends Error {
  public constructor(
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Starting a guest includes creating its disks' overlays, and libvirt's own work. */
const SYNC_TIMEOUT_MS = 120_000;

/** Operations on a running guest that need no spec. */
export type GuestAction = 'pause' | 'unpause' | 'unfreeze' | 'softReboot' | 'reset' | 'shutdown' | 'kill' | 'end';

const METHODS = {
  pause: 'pauseVirtualMachine',
  unpause: 'unpauseVirtualMachine',
  unfreeze: 'unfreezeVirtualMachine',
  softReboot: 'softRebootVirtualMachine',
  reset: 'resetVirtualMachine',
  shutdown: 'shutdownVirtualMachine',
  kill: 'killVirtualMachine',
  end: 'deleteVirtualMachine',
} as const;

const GET_TIMEOUT_MS = 5_000;
/** The guest agent may use five seconds of these. */
const AGENT_TIMEOUT_MS = 15_000;
const ACT_TIMEOUT_MS = 20_000;
/** Includes the time in which the guest writes its caches to its disks. */
const FREEZE_TIMEOUT_MS = 30_000;

/** Client of one launcher Pod's command socket. Connects on demand, and again after the launcher has restarted. */
export class Launcher {
  private readonly client: GrpcClient;
  private readonly cmd: Stub<typeof CmdDefinition>;
  private readonly appeared: Latest<void>;
  private readonly disconnected: Latest<void>;
  private watcher?: FSWatcher;

  public constructor(
    private readonly podUid: string,
    private readonly volumes: PodVolumes,
    /** Called when the socket may have appeared, and when an established connection has ended; at a limited rate. */
    onChange: (appeared: boolean) => void,
  ) {
    this.appeared = new Latest(LOOK_RATE, () => onChange(true));
    this.disconnected = new Latest(REPORT_RATE, () => onChange(false));
    this.client = new GrpcClient(() => this.open(launcherPaths.cmd), {
      maxMessageBytes: MAX_REPORT_BYTES,
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      maxCalls: MAX_CALLS,
      readRate: READ_RATE,
      onDisconnect: () => this.disconnected.offer(),
    });
    this.cmd = withRemedy(this.client.service(CmdDefinition));
  }

  /** Whether the launcher listens; if not, `onChange` is called when it may. */
  public isListening(): boolean {
    const { volume, parts } = launcherPaths.cmd;
    if (this.volumes.hasSocket(this.podUid, volume, parts[0])) {
      this.stopWatching();
      return true;
    }
    this.watcher ??= this.watchFor(volume);
    return false;
  }

  /** State of its domain; `NoState` if it has none. */
  public async domain(): Promise<DomainState> {
    const { response, domain } = await this.cmd.getDomain({}, { timeoutMs: GET_TIMEOUT_MS });
    accept(response);
    if (!domain) return { status: 'NoState', reason: 'Unknown' };
    const state = parseDomainState(domain);
    if (!state)
      throw new LauncherRefusal(FailureReason.LauncherAnswer, 'the launcher reported a domain that cannot be read');
    return state;
  }

  /** Statistics of the running guest. */
  public async stats(): Promise<DomainStats> {
    const { response, domainStats } = await this.cmd.getDomainStats({}, { timeoutMs: STATS_TIMEOUT_MS });
    accept(response);
    return parseDomainStats(domainStats);
  }

  /** Starts the guest, or applies the spec to it; returns the fields that a running guest cannot apply. */
  public async sync(vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<string[]> {
    const response = await this.cmd.syncVirtualMachine({ vmi: encode(vmi), options }, { timeoutMs: SYNC_TIMEOUT_MS });
    accept(response);
    return parseFields(response.notApplied);
  }

  public async act(action: GuestAction, vmi: VirtualMachineInstance): Promise<void> {
    accept(await this.cmd[METHODS[action]]({ vmi: encode(vmi) }, { timeoutMs: ACT_TIMEOUT_MS }));
  }

  /** Freezes the guest's file systems; the launcher thaws them after this time. */
  public async freeze(vmi: VirtualMachineInstance, unfreezeTimeoutSeconds: number): Promise<void> {
    const request = { vmi: encode(vmi), unfreezeTimeoutSeconds };
    accept(await this.cmd.freezeVirtualMachine(request, { timeoutMs: FREEZE_TIMEOUT_MS }));
  }

  /** Begins a memory dump to a file in a volume that the launcher has. */
  public async dumpMemory(
    vmi: VirtualMachineInstance,
    { volume, fileName }: { readonly volume: string; readonly fileName: string },
  ): Promise<void> {
    const request = { vmi: encode(vmi), dumpPath: launcherPaths.hotplugFile(volume, fileName) };
    accept(await this.cmd.virtualMachineMemoryDump(request, { timeoutMs: ACT_TIMEOUT_MS }));
  }

  /** Begins or aborts a backup of the guest's disks. */
  public async backup(vmi: VirtualMachineInstance, options: string): Promise<void> {
    const request = { vmi: encode(vmi), options: Buffer.from(options) };
    accept(await this.cmd.backupVirtualMachine(request, { timeoutMs: FREEZE_TIMEOUT_MS }));
  }

  /** VirtualMachineInstanceGuestAgentInfo without the fields that this guest's agent cannot report. */
  public async guestInfo(): Promise<object> {
    const answer = await this.cmd.getGuestInfo({}, { timeoutMs: AGENT_TIMEOUT_MS });
    accept(answer.response);
    const orNothing = (list: Promise<List>): Promise<object[] | undefined> =>
      list.then(
        ({ items }) => items,
        () => undefined,
      );
    const [users, disks] = await Promise.all([orNothing(this.users()), orNothing(this.filesystems())]);
    return {
      ...parseGuestInfo(answer.guestInfoResponse),
      ...(users ? { userList: users } : {}),
      ...(disks ? { fsInfo: { disks } } : {}),
    };
  }

  /** VirtualMachineInstanceGuestOSUserList */
  public async users(): Promise<List> {
    const { response, guestUserListResponse, omitted } = await this.cmd.getUsers({}, { timeoutMs: AGENT_TIMEOUT_MS });
    accept(response);
    return parseUsers(guestUserListResponse, omitted);
  }

  /** VirtualMachineInstanceFileSystemList */
  public async filesystems(): Promise<List> {
    const answer = await this.cmd.getFilesystems({}, { timeoutMs: AGENT_TIMEOUT_MS });
    accept(answer.response);
    return parseFilesystems(answer.guestFilesystemsResponse, answer.omitted);
  }

  /** Connects to one of the Pod's sockets: serial console, VNC, port forwarding. */
  public open({ volume, parts }: { volume: string; parts: readonly string[] }): Socket {
    return this.volumes.connect(this.podUid, volume, parts);
  }

  /** Throws unless the socket exists. */
  public check({ volume, parts }: { volume: string; parts: readonly string[] }): void {
    this.volumes.check(this.podUid, volume, parts);
  }

  public close(): void {
    this.stopWatching();
    this.client.close();
    this.appeared.drop();
    this.disconnected.drop();
  }

  private watchFor(volume: string): FSWatcher {
    const dir = this.volumes.open(this.podUid, volume);
    try {
      const watcher = watch(dir.path, { persistent: false }, () => this.appeared.offer());
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

const withRemedy = <S extends object>(stub: S): S =>
  Object.fromEntries(
    Object.entries(stub).map(([name, call]: [string, (...given: never[]) => Promise<unknown>]) => [
      name,
      (...given: never[]) => call(...given).catch(outdated),
    ]),
  ) as S;

/** A guest keeps its launcher when virt-handler is updated, so methods that are newer than it are absent. */
function outdated(error: unknown): never {
  if (!(error instanceof GrpcError) || error.code !== GrpcStatus.UNIMPLEMENTED) throw error;
  throw new LauncherRefusal(
    FailureReason.LauncherOutdated,
    'the launcher of this guest is of an earlier version that cannot do this; restart the VM to update it',
  );
}

function accept(response: CmdResponse | undefined): void {
  if (response?.success) return;
  const { reason, message } = parseRefusal(response);
  throw new LauncherRefusal(reason, message);
}
