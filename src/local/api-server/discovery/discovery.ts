import { createHash } from 'node:crypto';
import { Kind, storageVersionOf } from '../registry/kind';
import { KindRegistry } from '../registry/registry';

/** A served subresource, for discovery. */
export interface SubresourceInfo {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Kind of its objects. Default: the resource's kind. */
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
}

/** Resource that is never stored (`tokenreviews`, metrics). */
export interface VirtualInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Default: only `create`. */
  readonly verbs?: readonly string[];
}

/** Discovery of aggregated servers. */
export interface AggregatedGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  readonly available: boolean;
  /** APIResourceList of that server, once it could be fetched. */
  readonly resources: readonly ApiResource[];
}

export interface ApiResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: readonly string[];
  shortNames?: readonly string[];
  categories?: readonly string[];
  storageVersionHash?: string;
}

/** Groups first to last, as a real server lists them; custom groups follow. */
const GROUP_ORDER = [
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
];

export class Discovery {
  public constructor(
    private readonly kinds: KindRegistry,
    private readonly virtual: readonly VirtualInfo[],
    private readonly subresourcesOf: (kind: Kind) => readonly SubresourceInfo[],
    private readonly aggregated: () => readonly AggregatedGroupVersion[],
  ) {}

  /** /api */
  public apiVersions(address: string): object {
    return {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
    };
  }

  /** /apis */
  public groupList(): object {
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: this.groups().map((group) => this.groupEntry(group)) };
  }

  /** /apis/<group> */
  public group(group: string): object | undefined {
    if (!this.groups().includes(group)) return undefined;
    return { kind: 'APIGroup', apiVersion: 'v1', ...this.groupEntry(group) };
  }

  /** /apis/<group>/<version>, /api/v1 */
  public resourceList(group: string, version: string): object | undefined {
    const remote = this.remote(group, version);
    const local = this.resources(group, version);
    if (!local.length && !remote) return undefined;
    return {
      kind: 'APIResourceList',
      // the core group's list has none
      ...(group ? { apiVersion: 'v1' } : {}),
      groupVersion: group ? `${group}/${version}` : version,
      resources: remote ? remote.resources : local,
    };
  }

  /** Aggregated discovery of /api (`core`) or /apis. */
  public aggregatedList(core: boolean): object {
    const groups = core ? [''] : this.groups();
    return {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: groups.map((group) => ({
        metadata: group ? { name: group } : {},
        versions: this.versions(group).map((version) => this.versionEntry(group, version)),
      })),
    };
  }

  /** Whether the kinds of a group are part of the server. */
  public isBuiltin(group: string): boolean {
    return (
      this.kinds.all().some((kind) => kind.group === group && !kind.custom) ||
      this.virtual.some((info) => info.group === group)
    );
  }

  /** Paths of all groups and their versions. */
  public groupPaths(): string[] {
    return this.groups().flatMap((group) => [
      `/apis/${group}`,
      ...this.versions(group).map((version) => `/apis/${group}/${version}`),
    ]);
  }

  private versionEntry(group: string, version: string): object {
    const remote = this.remote(group, version);
    const resources = remote ? remote.resources : this.resources(group, version);
    const freshness = remote && !remote.available ? 'Stale' : 'Current';
    if (remote && !resources.length) return { version, freshness };
    // Kubernetes leaves the group and version of its own kinds empty
    const isOwn = !remote && this.isBuiltin(group);
    return {
      version,
      resources: isOwn ? toAggregated(resources, '', '') : toAggregated(resources, group, version),
      freshness,
    };
  }

  private groupEntry(group: string): object {
    const versions = this.versions(group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
    return { name: group, versions, preferredVersion: versions[0] };
  }

  private groups(): string[] {
    const names = new Set([
      ...this.kinds.all().map((kind) => kind.group),
      ...this.virtual.map((info) => info.group),
      ...this.aggregated().map((gv) => gv.group),
    ]);
    names.delete('');
    const rank = (group: string) => {
      const known = GROUP_ORDER.indexOf(group);
      return known < 0 ? GROUP_ORDER.length : known;
    };
    return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  }

  private versions(group: string): string[] {
    const versions = new Set([
      ...this.kinds
        .all()
        .filter((kind) => kind.group === group)
        .map((kind) => kind.version),
      ...this.virtual.filter((info) => info.group === group).map((info) => info.version),
      ...this.aggregated()
        .filter((gv) => gv.group === group)
        .map((gv) => gv.version),
    ]);
    return [...versions].sort(compareVersions);
  }

  private remote(group: string, version: string): AggregatedGroupVersion | undefined {
    return this.aggregated().find((gv) => gv.group === group && gv.version === version);
  }

  private resources(group: string, version: string): ApiResource[] {
    const kinds = this.kinds.all().filter((kind) => kind.group === group && kind.version === version);
    const virtual = this.virtual.filter((info) => info.group === group && info.version === version);
    return [
      ...kinds.flatMap((kind) => [
        {
          name: kind.plural,
          singularName: kind.singular,
          namespaced: kind.namespaced,
          kind: kind.kind,
          verbs: kind.verbs,
          ...(kind.shortNames.length ? { shortNames: kind.shortNames } : {}),
          ...(kind.categories.length ? { categories: kind.categories } : {}),
          storageVersionHash: storageVersionHash(kind),
        },
        ...this.subresourcesOf(kind).map((sub) => ({
          name: `${kind.plural}/${sub.name}`,
          singularName: '',
          namespaced: kind.namespaced,
          ...(sub.group !== undefined ? { group: sub.group } : {}),
          ...(sub.version !== undefined ? { version: sub.version } : {}),
          kind: sub.kind ?? kind.kind,
          verbs: sub.verbs,
        })),
      ]),
      ...virtual.map(({ plural, kind, namespaced, verbs = ['create'] }) => ({
        name: plural,
        singularName: kind.toLowerCase(),
        namespaced,
        kind,
        verbs,
      })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** Kubernetes publishes the hash of the first version of definitions. */
const DEFINITIONS = 'apiextensions.k8s.io/v1';

/** Identifies the version that objects are stored in, so that migrations can see its change. */
function storageVersionHash(kind: Kind): string {
  const apiVersion = storageVersionOf(kind);
  const stored = apiVersion === DEFINITIONS ? `${DEFINITIONS}beta1` : apiVersion;
  const text = `${stored.includes('/') ? '' : '/'}${stored}/${kind.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

function toAggregated(resources: readonly ApiResource[], group: string, version: string): object[] {
  const gvk = (resource: ApiResource) => ({
    group: resource.group ?? group,
    version: resource.version ?? version,
    kind: resource.kind,
  });
  return resources
    .filter((resource) => !resource.name.includes('/'))
    .map((resource) => {
      const subresources = resources
        .filter(({ name }) => name.startsWith(`${resource.name}/`))
        .map((sub) => ({
          subresource: sub.name.slice(resource.name.length + 1),
          responseKind: gvk(sub),
          verbs: sub.verbs,
        }));
      return {
        resource: resource.name,
        responseKind: gvk(resource),
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singularName,
        verbs: resource.verbs,
        ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
        ...(resource.categories ? { categories: resource.categories } : {}),
        ...(subresources.length ? { subresources } : {}),
      };
    });
}

/** Kubernetes' priority of versions: GA before beta before alpha, newer first. */
function compareVersions(a: string, b: string): number {
  const parse = (version: string) => {
    const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (!found) return undefined;
    return [found[2] ? (found[2] === 'beta' ? 1 : 0) : 2, Number(found[1]), Number(found[3] ?? 0)];
  };
  const left = parse(a);
  const right = parse(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
}
