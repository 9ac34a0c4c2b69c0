import { EventEmitter } from 'node:events';
import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Device } from '../../protocol';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcError,
  GrpcServer,
  GrpcStatus,
  RegistrationDefinition,
} from '../../protocol';
import { OpenedPath } from '../paths/safe-path';
import { allocation, endpointOf, listed } from './offers';
import type { Offer } from './offers';

export interface DevicePluginOptions {
  /** The kubelet's device-plugins directory. */
  readonly dir: string;
  readonly log: Logger;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/**
 * Offers one resource to the kubelet. A kubelet that restarts forgets its plugins and empties their directory: the plugin
 * notices the new kubelet.sock, listens and registers again.
 */
export class DevicePlugin {
  private server?: GrpcServer;
  private openedDir?: OpenedPath;
  private watcher?: FSWatcher;
  private retry?: NodeJS.Timeout;
  private failures = 0;
  private stopped = false;
  private working: Promise<void> = Promise.resolve();
  private readonly changed = new EventEmitter().setMaxListeners(0);

  public constructor(
    private offer: Offer,
    private readonly options: DevicePluginOptions,
  ) {}

  /** Reports to the kubelet which devices exist and work now. */
  public update(offer: Offer): void {
    if (isDeepStrictEqual(offer, this.offer)) return;
    this.offer = offer;
    this.changed.emit('change');
  }

  /** Watches for the kubelet and registers as soon as it runs. */
  public start(): void {
    this.openedDir = OpenedPath.trusted(this.options.dir);
    this.watcher = watch(this.options.dir, { persistent: false }, (_, file) => {
      if (file === 'kubelet.sock') this.schedule(0);
    });
    this.watcher.on('error', (err) => this.options.log.warn({ err }, 'the device-plugin directory cannot be watched'));
    this.schedule(0);
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    this.watcher?.close();
    await this.working;
    await this.server?.close();
    this.openedDir?.close();
  }

  private schedule(ms: number): void {
    clearTimeout(this.retry);
    if (this.stopped) return;
    this.retry = setTimeout(() => {
      this.working = this.working.then(() => this.register());
    }, ms);
  }

  private async register(): Promise<void> {
    const { dir, log } = this.options;
    const { resource, devices } = this.offer;
    if (this.stopped || !this.openedDir || !existsSync(join(dir, 'kubelet.sock'))) return; // the watch reports its appearance
    const kubelet = new GrpcClient(`${this.openedDir.path}/kubelet.sock`);
    try {
      await this.listen(this.openedDir);
      await kubelet.service(RegistrationDefinition).register({
        version: 'v1beta1',
        endpoint: endpointOf(resource),
        resourceName: resource,
        options: {},
      });
      this.failures = 0;
      log.info({ resource, count: devices.length }, 'device offered to the kubelet');
    } catch (err) {
      const wait = Math.min(FIRST_RETRY_MS * 2 ** this.failures++, LAST_RETRY_MS);
      log.warn({ err, resource }, `the kubelet did not take the device; again in ${wait} ms`);
      this.schedule(wait);
    } finally {
      kubelet.close();
    }
  }

  /** Starts a new server each time: the kubelet may have removed the socket of the previous one. */
  private async listen(dir: OpenedPath): Promise<void> {
    await this.server?.close();
    this.server = new GrpcServer().add(DevicePluginDefinition, {
      getDevicePluginOptions: () => ({}),
      listAndWatch: (_, { signal }) => this.devices(signal),
      allocate: ({ containerRequests = [] }) => ({
        containerResponses: containerRequests.map(({ devicesIds = [] }) => this.allocate(devicesIds)),
      }),
      preStartContainer: () => ({}),
    });
    await this.server.listen(`${dir.path}/${endpointOf(this.offer.resource)}`);
  }

  private allocate(ids: readonly string[]): ReturnType<typeof allocation> {
    try {
      return allocation(this.offer, ids);
    } catch (error) {
      throw new GrpcError(GrpcStatus.NOT_FOUND, (error as Error).message);
    }
  }

  /** Sends the list, and again after each change; the kubelet closes the stream. */
  private async *devices(signal: AbortSignal): AsyncGenerator<{ devices: Device[] }> {
    while (!signal.aborted) {
      const change = new Promise((resolve) => {
        this.changed.once('change', resolve);
        signal.addEventListener('abort', resolve, { once: true });
      });
      yield { devices: listed(this.offer) };
      await change;
    }
  }
}

/** The plugins of a node, one per offered resource. */
export class DevicePlugins {
  private readonly plugins = new Map<string, DevicePlugin>();

  public constructor(private readonly options: DevicePluginOptions) {}

  /**
   * Starts plugins for new resources and updates the others. A resource that is no longer offered keeps its plugin, without
   * devices: running containers keep theirs, and the kubelet gives out no more.
   */
  public offer(offers: readonly Offer[]): void {
    for (const offer of offers) {
      const plugin = this.plugins.get(offer.resource);
      if (plugin) {
        plugin.update(offer);
        continue;
      }
      const made = new DevicePlugin(offer, this.options);
      this.plugins.set(offer.resource, made);
      made.start();
    }
    for (const [resource, plugin] of this.plugins) {
      if (!offers.some((offer) => offer.resource === resource)) plugin.update({ resource, devices: [] });
    }
  }

  public async stop(): Promise<void> {
    await Promise.all([...this.plugins.values()].map((plugin) => plugin.stop()));
  }
}
