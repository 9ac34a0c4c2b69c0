import { errors } from '../../errors';
import { deepEqual } from '../../json/values';
import { Store } from '../../store/store';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { Attributes, forbid, isResource, Plugin } from '../admission';
import { PodLike } from './baseline';
import { LevelVersion, violationsOf } from './checks';
import { Policy, policyOf, show, strictness } from './policy';
import { Violation } from './words';

/** Pods of a namespace that are checked when its level changes. */
const MAX_PODS = 3000;

/** Resources with a Pod template, and where it is. */
const TEMPLATES: Readonly<Record<string, (object: AnyObject) => AnyObject['spec'] | undefined>> = {
  'apps/deployments': ({ spec }) => spec?.template,
  'apps/replicasets': ({ spec }) => spec?.template,
  'apps/statefulsets': ({ spec }) => spec?.template,
  'apps/daemonsets': ({ spec }) => spec?.template,
  'batch/jobs': ({ spec }) => spec?.template,
  'batch/cronjobs': ({ spec }) => spec?.jobTemplate?.spec?.template,
  '/replicationcontrollers': ({ spec }) => spec?.template,
  '/podtemplates': ({ template }) => template,
};

/** Subresources of Pods that do not change containers. */
const IGNORED = ['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'];

const detailOf = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

/** Images by container: the only change of a Pod that is checked again. */
const images = ({ spec }: AnyObject) =>
  ['initContainers', 'containers', 'ephemeralContainers'].map((list) =>
    ((spec?.[list] ?? []) as { name: string; image: string }[]).map(({ name, image }) => [name, image]),
  );

/** Warnings about existing Pods that violate a new level. */
export function namespaceWarnings(namespace: string, pods: readonly AnyObject[], enforce: LevelVersion): string[] {
  const byReason = new Map<string, string[]>();
  for (const pod of pods.slice(0, MAX_PODS)) {
    const reason = violationsOf(pod, enforce)
      .map((violation) => violation.reason)
      .join(', ');
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name!]);
  }
  const lines = [...byReason].map(([reason, names]) => {
    const others = names.length - 1;
    const more = others ? ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})` : '';
    return `${names.sort()[0]}${more}: ${reason}`;
  });
  const partly = `new PodSecurity enforce level only checked against the first ${MAX_PODS} of ${pods.length} existing pods`;
  const violated = `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(show(enforce))}`;
  return [...(pods.length > MAX_PODS ? [partly] : []), ...(lines.length ? [violated] : []), ...lines.sort()];
}

/** Applies the Pod security level that the labels of a namespace request. */
export class PodSecurity implements Plugin {
  public readonly name = 'PodSecurity';

  public constructor(private readonly store: Store) {}

  public validate(attributes: Attributes): void {
    const { operation, kind, object, subresource } = attributes;
    if (!object || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
    if (isResource(attributes, '', 'namespaces')) return subresource ? undefined : this.namespace(attributes, object);
    if (isResource(attributes, '', 'pods')) return this.pod(attributes, object);
    const template = subresource ? undefined : TEMPLATES[`${kind.group}/${kind.plural}`]?.(object);
    if (!template?.spec) return;
    const { warn } = this.policy(attributes.namespace);
    this.warn(attributes, { metadata: template.metadata ?? {}, spec: template.spec }, warn);
  }

  private policy(namespace: string): Policy {
    return policyOf(this.store.get({ resource: '/namespaces', namespace: '', name: namespace })?.metadata.labels);
  }

  private pod(attributes: Attributes, pod: AnyObject): void {
    const { subresource, oldObject } = attributes;
    if (IGNORED.includes(subresource) || (oldObject && deepEqual(images(pod), images(oldObject)))) return;
    const { enforce, warn } = this.policy(attributes.namespace);
    const violations = violationsOf(pod, enforce);
    if (violations.length) {
      throw forbid(attributes, `violates PodSecurity ${JSON.stringify(show(enforce))}: ${detailOf(violations)}`);
    }
    this.warn(attributes, pod, warn);
  }

  private warn(attributes: Attributes, pod: PodLike, level: LevelVersion): void {
    const violations = violationsOf(pod, level);
    if (!violations.length) return;
    attributes.warn(`would violate PodSecurity ${JSON.stringify(show(level))}: ${detailOf(violations)}`);
  }

  private namespace({ kind, name, oldObject, warn }: Attributes, next: AnyObject): void {
    const wrong = Fields.root('metadata.labels');
    const before = Fields.root('metadata.labels');
    const { enforce } = policyOf(next.metadata.labels, wrong);
    const { enforce: old } = policyOf(oldObject?.metadata.labels, before);
    if (wrong.causes.length && !deepEqual(wrong.causes, before.causes)) {
      throw errors.invalid(kind.group, kind.kind, name, wrong.causes);
    }
    if (!oldObject || deepEqual(enforce, old) || enforce.level === 'privileged') return;
    if (enforce.version === old.version && strictness(enforce.level) <= strictness(old.level)) return;
    const pods = [...this.store.list({ resource: '/pods', namespace: name })];
    for (const warning of namespaceWarnings(name, pods, enforce)) warn(warning);
  }
}
