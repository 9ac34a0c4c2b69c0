import { keys } from '../../../api/keys';
import { EventEmitter } from 'node:events';
import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { Device } from '../../protocol';
import { DevicePluginDefinition, GrpcClient, GrpcServer, RegistrationDefinition } from '../../protocol';
import { OpenedPath } from '../paths/safe-path';

export interface DevicePluginOptions {
  /** The kubelet's device-plugins directory. */
  readonly dir: string;
  /** `kvm` for `devices.kubevirt.io/kvm`. */
  readonly name: string;
  /** The host's device. */
  readonly path: string;
  /** Number of containers that may use it at the same time; 0 for a device that does not work. */
  readonly count: number;
  readonly log: Logger;
}

const RESOURCE_PREFIX = keys.devicePrefix;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/**
 * Offers one device to the kubelet. A kubelet that restarts forgets its plugins and empties their directory: the plugin
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
  private count: number;
  private readonly changed = new EventEmitter().setMaxListeners(0);

  public constructor(private readonly options: DevicePluginOptions) {
    this.count = options.count;
  }

  /** Reports to the kubelet that the device works or does not work any more. */
  public setCount(count: number): void {
    if (count === this.count) return;
    this.count = count;
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
    const { dir, name, log } = this.options;
    if (this.stopped || !this.openedDir || !existsSync(join(dir, 'kubelet.sock'))) return; // the watch reports its appearance
    const kubelet = new GrpcClient(`${this.openedDir.path}/kubelet.sock`);
    try {
      await this.listen(this.openedDir);
      await kubelet.service(RegistrationDefinition).register({
        version: 'v1beta1',
        endpoint: this.endpoint,
        resourceName: RESOURCE_PREFIX + name,
        options: {},
      });
      this.failures = 0;
      log.info({ resource: RESOURCE_PREFIX + name, count: this.count }, 'device offered to the kubelet');
    } catch (err) {
      const wait = Math.min(FIRST_RETRY_MS * 2 ** this.failures++, LAST_RETRY_MS);
      log.warn({ err, resource: RESOURCE_PREFIX + name }, `the kubelet did not take the device; again in ${wait} ms`);
      this.schedule(wait);
    } finally {
      kubelet.close();
    }
  }

  private get endpoint(): string {
    return `kubevirt-${basename(this.options.name)}.sock`;
  }

  /** Starts a new server each time: the kubelet may have removed the socket of the previous one. */
  private async listen(dir: OpenedPath): Promise<void> {
    await this.server?.close();
    this.server = new GrpcServer().add(DevicePluginDefinition, {
      getDevicePluginOptions: () => ({}),
      listAndWatch: (_, { signal }) => this.devices(signal),
      allocate: ({ containerRequests = [] }) => ({
        containerResponses: containerRequests.map(() => ({
          devices: [{ hostPath: this.options.path, containerPath: this.options.path, permissions: 'mrw' }],
        })),
      }),
      preStartContainer: () => ({}),
    });
    await this.server.listen(`${dir.path}/${this.endpoint}`);
  }

  /** Sends the list, and again after each change; the kubelet closes the stream. */
  private async *devices(signal: AbortSignal): AsyncGenerator<{ devices: Device[] }> {
    const { name } = this.options;
    while (!signal.aborted) {
      const change = new Promise((resolve) => {
        this.changed.once('change', resolve);
        signal.addEventListener('abort', resolve, { once: true });
      });
      yield { devices: Array.from({ length: this.count }, (_, i) => ({ ID: `${name}${i}`, health: 'Healthy' })) };
      await change;
    }
  }
}
