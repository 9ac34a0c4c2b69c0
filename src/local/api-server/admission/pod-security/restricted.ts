import { Container, containersOf, isSeccompAllowed, namesOf, Rule, seccomp } from './baseline';
import { counted, named, quoted, setters, sortedSet } from './words';

export const privilegeEscalation: Rule = (pod) => {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (!bad.length) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named(namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: Rule = (pod) => {
  const of = ({ securityContext }: Container, list: string) =>
    (securityContext?.capabilities?.[list] ?? []) as string[];
  const forbidden = (container: Container) => of(container, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = containersOf(pod).filter((container) => !of(container, 'drop').includes('ALL'));
  const adding = containersOf(pod).filter((container) => forbidden(container).length);
  const details = [
    ...(keeping.length ? [`${named(namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length
      ? [
          `${named(namesOf(adding))} must not include ${quoted(sortedSet(adding.flatMap(forbidden)))} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
};

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const KNOWN_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export const volumeTypes: Rule = ({ spec }) => {
  const bad = ((spec.volumes ?? []) as Container[]).filter((volume) => !VOLUMES.some((type) => volume[type]));
  if (!bad.length) return undefined;
  const types = sortedSet(bad.map((volume) => KNOWN_VOLUMES.find((type) => volume[type]) ?? 'unknown'));
  const names = namesOf(bad);
  const uses = `${counted(names, 'uses', 'use')} ${counted(types, 'restricted volume type')} ${quoted(types)}`;
  return { reason: 'restricted volume types', detail: `${counted(names, 'volume')} ${quoted(names)} ${uses}` };
};

export const nonRoot: Rule = (pod) => {
  const own: boolean | undefined = pod.spec.securityContext?.runAsNonRoot;
  const all = containersOf(pod);
  const explicit = all.filter(({ securityContext }) => securityContext?.runAsNonRoot === false);
  const by = setters(own === false, namesOf(explicit));
  const reason = 'runAsNonRoot != true';
  if (by) return { reason, detail: `${by} must not set securityContext.runAsNonRoot=false` };
  const implicit = all.filter(({ securityContext }) => !own && securityContext?.runAsNonRoot === undefined);
  if (!implicit.length) return undefined;
  return { reason, detail: `pod or ${named(namesOf(implicit))} must set securityContext.runAsNonRoot=true` };
};

export const nonRootUser: Rule = (pod) => {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.runAsUser === 0);
  const by = setters(pod.spec.securityContext?.runAsUser === 0, namesOf(bad));
  return by ? { reason: 'runAsUser=0', detail: `${by} must not set runAsUser=0` } : undefined;
};

export const requiredSeccomp: Rule = (pod) => {
  const explicit = seccomp(pod);
  if (explicit || isSeccompAllowed(pod.spec.securityContext?.seccompProfile?.type)) return explicit;
  const bad = containersOf(pod).filter(({ securityContext }) => !securityContext?.seccompProfile);
  if (!bad.length) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${named(namesOf(bad))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
