import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { VirtualMachineInstance } from '../../../../src/api';
import { OpenedPath } from '../../../../src/runtime/handler/paths/safe-path';
import type { CmdResponse, DomainState, VirtualMachineOptions } from '../../../../src/runtime/protocol';
import { CmdDefinition, GrpcClient, GrpcServer, NotifyDefinition } from '../../../../src/runtime/protocol';
import { eventually } from '../../../support/patience';

/** The protocol's other side: a launcher whose guest is a variable. */
export class TestLauncher {
  public readonly calls: string[] = [];
  public readonly synced: { vmi: VirtualMachineInstance; options: VirtualMachineOptions }[] = [];
  /** Answer to a sync; if it is a success, the guest runs. */
  public onSync: () => CmdResponse = () => ({ success: true });
  public onShutdown = (): void => this.tell({ status: 'Shutoff', reason: 'Shutdown' });
  public onEnd = (): void => undefined;
  private state: DomainState = { status: 'NoState', reason: 'Unknown' };
  private server?: GrpcServer;
  private notify?: GrpcClient;
  private readonly sockets: OpenedPath;
  private readonly publicDir: OpenedPath;

  public constructor(volumesDir: string) {
    this.sockets = OpenedPath.trusted(`${volumesDir}/sockets`);
    this.publicDir = OpenedPath.trusted(`${volumesDir}/public`);
  }

  public async start(): Promise<void> {
    const done =
      (name: string, then: () => void = () => {}) =>
      (): CmdResponse => {
        this.calls.push(name);
        then();
        return { success: true };
      };
    this.server = new GrpcServer().add(CmdDefinition, {
      syncVirtualMachine: ({ vmi, options }) => {
        this.calls.push('sync');
        this.synced.push({ vmi: JSON.parse(vmi!.vmiJson!.toString()), options: options! });
        const answer = this.onSync();
        if (answer.success && this.state.status === 'NoState') {
          this.tell({
            status: 'Running',
            reason: 'Unknown',
            machineType: 'pc-q35-10.0',
            cpu: { sockets: 1, cores: 1, threads: 1 },
            memory: { guestCurrent: 256 << 20, guestAtBoot: 256 << 20 },
            interfaces: [{ name: 'default', mac: options?.podInterfaces?.[0]?.mac, infoSource: 'domain' }],
            volumes: [{ name: 'root', target: 'vda' }],
          });
        }
        return answer;
      },
      shutdownVirtualMachine: done('shutdown', () => this.onShutdown()),
      killVirtualMachine: done('kill', () => this.tell({ status: 'Shutoff', reason: 'Destroyed' })),
      deleteVirtualMachine: done('end', () => this.onEnd()),
      pauseVirtualMachine: done('pause', () => this.tell({ ...this.state, status: 'Paused', reason: 'User' })),
      freezeVirtualMachine: done('freeze'),
      backupVirtualMachine: done('backup'),
      unpauseVirtualMachine: () => {
        this.calls.push('unpause');
        if (this.state.status !== 'Paused') return { success: false, message: 'the guest is not paused' };
        this.tell({ ...this.state, status: 'Running', reason: 'Unknown' });
        return { success: true };
      },
      getDomain: () => {
        this.calls.push('getDomain');
        return {
          response: { success: true },
          domain: this.state.status === 'NoState' ? '' : JSON.stringify(this.state),
        };
      },
      getUsers: () => ({ response: { success: true }, guestUserListResponse: '[{"userName":"me"}]' }),
    });
    await this.server.listen(`${this.sockets.path}/launcher-sock`);
    this.notify = new GrpcClient(() => this.reach('domain-notify-pipe.sock'), {
      onDisconnect: () => void this.report(),
    });
    void this.report();
  }

  /** Its guest changes. */
  public tell(state: DomainState): void {
    this.state = { ...this.state, ...state };
    void this.report();
  }

  /** Sends a state and an event as they are, also with fields that a launcher has no reason to send. */
  public async send(state: object, event: object): Promise<void> {
    const notify = this.notify!.service(NotifyDefinition);
    const [domainJSON, eventJSON] = [state, event].map((each) => Buffer.from(JSON.stringify(each)));
    await notify.handleDomainEvent({ domainJSON, eventType: 'MODIFIED' });
    await notify.handleK8sEvent({ eventJSON });
  }

  public get domain(): DomainState {
    return this.state;
  }

  public async stop(): Promise<void> {
    this.notify?.close();
    this.notify = undefined;
    await this.server?.close();
  }

  public async close(): Promise<void> {
    await this.stop();
    this.sockets.close();
    this.publicDir.close();
  }

  private reach(name: string): Socket {
    return connect(`${this.publicDir.path}/${name}`);
  }

  /** Until the handler listens. */
  private async report(): Promise<void> {
    const { notify } = this;
    await eventually(
      async () => {
        if (!notify || notify !== this.notify) return;
        const domainJSON = Buffer.from(JSON.stringify(this.state));
        await notify.service(NotifyDefinition).handleDomainEvent({ domainJSON, eventType: 'MODIFIED' });
      },
      { everyMs: 20 },
    );
  }
}
