import { AnyObject } from '../../types';
import { counted, named, quoted, setters, sortedSet, Violation } from './words';

/** Metadata and spec of a Pod or of a template. */
export interface PodLike {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: AnyObject['spec'];
}

export type Container = AnyObject['spec'];
export type Rule = (pod: PodLike) => Violation | undefined;

/** All containers in the order in which messages name them. */
export const containersOf = ({ spec }: PodLike): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

export const namesOf = (containers: readonly Container[]): string[] => containers.map(({ name }) => name as string);

/** Values that the containers set, and the containers that set a forbidden one. */
function offences(pod: PodLike, forbidden: (container: Container) => string[]): { names: string[]; values: string[] } {
  const bad = containersOf(pod).filter((container) => forbidden(container).length);
  return { names: namesOf(bad), values: sortedSet(bad.flatMap(forbidden)) };
}

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

export const appArmor: Rule = (pod) => {
  const bad = (context: Container): string[] => {
    const type: string | undefined = context?.appArmorProfile?.type;
    return type === undefined || type === 'RuntimeDefault' || type === 'Localhost' ? [] : [type];
  };
  const ofPod = bad(pod.spec.securityContext);
  const { names, values } = offences(pod, ({ securityContext }) => bad(securityContext));
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !/^($|runtime\/default$|localhost\/)/.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const by = [setters(ofPod.length > 0, names), annotations.length ? counted(annotations, 'annotation') : ''];
  const text = by.filter(Boolean).join(' and ');
  if (!text) return undefined;
  const all = [...sortedSet([...ofPod, ...values]), ...annotations];
  return {
    reason: counted(all, 'forbidden AppArmor profile'),
    detail: `${text} must not set AppArmor profile type to ${quoted(all)}`,
  };
};

const CAPABILITIES = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

export const capabilities: Rule = (pod) => {
  const { names, values } = offences(pod, ({ securityContext }) =>
    ((securityContext?.capabilities?.add ?? []) as string[]).filter((name) => !CAPABILITIES.includes(name)),
  );
  if (!names.length) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: `${named(names)} must not include ${quoted(values)} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Rule = ({ spec }) => {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field]).map((field) => `${field}=true`);
  return used.length ? { reason: 'host namespaces', detail: used.join(', ') } : undefined;
};

export const hostPathVolumes: Rule = ({ spec }) => {
  const names = ((spec.volumes ?? []) as Container[])
    .filter(({ hostPath }) => hostPath)
    .map(({ name }) => name as string);
  return names.length
    ? { reason: 'hostPath volumes', detail: `${counted(names, 'volume')} ${quoted(names)}` }
    : undefined;
};

export const hostPorts: Rule = (pod) => {
  const { names, values } = offences(pod, ({ ports = [] }) =>
    (ports as { hostPort?: number }[]).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  );
  if (!names.length) return undefined;
  const uses = `${counted(names, 'uses', 'use')} ${counted(values, 'hostPort')}`;
  return { reason: 'hostPort', detail: `${named(names)} ${uses} ${values.join(', ')}` };
};

export const hostProbes: Rule = (pod) => {
  const { names, values } = offences(pod, (container) => {
    const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    return handlers
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter(Boolean) as string[];
  });
  if (!names.length) return undefined;
  const uses = `${counted(names, 'uses', 'use')} ${counted(values, 'probe or lifecycle host')}`;
  return { reason: 'probe or lifecycle host', detail: `${named(sortedSet(names))} ${uses} ${quoted(values)}` };
};

export const privileged: Rule = (pod) => {
  const names = namesOf(containersOf(pod).filter(({ securityContext }) => securityContext?.privileged));
  if (!names.length) return undefined;
  return { reason: 'privileged', detail: `${named(names)} must not set securityContext.privileged=true` };
};

export const procMount: Rule = (pod) => {
  const { names, values } = offences(pod, ({ securityContext }) => {
    const type: string | undefined = securityContext?.procMount;
    return type === undefined || type === 'Default' ? [] : [type];
  });
  if (!names.length) return undefined;
  return { reason: 'procMount', detail: `${named(names)} must not set securityContext.procMount to ${quoted(values)}` };
};

export const seLinux =
  (types: readonly string[]): Rule =>
  (pod) => {
    const isBad = (options: Container): boolean =>
      options !== undefined && (!types.includes(options.type ?? '') || !!options.user || !!options.role);
    const podOptions = pod.spec.securityContext?.seLinuxOptions;
    const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const by = setters(isBad(podOptions), namesOf(bad));
    if (!by) return undefined;
    const given = [
      ...(isBad(podOptions) ? [podOptions] : []),
      ...bad.map(({ securityContext }) => securityContext.seLinuxOptions),
    ] as { type?: string; user?: string; role?: string }[];
    const wrong = sortedSet(given.map(({ type = '' }) => type).filter((type) => !types.includes(type)));
    const facts = [
      ...(wrong.length ? [`${counted(wrong, 'type')} ${quoted(wrong)}`] : []),
      ...(given.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(given.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    const detail = `${by} set forbidden securityContext.seLinuxOptions: ${facts.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Profiles in the annotations that preceded the field. */
export const seccompAnnotations: Rule = (pod) => {
  const keys = [SECCOMP, ...namesOf(containersOf(pod)).map((name) => SECCOMP_CONTAINER + name)];
  const bad = keys.flatMap((key) => {
    const value = pod.metadata.annotations?.[key];
    if (value === undefined || /^(runtime\/default$|docker\/default$|localhost\/)/.test(value)) return [];
    return [`${key}=${JSON.stringify(value)}`];
  });
  const all = sortedSet(bad);
  if (!all.length) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${counted(all, 'annotation')} ${all.join(', ')}` };
};

export const isSeccompAllowed = (type: string | undefined): boolean =>
  type === 'Localhost' || type === 'RuntimeDefault';

export const seccomp: Rule = (pod) => {
  const bad = (context: Container): string[] => {
    const profile = context?.seccompProfile;
    return profile && !isSeccompAllowed(profile.type) ? [profile.type as string] : [];
  };
  const ofPod = bad(pod.spec.securityContext);
  const { names, values } = offences(pod, ({ securityContext }) => bad(securityContext));
  const by = setters(ofPod.length > 0, names);
  if (!by) return undefined;
  const all = quoted(sortedSet([...ofPod, ...values]));
  return { reason: 'seccompProfile', detail: `${by} must not set securityContext.seccompProfile.type to ${all}` };
};

export const sysctls =
  (allowed: readonly string[]): Rule =>
  ({ spec }) => {
    const given = ((spec.securityContext?.sysctls ?? []) as { name: string }[]).map(({ name }) => name);
    const bad = given.filter((name) => !allowed.includes(name));
    return bad.length ? { reason: 'forbidden sysctls', detail: bad.join(', ') } : undefined;
  };

export const windowsHostProcess: Rule = (pod) => {
  const isSet = (context: Container): boolean => context?.windowsOptions?.hostProcess === true;
  const names = namesOf(containersOf(pod).filter(({ securityContext }) => isSet(securityContext)));
  const by = setters(isSet(pod.spec.securityContext), names);
  if (!by) return undefined;
  return { reason: 'hostProcess', detail: `${by} must not set securityContext.windowsOptions.hostProcess=true` };
};
