import { platformCertificates, operatorSecrets } from '../install/certificates';
import { installedKinds, type InstalledKindName, type InstalledObject } from '../install/kinds';
import { optionalObjects } from '../install/optional';
import { operatorConfigMaps } from '../install/strategy';
import { collections, type KindName } from '../kinds/registry';
import { type ComponentAccess, type Grant, leads } from './grant';
import { uploadProxyAccess } from './upload-proxy';
import { userRoles } from './users';
import { virtApiAccess } from './virt-api';
import { virtControllerAccess } from './virt-controller';
import { virtHandlerAccess } from './virt-handler';

export interface OperatorTasks {
  /** Every object that it installs, besides those that it makes itself. */
  readonly installs: readonly InstalledObject[];
  /** Whether it issues the certificates. False if another program does, such as cert-manager. Default: true. */
  readonly issuesCertificates?: boolean;
  /** Whether the platform fills claims itself, for which it has an upload proxy. Default: true. */
  readonly importer?: boolean;
}

/** Workloads that it deletes if the uninstall strategy allows it. */
const WORKLOADS: readonly KindName[] = [
  'VirtualMachinePool',
  'VirtualMachine',
  'VirtualMachineInstanceReplicaSet',
  'VirtualMachineInstance',
];

/**
 * virt-operator: installs the platform and repairs it, renews its certificates, and reports its status. It changes only
 * the objects named here. Kubernetes lets it write a role only if it has all permissions of that role, which are
 * therefore listed as implied; it needs no right to escalate.
 */
export function virtOperatorAccess(tasks: OperatorTasks): ComponentAccess {
  const { installs, issuesCertificates = true, importer = true } = tasks;
  const secrets = issuesCertificates
    ? [operatorSecrets.authority, ...platformCertificates('', importer).map(({ secret }) => secret)]
    : [];
  const configMaps = [
    operatorConfigMaps.requestHeader,
    ...(issuesCertificates ? [operatorConfigMaps.authorities] : []),
  ];
  const all: readonly InstalledObject[] = [
    ...installs,
    ...secrets.map((name) => ({ kind: 'Secret', name }) as const),
    ...configMaps.map((name) => ({ kind: 'ConfigMap', name }) as const),
  ];
  return {
    serviceAccount: 'kubevirt-operator',
    grants: [
      {
        ...collections('KubeVirt'),
        verbs: ['list', 'watch', 'patch'],
        why: 'the installation that it manages, and its finalizer',
        where: 'installation',
      },
      {
        ...collections('KubeVirt/status'),
        verbs: ['patch'],
        why: 'phase, versions and conditions of the installation',
        where: 'installation',
      },
      ...Object.keys(installedKinds).flatMap((kind) => installing(kind as InstalledKindName, all)),
      ...removing(all, importer),
      {
        group: '',
        resources: ['pods'],
        verbs: ['list', 'watch'],
        why: 'reasons why a program is not ready',
        where: 'installation',
      },
      {
        group: '',
        resources: ['events'],
        verbs: ['create', 'patch'],
        why: 'events of the installation',
        where: 'installation',
      },
      ...WORKLOADS.map((kind) => ({
        ...collections(kind),
        verbs: ['list', 'delete'] as const,
        why: 'guests that an uninstallation ends',
      })),
      ...leads('virt-operator'),
      ...granted(importer),
    ],
  };
}

/** Returns the grants for the objects of a kind that it installs. */
function installing(kind: InstalledKindName, all: readonly InstalledObject[]): Grant[] {
  const { group, plural, namespaced } = installedKinds[kind];
  const names = all.filter((each) => each.kind === kind).map(({ name }) => name);
  const of = { group, resources: [plural], ...(namespaced ? ({ where: 'installation' } as const) : {}) };
  // definitions contain the objects of users
  const isKept = kind === 'CustomResourceDefinition';
  return [
    // even without objects of the kind: it compares all kinds with what it installs
    { ...of, verbs: ['list', 'watch'], why: 'objects that it installed, and those of other installations' },
    ...(names.length > 0
      ? [
          { ...of, verbs: ['create'] as const, why: 'objects that are missing' },
          {
            ...of,
            verbs: isKept ? (['patch'] as const) : (['patch', 'delete'] as const),
            why: 'objects that differ, or that an uninstallation removes',
            names,
          },
        ]
      : []),
  ];
}

/** Returns the grants for optional objects that this installation does not have, but may have had. */
function removing(all: readonly InstalledObject[], importer: boolean): Grant[] {
  const absent = optionalObjects().filter(
    ({ kind, name }) =>
      !all.some((each) => each.kind === kind && each.name === name) &&
      // with an importer, the Secrets are in use, also if cert-manager fills them
      !(kind === 'Secret' && importer),
  );
  return [...new Set(absent.map(({ kind }) => kind))].map((kind) => {
    const { group, plural, namespaced } = installedKinds[kind];
    return {
      ...{ group, resources: [plural], verbs: ['delete'], ...(namespaced ? { where: 'installation' } : {}) },
      why: 'objects of an earlier configuration',
      names: absent.filter((each) => each.kind === kind).map(({ name }) => name),
    };
  });
}

/** Returns the permissions that it gives to programs and users: for each resource, all verbs that any of them has. */
function granted(importer: boolean): Grant[] {
  const programs = [virtApiAccess, virtControllerAccess, virtHandlerAccess, ...(importer ? [uploadProxyAccess] : [])];
  const users = userRoles.filter(({ ofImporter }) => importer || !ofImporter);
  const merged = new Map<string, Grant>();
  for (const { group, resources, verbs, where, names } of [...programs, ...users].flatMap(({ grants }) => grants)) {
    for (const resource of resources) {
      const key = JSON.stringify([group, resource, where === 'installation', names]);
      merged.set(key, {
        ...{ group, resources: [resource], verbs: [...(merged.get(key)?.verbs ?? []), ...verbs] },
        ...(where ? { where } : {}),
        ...(names ? { names } : {}),
        ...{ why: 'permissions that it gives to programs and users', implied: true },
      });
    }
  }
  return [...merged.values()];
}
