import type { Duplex } from 'node:stream';
import type { snapshot, VirtualMachine, VirtualMachineInstance } from '../api';
import { ApiError, isNotFound, pathOf, resources } from './kube';
import { ClientError } from './errors';
import { listenTcp } from './forward';
import type { LocalPort } from './forward';
import { ObjectHandle } from './handle';
import { runSsh } from './ssh';
import type { CommandResult, SshOptions } from './ssh';
import type { Session } from './session';

/** A local port for one of a guest. */
export interface PortForwardOptions {
  /** Default: any free one. */
  readonly localPort?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly address?: string;
  /** Told when a connection through the port fails; its client sees a reset. Default: nobody is. */
  readonly onError?: (message: string) => void;
}

/** A virtual machine of the cluster: the verbs of `virt8s`, as promises. */
export class VirtualMachineHandle extends ObjectHandle<VirtualMachine> {
  /** @internal */
  public constructor(open: () => Promise<Session>, name: string, namespace: string | undefined) {
    super(open, () => resources.virtualMachines, name, namespace);
  }

  /** Its running instance, which has the same name. */
  public get instance(): ObjectHandle<VirtualMachineInstance> {
    return this.related(resources.virtualMachineInstances, this.name);
  }

  /** @throws ApiError 409 when it runs already */
  public start(options: { readonly paused?: boolean } = {}): Promise<void> {
    return this.act('vm', 'start', options.paused ? { paused: true } : {});
  }

  /** Stops the guest within its grace period, or the given one. @throws ApiError 409 when it does not run */
  public stop(options: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    const { gracePeriodSeconds: gracePeriod } = options;
    return this.act('vm', 'stop', gracePeriod === undefined ? {} : { gracePeriod });
  }

  /** Stops the guest and starts it again. @throws ApiError 409 when it does not run */
  public restart(options: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    return this.act('vm', 'restart', options);
  }

  /** Its vCPUs stand still, its memory is kept. */
  public pause(): Promise<void> {
    return this.act('vmi', 'pause');
  }

  /** It goes on where it was paused. */
  public unpause(): Promise<void> {
    return this.act('vmi', 'unpause');
  }

  /** Asks the guest to reboot, through its agent or ACPI. */
  public softReboot(): Promise<void> {
    return this.act('vmi', 'softreboot');
  }

  /** Moves the guest to another node while it runs. */
  public migrate(options: { readonly addedNodeSelector?: Readonly<Record<string, string>> } = {}): Promise<void> {
    return this.act('vm', 'migrate', options);
  }

  /**
   * The guest's serial console, both ways. One client at a time: a new one ends the stream of the old with an error.
   * Destroy the stream to leave it.
   */
  public console(): Promise<Duplex> {
    return this.stream('console', `the console of ${this.name}`);
  }

  /** A local port that leads to this one of the guest, through the API server. Close it when done. */
  public async portForward(port: number, options: PortForwardOptions = {}): Promise<LocalPort> {
    const { connection, namespace } = await this.place();
    const { address = '127.0.0.1', localPort = 0, onError = () => undefined } = options;
    const guest = { kind: 'vmi' as const, name: this.name, namespace, port };
    return listenTcp(connection, guest, { address, port: localPort }, onError);
  }

  /** A stream to a port of the guest, without a local one. */
  public connect(port: number): Promise<Duplex> {
    return this.stream(`portforward/${port}/tcp`, `the connection to port ${port} of ${this.name}`);
  }

  /**
   * Runs a command in the guest by this machine's ssh, through the API server. A command that fails is an answer, too.
   *
   * @throws ClientError when nobody can log in
   */
  public async ssh(command: string, options: SshOptions = {}): Promise<CommandResult> {
    const { namespace } = await this.place();
    const problems: string[] = [];
    const local = await this.portForward(options.port ?? 22, { onError: (message) => problems.push(message) });
    try {
      return await runSsh(command, `vmi.${this.name}.${namespace}`, local, options);
    } catch (error) {
      // what the tunnel knows is nearer to the cause than ssh's "connection reset"
      if (problems.length > 0 && error instanceof Error) error.message = `${problems[0]}; ${error.message}`;
      throw error;
    } finally {
      local.close();
    }
  }

  /** Takes a copy of the VM and its disks: `await (await vm.snapshot('before')).waitFor('Ready')`. */
  public async snapshot(name: string): Promise<ObjectHandle<snapshot.VirtualMachineSnapshot>> {
    const { connection, namespace } = await this.place();
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: this.name };
    await connection.request('POST', pathOf(resources.snapshots, { namespace }), {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshot',
      metadata: { name, namespace },
      spec: { source },
    });
    return this.related(resources.snapshots, name);
  }

  /** Brings the VM back to a snapshot, under the restore's name: `await (await vm.restore('before')).waitFor('Ready')`. */
  public async restore(
    snapshotName: string,
    name = `${snapshotName}-${this.name}`,
  ): Promise<ObjectHandle<snapshot.VirtualMachineRestore>> {
    const { connection, namespace } = await this.place();
    const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: this.name };
    await connection.request('POST', pathOf(resources.restores, { namespace }), {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineRestore',
      metadata: { name, namespace },
      spec: { target, virtualMachineSnapshotName: snapshotName },
    });
    return this.related(resources.restores, name);
  }

  /** A stream that ends with the guest's end, and with an error when it broke off. */
  private async stream(subresource: string, what: string): Promise<Duplex> {
    const { connection, namespace } = await this.place();
    const { bytes, ended } = await connection.socket('vmi', this.name, subresource, namespace);
    void ended.then(({ code, reason }) => {
      if (code === 1000 || code === 1005) return;
      bytes.destroy(new ClientError(`${what} broke off: ${reason || `websocket closed with ${code}`}`));
    });
    return bytes;
  }

  private async act(kind: 'vm' | 'vmi', action: string, options: object = {}): Promise<void> {
    const { connection, namespace } = await this.place();
    try {
      await connection.act(kind, this.name, action, options, namespace);
    } catch (error) {
      // a VM that is stopped has no instance, and should be told from one that does not exist
      if (kind === 'vm' || !isNotFound(error) || !(await this.exists())) throw error;
      throw new ApiError(409, 'Conflict', `VirtualMachine ${this.name} is not running; start it first`);
    }
  }
}
