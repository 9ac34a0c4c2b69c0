import type { DomainState } from '../../protocol';
import { GrpcServer, NotifyDefinition, NotifyInfoDefinition } from '../../protocol';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import type { Place } from '../paths/safe-path';
import { MAX_REPORT_BYTES, parseDomainState, parseEvent } from './sanitize';

export interface NotifyHandlers {
  readonly domain: (state: DomainState) => void;
  readonly event: (event: { type: 'Normal' | 'Warning'; reason: string; message: string }) => void;
}

/**
 * Where one launcher reports: a socket in its Pod's own volume. Who speaks there is that Pod, whatever a message says.
 */
export class NotifyServer {
  private constructor(
    private readonly server: GrpcServer,
    private readonly dir: Place,
  ) {}

  public static async listen(podUid: string, volumes: PodVolumes, handlers: NotifyHandlers): Promise<NotifyServer> {
    const server = new GrpcServer({ maxMessageBytes: MAX_REPORT_BYTES, maxConnections: 4 });
    server.add(NotifyDefinition, {
      handleDomainEvent: ({ domainJSON, eventType }) => {
        const state = parseDomainState(domainJSON ?? '');
        if (!state) return { success: false, message: 'domainJSON is no domain state' };
        handlers.domain(eventType === 'DELETED' ? { ...state, status: 'NoState' } : state);
        return { success: true };
      },
      handleK8sEvent: ({ eventJSON }) => {
        const event = parseEvent(eventJSON ?? new Uint8Array());
        if (!event) return { success: false, message: 'eventJSON is no event' };
        handlers.event(event);
        return { success: true };
      },
    });
    server.add(NotifyInfoDefinition, { info: () => ({ supportedNotifyVersions: ['v1'] }) });
    const { volume, parts } = launcherPaths.notify;
    const dir = volumes.open(podUid, volume);
    try {
      // the launcher runs as another user; nobody else can reach the volume
      await server.listen(`${dir.path}/${parts[0]}`, 0o666);
    } catch (error) {
      dir.close();
      throw error;
    }
    return new NotifyServer(server, dir);
  }

  public async close(): Promise<void> {
    await this.server.close();
    this.dir.close();
  }
}
