import { matchLabelSelector } from '../registry/label-selector';
import { AnyObject, clone, deepEqual } from '../types';
import { Core, keyOf } from '../verbs/core';
import { ensure } from './bootstrap';
import { AGGREGATED, BINDINGS, PATHS, PLAIN, RuleText } from './rbac-rules';
import { WorkQueue } from './work-queue';

const GROUP = 'rbac.authorization.k8s.io';
const RESOURCE = `${GROUP}/clusterroles`;
const NEXT: Record<string, string> = { view: 'edit', edit: 'admin' };

interface Rule {
  readonly verbs: string[];
  readonly apiGroups?: string[];
  readonly resources?: string[];
  readonly nonResourceURLs?: string[];
}

const words = (text: string) => text.split(' ').sort();

const rules = (texts: readonly RuleText[]): Rule[] =>
  texts.map(([verbs, groups, resources]) => ({
    verbs: words(verbs),
    apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : group)),
    resources: words(resources),
  }));

const metadataOf = (name: string, labels: object = {}) => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
});

const role = (name: string, content: object, labels?: object): AnyObject =>
  ({ apiVersion: `${GROUP}/v1`, kind: 'ClusterRole', metadata: metadataOf(name, labels), ...content }) as AnyObject;

const aggregateTo = (name: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' });

function roles(): AnyObject[] {
  const everything: Rule[] = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ];
  return [
    role('cluster-admin', { rules: everything }),
    ...Object.entries(AGGREGATED).flatMap(([name, texts]) => [
      role(`system:aggregate-to-${name}`, { rules: rules(texts) }, aggregateTo(name)),
      role(
        name,
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] }, rules: null },
        NEXT[name] ? aggregateTo(NEXT[name]) : {},
      ),
    ]),
    ...Object.entries(PLAIN).map(([name, texts]) => role(name, { rules: rules(texts) })),
    ...Object.entries(PATHS).map(([name, urls]) =>
      role(name, { rules: [{ verbs: ['get'], nonResourceURLs: words(urls) }] }),
    ),
  ];
}

const binding = (name: string, groups: readonly string[]): AnyObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: metadataOf(name),
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: GROUP, kind: 'Group', name: group })),
});

/** Default roles of every cluster, and aggregated roles (`aggregationRule`). */
export class ClusterRoleController {
  private readonly queue: WorkQueue;
  private stop = () => {};

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = new WorkQueue((name) => this.aggregate(name), log);
  }

  public start(): void {
    const { store, kinds } = this.core;
    this.stop = store.subscribe(RESOURCE, () => this.enqueueAll());
    const kind = kinds.find(GROUP, 'v1', 'clusterroles')!;
    for (const object of roles()) ensure(this.core, kind, object);
    const bindingKind = kinds.find(GROUP, 'v1', 'clusterrolebindings')!;
    for (const [name, groups] of Object.entries(BINDINGS)) ensure(this.core, bindingKind, binding(name, groups));
    // Before the first request is served.
    for (const name of ['view', 'edit', 'admin']) this.aggregate(name);
    this.enqueueAll();
  }

  public close(): void {
    this.stop();
    this.queue.close();
  }

  private enqueueAll(): void {
    for (const { metadata, aggregationRule } of this.core.store.list({ resource: RESOURCE })) {
      if (aggregationRule) this.queue.add(metadata.name!);
    }
  }

  private aggregate(name: string): void {
    const { store, kinds } = this.core;
    const key = keyOf(kinds.find(GROUP, 'v1', 'clusterroles')!, '', name);
    const current = store.get(key);
    const selectors = current?.aggregationRule?.clusterRoleSelectors as Parameters<typeof matchLabelSelector>[0][];
    if (!current || !selectors) return;
    const found: Rule[] = [];
    for (const selector of selectors) {
      const matches = matchLabelSelector(selector);
      for (const other of store.list({ resource: RESOURCE })) {
        if (other.metadata.name === name || !matches(other.metadata.labels)) continue;
        for (const rule of (other.rules ?? []) as Rule[]) {
          if (!found.some((known) => deepEqual(known, rule))) found.push(rule);
        }
      }
    }
    if (deepEqual(found, current.rules ?? [])) return;
    const next = clone(current);
    next.rules = found;
    store.update(key, next, current.metadata.resourceVersion!);
  }
}
