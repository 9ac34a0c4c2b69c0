/** Which devices are given to whom. Pure. */

export interface PluginState {
  /** Device ids by health. */
  readonly healthy: ReadonlySet<string>;
  readonly unhealthy: ReadonlySet<string>;
  /** Its socket answers. */
  readonly connected: boolean;
}

/** `podUid` → `container` → resource → device ids. */
export type Holdings = Record<string, Record<string, Record<string, string[]>>>;

export function heldDevices(holdings: Holdings, resource: string): Set<string> {
  const held = new Set<string>();
  for (const containers of Object.values(holdings)) {
    for (const resources of Object.values(containers)) resources[resource]?.forEach((id) => held.add(id));
  }
  return held;
}

/** The first `count` healthy devices that nobody holds; `undefined` when there are too few. */
export function chooseDevices(
  plugin: PluginState,
  holdings: Holdings,
  resource: string,
  count: number,
): string[] | undefined {
  const held = heldDevices(holdings, resource);
  const free = [...plugin.healthy].filter((id) => !held.has(id));
  return plugin.connected && free.length >= count ? free.slice(0, count) : undefined;
}

/** What the node offers: everything known as capacity, what can be used now as allocatable. */
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
