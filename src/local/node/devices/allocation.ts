/** Allocates devices to containers. Pure. */

export interface PluginState {
  /** Device ids by health. */
  readonly healthy: ReadonlySet<string>;
  readonly unhealthy: ReadonlySet<string>;
  /** Whether its socket responds. */
  readonly connected: boolean;
}

/** `podUid` → `container` → resource → device ids. */
export type Holdings = Record<string, Record<string, Record<string, string[]>>>;

function heldDevices(holdings: Holdings, resource: string): Set<string> {
  const held = new Set<string>();
  for (const containers of Object.values(holdings)) {
    for (const resources of Object.values(containers)) resources[resource]?.forEach((id) => held.add(id));
  }
  return held;
}

/** First `count` healthy, free devices; undefined if there are too few. */
function chooseDevices(plugin: PluginState, holdings: Holdings, resource: string, count: number): string[] | undefined {
  const held = heldDevices(holdings, resource);
  const free = [...plugin.healthy].filter((id) => !held.has(id));
  return plugin.connected && free.length >= count ? free.slice(0, count) : undefined;
}

/** Whether only a device plugin can offer the resource: Kubernetes' own names have no domain, or kubernetes.io. */
export const isExtended = (resource: string): boolean =>
  resource.includes('/') && !resource.includes('kubernetes.io/') && !resource.startsWith('requests.');

export type Verdict =
  | { readonly do: 'take'; readonly ids: string[] }
  | { readonly do: 'wait' }
  | { readonly do: 'refuse'; readonly available: number };

/**
 * Decides about a container's request for devices. After the node's start, its plugins are not registered yet. The
 * request waits for them, because an adopted Pod would otherwise run without its devices or be rejected permanently.
 */
export function compareAllocation(
  plugin: PluginState | undefined,
  holdings: Holdings,
  resource: string,
  count: number,
  mayWait: boolean,
): Verdict {
  if (!plugin?.connected && mayWait) return { do: 'wait' };
  const ids = plugin && chooseDevices(plugin, holdings, resource, count);
  if (ids) return { do: 'take', ids };
  const free = plugin?.connected ? plugin.healthy.size - heldDevices(holdings, resource).size : 0;
  return { do: 'refuse', available: Math.max(0, free) };
}

/** Resources of the node: capacity counts all devices, allocatable only the usable ones. */
export function offered(plugins: ReadonlyMap<string, PluginState>): {
  capacity: Record<string, string>;
  allocatable: Record<string, string>;
} {
  const capacity: Record<string, string> = {};
  const allocatable: Record<string, string> = {};
  for (const [resource, { healthy, unhealthy, connected }] of plugins) {
    capacity[resource] = String(healthy.size + unhealthy.size);
    allocatable[resource] = String(connected ? healthy.size : 0);
  }
  return { capacity, allocatable };
}
