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

/** Options of a port forward. */
export interface PortForwardOptions {
  /** Local port. Default: any free port. */
  readonly localPort?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly address?: string;
  /** Called when a connection through the port fails; its client sees a reset. Default: errors are ignored. */
  readonly onError?: (message: string) => void;
}

/** Handle of a virtual machine: the verbs of `virt8s` as promises. */
export class VirtualMachineHandle extends ObjectHandle<VirtualMachine> {
  /** @internal */
  public constructor(open: () => Promise<Session>, name: string, namespace: string | undefined) {
    super(open, () => resources.virtualMachines, name, namespace);
  }

  /** Handle of the running instance, which has the same name. */
  public get instance(): ObjectHandle<VirtualMachineInstance> {
    return this.related(resources.virtualMachineInstances, this.name);
  }

  /** Starts the guest. @throws ApiError 409 if it is already running */
  public start(options: { readonly paused?: boolean } = {}): Promise<void> {
    return this.act('vm', 'start', options.paused ? { paused: true } : {});
  }

  /** Stops the guest within its own or the given grace period. @throws ApiError 409 if it is not running */
  public stop(options: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    const { gracePeriodSeconds: gracePeriod } = options;
    return this.act('vm', 'stop', gracePeriod === undefined ? {} : { gracePeriod });
  }

  /** Stops the guest and starts it again. @throws ApiError 409 if it is not running */
  public restart(options: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    return this.act('vm', 'restart', options);
  }

  /** Stops the vCPUs and keeps the memory. */
  public pause(): Promise<void> {
    return this.act('vmi', 'pause');
  }

  /** Resumes the vCPUs. */
  public unpause(): Promise<void> {
    return this.act('vmi', 'unpause');
  }

  /** Requests that the guest reboots, through its agent or ACPI. */
  public softReboot(): Promise<void> {
    return this.act('vmi', 'softreboot');
  }

  /** Moves the guest to another node while it runs. */
  public migrate(options: { readonly addedNodeSelector?: Readonly<Record<string, string>> } = {}): Promise<void> {
    return this.act('vm', 'migrate', options);
  }

  /**
   * Requests a dump of the guest's memory to a claim, by default that of the last dump. `status.memoryDumpRequest` of the VM
   * reports its progress.
   */
  public dumpMemory(options: { readonly claimName?: string } = {}): Promise<void> {
    return this.act('vm', 'memorydump', options);
  }

  /** Ends the association of VM and claim of the last dump. The claim and its file stay. */
  public removeMemoryDump(): Promise<void> {
    return this.act('vm', 'removememorydump');
  }

  /**
   * Opens the guest's serial console. It has one client at a time: a new client ends the old stream with an error.
   * Destroy the stream to disconnect.
   */
  public console(): Promise<Duplex> {
    return this.stream('console', `the console of ${this.name}`);
  }

  /** Forwards a local port to a port of the guest, through the API server. Close it when done. */
  public async portForward(port: number, options: PortForwardOptions = {}): Promise<LocalPort> {
    const { connection, namespace } = await this.place();
    const { address = '127.0.0.1', localPort = 0, onError = () => undefined } = options;
    const guest = { kind: 'vmi' as const, name: this.name, namespace, port };
    return listenTcp(connection, guest, { address, port: localPort }, onError);
  }

  /** Opens a stream to a port of the guest, without a local port. */
  public connect(port: number): Promise<Duplex> {
    return this.stream(`portforward/${port}/tcp`, `the connection to port ${port} of ${this.name}`);
  }

  /**
   * Runs a command in the guest with the local ssh client, through the API server. A failed command also returns a result.
   *
   * @throws ClientError if the login fails
   */
  public async ssh(command: string, options: SshOptions = {}): Promise<CommandResult> {
    const { namespace } = await this.place();
    const problems: string[] = [];
    const local = await this.portForward(options.port ?? 22, { onError: (message) => problems.push(message) });
    try {
      return await runSsh(command, `vmi.${this.name}.${namespace}`, local, options);
    } catch (error) {
      // the tunnel's error is closer to the cause than ssh's "connection reset"
      if (problems.length > 0 && error instanceof Error) error.message = `${problems[0]}; ${error.message}`;
      throw error;
    } finally {
      local.close();
    }
  }

  /** Creates a snapshot of the VM and its disks: `await (await vm.snapshot('before')).waitFor('Ready')`. */
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

  /** Restores the VM from a snapshot; `name` is the name of the restore: `await (await vm.restore('before')).waitFor('Ready')`. */
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

  /** Opens a stream that ends with the guest, or with an error if the connection is lost. */
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
      // distinguish a stopped VM, which has no instance, from a missing VM
      if (kind === 'vm' || !isNotFound(error) || !(await this.exists())) throw error;
      throw new ApiError(409, 'Conflict', `VirtualMachine ${this.name} is not running; start it first`);
    }
  }
}
