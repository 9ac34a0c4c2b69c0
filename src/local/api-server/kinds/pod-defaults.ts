import { AnyObject } from '../types';

type Spec = AnyObject['spec'];

interface Probe {
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  httpGet?: { path?: string; scheme?: string };
  grpc?: { service?: string };
}

/** `latest`, or no tag at all, is pulled always; anything else once. */
export function pullPolicy(image: string): string {
  // The tag of an invalid name is not known.
  if (image.includes('@') || /[^\w.:/-]/.test(image)) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(probe: Probe | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.httpGet) {
    probe.httpGet.path ||= '/';
    probe.httpGet.scheme ||= 'HTTP';
  }
  if (probe.grpc) probe.grpc.service ??= '';
}

function defaultContainer(container: Spec, isPod: boolean): void {
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.imagePullPolicy ||= pullPolicy(String(container.image ?? ''));
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) {
    const ref = variable.valueFrom?.fieldRef;
    if (ref) ref.apiVersion ||= 'v1';
    const amount = variable.valueFrom?.resourceFieldRef;
    if (amount) amount.divisor ??= '0';
  }
  defaultProbe(container.livenessProbe);
  defaultProbe(container.readinessProbe);
  defaultProbe(container.startupProbe);
  for (const hook of [container.lifecycle?.postStart, container.lifecycle?.preStop]) {
    if (!hook?.httpGet) continue;
    hook.httpGet.path ||= '/';
    hook.httpGet.scheme ||= 'HTTP';
  }
  if (!isPod) return;
  const { limits } = container.resources ?? {};
  // A resource with a limit and without a request is requested in full.
  for (const [name, value] of Object.entries(limits ?? {})) {
    const requests = (container.resources.requests ??= {});
    requests[name] ??= value;
  }
}

const DEFAULT_MODE = 0o644;

function defaultItems(items: readonly Spec[]): void {
  for (const { fieldRef, resourceFieldRef } of items) {
    if (fieldRef) fieldRef.apiVersion ||= 'v1';
    if (resourceFieldRef) resourceFieldRef.divisor ??= '0';
  }
}

function defaultVolume(volume: Spec): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name');
  if (!sources.length) volume.emptyDir = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    if (volume[source]) volume[source].defaultMode ??= DEFAULT_MODE;
  }
  defaultItems(volume.downwardAPI?.items ?? []);
  for (const source of volume.projected?.sources ?? []) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
    defaultItems(source.downwardAPI?.items ?? []);
  }
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.image) volume.image.pullPolicy ||= pullPolicy(String(volume.image.reference ?? ''));
  const template = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (template) template.volumeMode ??= 'Filesystem';
}

/** Fills in a Pod's spec as Kubernetes does when it decodes one; the spec in a template gets less. */
export function defaultPodSpec(spec: Spec, isPod = true): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  if (isPod) spec.enableServiceLinks ??= true;
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount;
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of spec[list] ?? []) {
      defaultContainer(container, isPod);
      if (!isPod || !spec.hostNetwork) continue;
      for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
    }
  }
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  if (!isPod) return;
  for (const [name, value] of Object.entries(spec.resources?.limits ?? {}))
    (spec.resources.requests ??= {})[name] ??= value;
}
