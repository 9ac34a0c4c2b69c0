import {
  rulesOf,
  uploadProxyAccess,
  userRoles,
  virtApiAccess,
  virtControllerAccess,
  virtHandlerAccess,
  virtOperatorAccess,
  type ComponentAccess,
  type Grant,
} from '../../../../src/api/access';
import { PlatformCertificates, PlatformImages, PlatformSize, type VirtPlatformProps } from '../../../../src';
import { definitionNames } from '../../../../src/constructs/platform/definitions';
import { installedKinds, type InstalledObject } from '../../../../src/api/install/kinds';
import { optionalObjects } from '../../../../src/api/install/optional';
import { SUBRESOURCES, UNIMPLEMENTED } from '../../../../src/runtime/api-server/registry';
import { installedBy, platformManifests } from '../../../support/platform';
import { SourceCode } from './requests-of-code';

/** `group/resource verb`, sorted. */
const lines = (grants: readonly Grant[]): string[] =>
  [
    ...new Set(
      grants.flatMap(({ group, resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  ].sort();

const INSTANCETYPES = [
  'virtualmachineinstancetypes',
  'virtualmachineclusterinstancetypes',
  'virtualmachinepreferences',
  'virtualmachineclusterpreferences',
].map((resource) => `instancetype.kubevirt.io/${resource} get`);

/** Writes of snapshots, restores and clones. Their requests of virt-api's subresources are declared as implied. */
const PROTECTION = [
  '/persistentvolumeclaims create',
  '/persistentvolumeclaims patch',
  '/persistentvolumeclaims delete',
  'cdi.kubevirt.io/datavolumes delete',
  'cdi.kubevirt.io/volumeclonesources create',
  'kubevirt.io/virtualmachines create',
  'kubevirt.io/virtualmachines delete',
  'kubevirt.io/virtualmachines patch',
  'kubevirt.io/virtualmachines/status patch',
  'snapshot.storage.k8s.io/volumesnapshots create',
  'clone.kubevirt.io/virtualmachineclones/status patch',
  'kubevirt.io/virtualmachineinstances patch',
  'backup.kubevirt.io/virtualmachinebackups create',
  'backup.kubevirt.io/virtualmachinebackups patch',
  'backup.kubevirt.io/virtualmachinebackups delete',
  'backup.kubevirt.io/virtualmachinebackups/status patch',
  'backup.kubevirt.io/virtualmachinebackuptrackers/status patch',
  'export.kubevirt.io/virtualmachineexports create',
  'export.kubevirt.io/virtualmachineexports delete',
  ...['virtualmachinesnapshots', 'virtualmachinesnapshotcontents', 'virtualmachinerestores'].flatMap((resource) => [
    ...['create', 'patch', 'delete'].map((verb) => `snapshot.kubevirt.io/${resource} ${verb}`),
    `snapshot.kubevirt.io/${resource}/status patch`,
  ]),
];

const POPULATORS = ['volumeimportsources', 'volumeclonesources', 'volumeuploadsources'].map(
  (resource) => `cdi.kubevirt.io/${resource}`,
);

/** Requests for the kinds that virt-operator installs. It never deletes a definition. */
const installing = (...verbs: string[]): string[] =>
  Object.values(installedKinds).flatMap(({ group, plural }) => verbs.map((verb) => `${group}/${plural} ${verb}`));
const workloads = (verb: string): string[] =>
  ['pool.kubevirt.io/virtualmachinepools', 'kubevirt.io/virtualmachines', 'kubevirt.io/virtualmachineinstances']
    .concat('kubevirt.io/virtualmachineinstancereplicasets')
    .map((resource) => `${resource} ${verb}`);

/** Requests whose kind is worked out at run time, and what it can be; those that hand on what others ask: nothing. */
const WORKED_OUT: Readonly<Record<string, readonly string[]>> = {
  'runtime/kube/': [],
  'runtime/api-server/admission/cluster.ts: source.list(kind, namespace, enough)': [],
  'api/instancetype/find.ts: find(kind, namespace, name)': INSTANCETYPES,
  'runtime/controller/virtual-machine/sizing.ts: find(kind, ': INSTANCETYPES,
  'api/kinds/object-transfer.ts: find(source.kind, namespace, name)': [
    '/persistentvolumeclaims get',
    'cdi.kubevirt.io/datavolumes get',
  ],
  'runtime/controller/storage/context.ts: Volume': POPULATORS.flatMap((resource) => [
    `${resource} list`,
    `${resource} watch`,
  ]),
  'runtime/controller/storage/data-volume/execute.ts: client': POPULATORS.flatMap((resource) => [
    `${resource} create`,
    `${resource} delete`,
  ]),
  'runtime/controller/protection/perform.ts: ': PROTECTION,
  'runtime/controller/workload-update/evict.ts: ': ['/pods/eviction create'],
  'runtime/operator/writer.ts: this.client.patch(resource,': installing('list', 'watch', 'create', 'patch'),
  'runtime/operator/writer.ts: this.client.delete(': installing('delete').filter((line) => !/definitions/.test(line)),
  'runtime/operator/uninstall/execute.ts: [': [],
  'runtime/operator/uninstall/execute.ts: client.list(resource)': workloads('list'),
  'runtime/operator/uninstall/execute.ts: client.delete(resource,': workloads('delete'),
  'api/kinds/kubevirt.ts: list(kind, undefined, { most: 1 })': [
    'kubevirt.io/virtualmachines list',
    'kubevirt.io/virtualmachineinstances list',
    'kubevirt.io/virtualmachineinstancereplicasets list',
  ],
};

/**
 * Verbs and roles of users (`kubevirt.io:…`) for each subresource; empty if no role has it. Written here and not derived from the
 * source, so that every change of a role is seen.
 */
const USERS_OF: Readonly<Record<string, string>> = {
  version: 'get, list: default',
  guestfs: 'get, list: default',
  'start-cluster-profiler': '',
  'stop-cluster-profiler': '',
  'dump-cluster-profiler': '',
  'expand-vm-spec': 'update: view, edit, admin',

  'virtualmachines/expand-spec': 'get: view, edit, admin',
  'virtualmachines/objectgraph': 'get: view, edit, admin',
  'virtualmachines/portforward': 'get: edit, admin',
  'virtualmachines/start': 'update: edit, admin',
  'virtualmachines/stop': 'update: edit, admin',
  'virtualmachines/restart': 'update: edit, admin',
  'virtualmachines/addvolume': 'update: edit, admin',
  'virtualmachines/removevolume': 'update: edit, admin',
  'virtualmachines/memorydump': 'update: edit, admin',
  'virtualmachines/removememorydump': 'update: edit, admin',
  'virtualmachines/evacuate/cancel': 'update: edit, admin',
  'virtualmachines/migrate': 'update: migrate',

  'virtualmachineinstances/guestosinfo': 'get: view, edit, admin',
  'virtualmachineinstances/filesystemlist': 'get: view, edit, admin',
  'virtualmachineinstances/userlist': 'get: view, edit, admin',
  'virtualmachineinstances/objectgraph': 'get: view, edit, admin',
  'virtualmachineinstances/sev/fetchcertchain': 'get: view, edit, admin',
  'virtualmachineinstances/sev/querylaunchmeasurement': 'get: view, edit, admin',
  'virtualmachineinstances/console': 'get: edit, admin',
  'virtualmachineinstances/vnc': 'get: edit, admin',
  'virtualmachineinstances/portforward': 'get: edit, admin',
  'virtualmachineinstances/usbredir': 'get: edit, admin',
  'virtualmachineinstances/vnc/screenshot': 'get: admin',
  'virtualmachineinstances/vsock': '',
  'virtualmachineinstances/pause': 'update: edit, admin',
  'virtualmachineinstances/unpause': 'update: edit, admin',
  'virtualmachineinstances/freeze': 'update: edit, admin',
  'virtualmachineinstances/unfreeze': 'update: edit, admin',
  'virtualmachineinstances/softreboot': 'update: edit, admin',
  'virtualmachineinstances/reset': 'update: edit, admin',
  'virtualmachineinstances/addvolume': 'update: edit, admin',
  'virtualmachineinstances/removevolume': 'update: edit, admin',
  'virtualmachineinstances/evacuate/cancel': 'update: edit, admin',
  'virtualmachineinstances/sev/setupsession': 'update: edit, admin',
  'virtualmachineinstances/sev/injectlaunchsecret': 'update: edit, admin',
  // requested by virt-controller
  'virtualmachineinstances/backup': '',
  'virtualmachineinstances/redefine-checkpoint': '',
};

/** Objects that virt-operator installs for a configuration of the construct. */
const installsOf = (props: Partial<VirtPlatformProps>): InstalledObject[] => {
  const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' });
  const objects = installedBy(platformManifests(images, { nodes: 3, ...props }).platform);
  return objects.map(({ kind, metadata }) => ({ kind, name: metadata.name }) as InstalledObject);
};

test('the optional objects are those in which configurations differ', () => {
  const idsOf = (objects: readonly InstalledObject[]): string[] => objects.map(({ kind, name }) => `${kind} ${name}`);
  const size = PlatformSize.forNodes(1000, { uploadProxy: { replicas: 2 } });
  const large = idsOf(installsOf({ size }));
  const small = idsOf(installsOf({ nodes: 1, importer: false }));
  const secrets = optionalObjects().filter(({ kind }) => kind === 'Secret');
  expect(small.filter((id) => !large.includes(id))).toEqual([]);
  expect(idsOf(optionalObjects()).sort()).toEqual(
    [...large.filter((id) => !small.includes(id)), ...idsOf(secrets)].sort(),
  );
});

/** Permissions of virt-operator in an installation as the construct declares it. */
const operatorAccess = (props: Partial<VirtPlatformProps> = {}): ComponentAccess => {
  const { importer = true, certificates } = props;
  const crds = definitionNames(importer).map((name) => ({ kind: 'CustomResourceDefinition', name }) as const);
  const installs = [...crds, ...installsOf(props)];
  return virtOperatorAccess({ installs, importer, issuesCertificates: !certificates?.needsCertManager });
};

const programs = [
  ['virt-api', 'runtime/api-server/main.ts', virtApiAccess],
  ['virt-controller', 'runtime/controller/main.ts', virtControllerAccess],
  ['virt-handler', 'runtime/handler/main.ts', virtHandlerAccess],
  ['upload-proxy', 'runtime/upload-proxy/main.ts', uploadProxyAccess],
  ['virt-operator', 'runtime/operator/main.ts', operatorAccess()],
] as const;

describe('what a component declares is what its source can ask for', () => {
  const code = new SourceCode(programs.map(([, entry]) => entry));

  test.each(programs)('%s', (_name, entry, { grants }) => {
    const { verbs, unclear } = code.requestsOf(entry);
    const known = Object.entries(WORKED_OUT);
    expect(unclear.filter((text) => !known.some(([start]) => text.startsWith(start)))).toEqual([]);
    const workedOut = known.flatMap(([start, asked]) => (unclear.some((text) => text.startsWith(start)) ? asked : []));
    const used = [...verbs].flatMap(([resource, of]) => [...of].map((verb) => `${resource} ${verb}`));
    expect(lines(grants.filter(({ implied }) => !implied))).toEqual([...new Set([...used, ...workedOut])].sort());
  });

  test('a request that is not declared would be seen', () => {
    const { verbs } = code.requestsOf('runtime/controller/main.ts');
    // by informer, by client, by a look-up of a pure decision, of a subresource
    expect([...verbs.get('kubevirt.io/virtualmachines')!].sort()).toEqual([
      'create',
      'delete',
      'get',
      'list',
      'patch',
      'watch',
    ]);
    expect([...verbs.get('/namespaces')!].sort()).toEqual(['get', 'list', 'watch']);
    expect([...verbs.get('/pods/status')!]).toEqual(['patch']);
    expect([...verbs.get('/secrets')!]).toEqual(['create']);
    expect(verbs.has('/configmaps/status')).toBe(false);
  });
});

describe('what no component may', () => {
  const everywhere = programs
    .map(([, , access]) => access)
    .flatMap(({ grants }) => grants.filter(({ where }) => where !== 'installation'));

  test.each([
    [
      'read or change a secret',
      ({ resources, verbs }: Grant) => resources.includes('secrets') && verbs.some((verb) => verb !== 'create'),
    ],
    ['use a wildcard', (grant: Grant) => [grant.group, ...grant.resources, ...grant.verbs].includes('*')],
    [
      'change a role that is not its own',
      ({ group, verbs, names }: Grant) =>
        group === 'rbac.authorization.k8s.io' &&
        !names &&
        verbs.some((verb) => !['list', 'watch', 'create'].includes(verb)),
    ],
    [
      'give permissions that it does not have',
      ({ verbs }: Grant) => (verbs as readonly string[]).some((verb) => ['escalate', 'bind'].includes(verb)),
    ],
    ['run commands in Pods', (grant: Grant) => grant.resources.some((name) => /^pods\/(exec|attach)/.test(name))],
    ['act as somebody else', (grant: Grant) => (grant.verbs as readonly string[]).includes('impersonate')],
  ])('%s, outside the namespace of the installation', (_, does) => {
    expect(everywhere.filter(does)).toEqual([]);
  });

  test('virt-operator changes only objects that it is named for', () => {
    const own = operatorAccess().grants.filter(({ implied, names }) => !implied && !names);
    const changes = lines(own).filter((line) => !/ (list|watch|create)$/.test(line));
    expect(changes).toEqual([
      '/events patch',
      'kubevirt.io/kubevirts patch',
      'kubevirt.io/kubevirts/status patch',
      'kubevirt.io/virtualmachineinstancereplicasets delete',
      'kubevirt.io/virtualmachineinstances delete',
      'kubevirt.io/virtualmachines delete',
      'pool.kubevirt.io/virtualmachinepools delete',
    ]);
  });

  test('virt-operator deletes no definition, which contains the objects of users', () => {
    const grants = operatorAccess().grants.filter(({ resources }) => resources.includes('customresourcedefinitions'));
    expect([...new Set(grants.flatMap(({ verbs }) => verbs))].sort()).toEqual(['create', 'list', 'patch', 'watch']);
  });

  test('virt-operator may only delete objects of an earlier configuration', () => {
    const access = operatorAccess({ importer: false });
    const own = access.grants.filter(({ implied, names }) => !implied && names?.includes('cdi-uploadproxy'));
    expect([...new Set(own.flatMap(({ verbs }) => verbs))]).toEqual(['delete']);
    expect(own.flatMap(({ resources }) => resources).sort()).toEqual([
      ...['clusterrolebindings', 'clusterroles', 'deployments', 'poddisruptionbudgets', 'serviceaccounts', 'services'],
    ]);
  });

  test('virt-operator writes no secret where cert-manager does', () => {
    const access = operatorAccess({ certificates: PlatformCertificates.certManager() });
    const own = access.grants.filter(({ implied }) => !implied);
    expect(lines(own).filter((line) => /secret/.test(line))).toEqual(['/secrets list', '/secrets watch']);
  });
});

describe('roles of users', () => {
  const granted = (name: string): string[] => lines(userRoles.find((role) => role.name === name)!.grants);
  // virt-controller requests backups, for the objects of users
  const ofUsers = SUBRESOURCES.filter(({ name }) => name !== 'backup');
  const served = ofUsers.map(({ owner, name, method }) => {
    const resource = name ? `${owner}/${name}` : owner;
    return `subresources.kubevirt.io/${resource} ${method === 'PUT' ? 'update' : 'get'}`;
  });

  test.each(['kubevirt.io:admin', 'kubevirt.io:edit'])('%s may use every subresource that virt-api serves', (name) => {
    expect(served.filter((line) => !granted(name).includes(line))).toEqual([]);
  });

  test('each subresource that exists is granted to these roles only, and no other is granted', () => {
    const existing = [
      'version',
      ...SUBRESOURCES.map(({ owner, name }) => (name ? `${owner}/${name}` : owner)),
      ...Object.entries(UNIMPLEMENTED).flatMap(([owner, names]) =>
        Object.keys(names).map((name) => (owner ? `${owner}/${name}` : name)),
      ),
    ];
    const users = Object.fromEntries(existing.map((resource) => [resource, '']));
    for (const { name, grants } of userRoles) {
      for (const { group, resources, verbs } of grants) {
        for (const resource of group === 'subresources.kubevirt.io' ? resources : []) {
          const role = name.replace('kubevirt.io:', '');
          const start = `${verbs.join(', ')}: `;
          users[resource] = users[resource]?.startsWith(start)
            ? `${users[resource]}, ${role}`
            : `${users[resource] ?? ''}${start}${role}`;
        }
      }
    }
    expect(users).toEqual(USERS_OF);
  });

  test('no role of users has a wildcard', () => {
    const grants = userRoles.flatMap((role) => role.grants);
    expect(grants.filter((grant) => [grant.group, ...grant.resources, ...grant.verbs].join().includes('*'))).toEqual(
      [],
    );
  });

  test('each role has all of the one below it', () => {
    const without = (below: string, above: string): string[] =>
      granted(below).filter((line) => !granted(above).includes(line));
    expect(without('kubevirt.io:view', 'kubevirt.io:edit')).toEqual(
      ['get', 'list', 'watch'].map((verb) => `plugin.kubevirt.io/plugins ${verb}`),
    );
    // aggregated into admin, which has edit as well
    expect(without('kubevirt.io:edit', 'kubevirt.io:admin')).toEqual(
      ['get', 'list'].map((verb) => `kubevirt.io/kubevirts ${verb}`),
    );
  });

  test('a viewer reaches no guest and changes nothing', () => {
    expect(granted('kubevirt.io:view').filter((line) => /console|vnc|portforward/.test(line))).toEqual([]);
    expect(granted('kubevirt.io:view').filter((line) => !/ (get|list|watch)$/.test(line))).toEqual([
      'subresources.kubevirt.io/expand-vm-spec update',
    ]);
  });

  test('a viewer of disks changes none, and may clone them, as in CDI', () => {
    expect(granted('cdi.kubevirt.io:view').filter((line) => !/ (get|list|watch)$/.test(line))).toEqual([
      'cdi.kubevirt.io/datavolumes/source create',
    ]);
    const below = granted('cdi.kubevirt.io:view').filter((line) => !granted('cdi.kubevirt.io:edit').includes(line));
    expect(below).toEqual([]);
  });

  test('only kubevirt.io:migrate moves guests', () => {
    const moves = userRoles.filter(({ grants }) =>
      lines(grants).some((line) => /migrations create|\/migrate /.test(line)),
    );
    expect(moves.map(({ name }) => name)).toEqual(['kubevirt.io:migrate']);
  });
});

test('grants of the same verbs share a rule; names keep theirs apart', () => {
  const grant = (resource: string, verbs: Grant['verbs'], names?: string[]): Grant => ({
    group: '',
    resources: [resource],
    verbs,
    why: 'test',
    ...(names ? { names } : {}),
  });
  expect(
    rulesOf([grant('pods', ['list', 'get']), grant('nodes', ['get', 'list']), grant('pods', ['get'], ['a'])]),
  ).toEqual([
    { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] },
  ]);
});
