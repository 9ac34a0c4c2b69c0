import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcError,
  GrpcServer,
  GrpcStatus,
  RegistrationDefinition,
} from '../../../runtime/protocol';
import type { ContainerAllocateResponse, RegisterRequest } from '../../../runtime/protocol';
import type { Pod, Resources } from '../../core-v1';
import { readJson, writeJson } from '../../host/files';
import type { GrantedDevices } from '../pods/container';
import type { Log } from '../../log';
import { AdmissionError, NotReadyError } from '../pods/errors';
import type { Devices } from '../pods/context';
import { unitsOf } from '../../quantity';
import { isExtended, compareAllocation, offered } from './allocation';
import type { Holdings, PluginState } from './allocation';

export interface DeviceManagerOptions {
  /** Directory `device-plugins` of the kubelet. */
  readonly dir: string;
  readonly log: Log;
  /** Called when capacity or allocatable changes. */
  readonly onChange: () => void;
}

interface Plugin extends PluginState {
  readonly resource: string;
  readonly client: GrpcClient;
  readonly preStart: boolean;
  readonly stop: AbortController;
}

interface Checkpoint {
  holdings: Holdings;
  /** Responses of plugins by `podUid/container/resource`: a restarted container gets the same, even without the plugin. */
  answers: Record<string, ContainerAllocateResponse>;
}

const CHECKPOINT = 'virt8s-checkpoint.json';
const ALLOCATE_TIMEOUT_MS = 30_000;
/** Time after which a missing plugin is forgotten, as in the kubelet. */
const FORGET_MS = 300_000;
/** Time that a started node waits for its plugins. After it, Pods that need them are rejected, as by a kubelet. */
const PATIENCE_MS = 60_000;
const NOTHING: GrantedDevices = { devices: [], mounts: [], envs: {}, annotations: {} };

/** The kubelet's side of device plugins (v1beta1). */
export class DeviceManager implements Devices {
  private readonly plugins = new Map<string, Plugin>();
  private readonly server = new GrpcServer({ maxConnections: 64 });
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private state: Checkpoint = { holdings: {}, answers: {} };
  private directory = -1;
  private patientUntil = 0;
  private closed = false;

  public constructor(private readonly options: DeviceManagerOptions) {}

  public async start(): Promise<void> {
    const { dir } = this.options;
    await mkdir(dir, { recursive: true, mode: 0o755 });
    this.state = (await readJson<Checkpoint>(join(dir, CHECKPOINT))) ?? this.state;
    // through a descriptor, because the path of a socket is limited and that of the state directory is not
    this.directory = openSync(dir, 'r');
    this.server.add(RegistrationDefinition, { register: (request) => this.register(request) });
    await this.server.listen(this.socket('kubelet.sock'), 0o600);
    this.patientUntil = Date.now() + PATIENCE_MS;
  }

  public async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const plugin of this.plugins.values()) this.disconnect(plugin);
    await this.server.close();
    if (this.directory >= 0) closeSync(this.directory);
  }

  public get offered(): { capacity: Resources; allocatable: Resources } {
    return offered(this.plugins);
  }

  public async admit(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    if (this.state.holdings[uid]) return;
    const taken: Holdings[string] = {};
    for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
      const { limits = {} } = container.resources ?? {};
      for (const resource of Object.keys(limits)) {
        const plugin = this.plugins.get(resource);
        const count = unitsOf(limits[resource]);
        if (!count || !(plugin ?? isExtended(resource))) continue;
        const holdings = { ...this.state.holdings, [uid]: taken };
        const verdict = compareAllocation(plugin, holdings, resource, count, Date.now() < this.patientUntil);
        if (verdict.do === 'wait') {
          throw new NotReadyError(
            'DevicePluginNotReady',
            `waiting for the device plugin of ${resource}, which has not registered with the node since the node started`,
          );
        }
        if (verdict.do === 'refuse') {
          throw new AdmissionError(
            'UnexpectedAdmissionError',
            `Allocate failed due to requested number of devices unavailable for ${resource}. ` +
              `Requested: ${count}, Available: ${verdict.available}, which is unexpected`,
          );
        }
        (taken[container.name] ??= {})[resource] = verdict.ids;
      }
    }
    if (!Object.keys(taken).length) return;
    this.state.holdings[uid] = taken;
    await this.save();
  }

  public async allocate(pod: Pod, container: string): Promise<GrantedDevices> {
    const uid = pod.metadata.uid ?? '';
    let granted = NOTHING;
    for (const [resource, ids] of Object.entries(this.state.holdings[uid]?.[container] ?? {})) {
      const key = `${uid}/${container}/${resource}`;
      let answer = this.state.answers[key];
      if (!answer) {
        answer = await this.ask(resource, ids);
        this.state.answers[key] = answer;
        await this.save();
      }
      const plugin = this.plugins.get(resource);
      if (plugin?.preStart) await this.stub(plugin).preStartContainer({ devicesIds: ids }, { timeoutMs: 30_000 });
      granted = merge(granted, answer);
    }
    return granted;
  }

  public async release(podUid: string): Promise<void> {
    if (!this.state.holdings[podUid]) return;
    delete this.state.holdings[podUid];
    for (const key of Object.keys(this.state.answers)) {
      if (key.startsWith(`${podUid}/`)) delete this.state.answers[key];
    }
    await this.save();
  }

  private async ask(resource: string, devicesIds: string[]): Promise<ContainerAllocateResponse> {
    const plugin = this.plugins.get(resource);
    if (!plugin?.connected) throw new Error(`the device plugin of ${resource} is not connected`);
    const { containerResponses } = await this.stub(plugin).allocate(
      { containerRequests: [{ devicesIds }] },
      { timeoutMs: ALLOCATE_TIMEOUT_MS },
    );
    const answer = containerResponses?.[0];
    if (!answer) throw new Error(`the device plugin of ${resource} answered no container`);
    return answer;
  }

  private register({ version, endpoint = '', resourceName = '', options }: RegisterRequest): object {
    if (version !== 'v1beta1') {
      throw new GrpcError(GrpcStatus.INVALID_ARGUMENT, `version "${version}" is not served (allowed: v1beta1)`);
    }
    if (!/^[^/\s]+\/[^/\s]+$/.test(resourceName)) {
      throw new GrpcError(GrpcStatus.INVALID_ARGUMENT, `"${resourceName}" is not an extended resource (domain/name)`);
    }
    if (!endpoint || endpoint.includes('/')) {
      throw new GrpcError(
        GrpcStatus.INVALID_ARGUMENT,
        `endpoint "${endpoint}" must be a file name beside kubelet.sock`,
      );
    }
    const old = this.plugins.get(resourceName);
    if (old) this.disconnect(old);
    clearTimeout(this.timers.get(resourceName));
    const plugin: Plugin = {
      resource: resourceName,
      client: new GrpcClient(this.socket(endpoint)),
      healthy: old?.healthy ?? new Set(),
      unhealthy: old?.unhealthy ?? new Set(),
      connected: false,
      preStart: options?.preStartRequired ?? false,
      stop: new AbortController(),
    };
    this.plugins.set(resourceName, plugin);
    void this.follow(plugin);
    return {};
  }

  private async follow(plugin: Plugin): Promise<void> {
    const { resource, stop } = plugin;
    try {
      for await (const { devices } of this.stub(plugin).listAndWatch({}, { signal: stop.signal })) {
        const ids = (healthy: boolean): Set<string> =>
          new Set((devices ?? []).filter(({ health }) => (health === 'Healthy') === healthy).map(({ ID }) => ID ?? ''));
        this.set(plugin, { connected: true, healthy: ids(true), unhealthy: ids(false) });
      }
    } catch (error) {
      if (!stop.signal.aborted) this.options.log('warn', 'a device plugin is gone', { resource, error: String(error) });
    }
    if (stop.signal.aborted || this.closed) return;
    this.set(plugin, { connected: false });
    const timer = setTimeout(() => {
      this.plugins.delete(resource);
      this.options.onChange();
    }, FORGET_MS);
    this.timers.set(resource, timer.unref());
  }

  private set(plugin: Plugin, change: Partial<PluginState>): void {
    if (plugin.stop.signal.aborted) return;
    Object.assign(plugin, change);
    this.options.onChange();
  }

  private disconnect(plugin: Plugin): void {
    plugin.stop.abort();
    plugin.client.close();
  }

  private stub(plugin: Plugin) {
    return plugin.client.service(DevicePluginDefinition);
  }

  private socket(name: string): string {
    return `/proc/self/fd/${this.directory}/${name}`;
  }

  private save(): Promise<void> {
    return writeJson(join(this.options.dir, CHECKPOINT), this.state);
  }
}

function merge(granted: GrantedDevices, answer: ContainerAllocateResponse): GrantedDevices {
  return {
    devices: [
      ...granted.devices,
      ...(answer.devices ?? []).map(({ hostPath = '', containerPath = '', permissions = 'rw' }) => ({
        hostPath,
        containerPath: containerPath || hostPath,
        permissions,
      })),
    ],
    mounts: [
      ...granted.mounts,
      ...(answer.mounts ?? []).map(({ hostPath = '', containerPath = '', readOnly = false }) => ({
        hostPath,
        containerPath,
        readOnly,
      })),
    ],
    envs: { ...granted.envs, ...answer.envs },
    annotations: { ...granted.annotations, ...answer.annotations },
  };
}
