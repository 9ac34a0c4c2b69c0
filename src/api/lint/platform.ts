import { mistake, nearest } from '../admission/rule';
import { featureGates, gateStage } from '../feature-gates';
import { type Finding, named, type Path, root, text } from '../findings';
import type { KubeVirt } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import { isDnsSubdomain, isQualifiedName } from '../names';
import { validateSchema } from '../schema';
import { customizationRules } from './platform-customization';
import { platformValues } from './platform-values';
import type { World } from './world';

/** Reports two KubeVirt objects: a cluster has one platform, and the webhook rejects the second. */
function onePlatform(object: KubeVirt, world: World): Finding[] {
  const all = world.all('KubeVirt').filter((declared) => isKubeVirt(declared));
  if (all.length < 2) return [];
  const message = `KubeVirt objects are declared by ${all.map(({ where }) => where).join(' and ')}`;
  return mistake('one-kubevirt', root.at('metadata', 'name'), message, 'keep one', { value: object.metadata.name });
}

/** Reports unknown feature gates, which have no effect. The webhook accepts them, as KubeVirt's does. */
function gatesAreKnown({ spec }: KubeVirt): Finding[] {
  const given = spec?.configuration?.developerConfiguration ?? {};
  return (['featureGates', 'disabledFeatureGates'] as const).flatMap((list) =>
    (given[list] ?? []).flatMap((got, i) =>
      gateStage(got)
        ? []
        : [
            {
              rule: 'gate-known',
              path: root.at('spec', 'configuration', 'developerConfiguration', list, i),
              type: 'FieldValueNotSupported',
              value: got,
              cause: `no feature gate is called ${JSON.stringify(got)}`,
              remedy: remedyFor(got),
            } as const,
          ],
    ),
  );
}

/** Reports a limit per node that is above the limit of the cluster. */
function migrationLimitsFit({ spec }: KubeVirt): Finding[] {
  const { parallelMigrationsPerCluster: all = 5, parallelOutboundMigrationsPerNode: own = 2 } =
    spec?.configuration?.migrations ?? {};
  if (own <= all) return [];
  const cause = `${own} migrations may leave a node at once, but only ${all} may run in the cluster`;
  const migrations = root.at('spec', 'configuration', 'migrations');
  const path = migrations.at('parallelOutboundMigrationsPerNode');
  const limit = named(migrations.at('parallelMigrationsPerCluster'), 1);
  return mistake('migration-limits', path, cause, text`use ${all} or less, or raise ${limit}`, {
    value: own,
  });
}

/** Migrations find their network in the namespace of the platform, by its name alone. */
function migrationNetworkIsHere({ spec, metadata: { namespace } }: KubeVirt, world: World): Finding[] {
  const got = spec?.configuration?.migrations?.network;
  if (!got) return [];
  const path = root.at('spec', 'configuration', 'migrations', 'network');
  if (!isDnsSubdomain(got)) {
    const cause = `"${got}" is not the name of a NetworkAttachmentDefinition`;
    return mistake('migration-network', path, cause, 'write the name alone: it is of the namespace of the platform', {
      value: got,
    });
  }
  const all = world.all('NetworkAttachmentDefinition');
  if (namespace === undefined || all.some((each) => each.name === got && (each.namespace ?? namespace) === namespace)) {
    return [];
  }
  const elsewhere = all.find(({ name }) => name === got);
  if (!elsewhere) return [];
  const cause = `NetworkAttachmentDefinition "${got}" is in the namespace "${elsewhere.namespace}", and migrations find it in "${namespace}"`;
  return mistake('migration-network', path, cause, `declare it in "${namespace}"`, { value: got });
}

/** Values that the schema allows and the platform cannot use. */
function valuesCanBeUsed({ spec }: KubeVirt): Finding[] {
  const batch = spec?.workloadUpdateStrategy?.batchEvictionSize;
  const storageClass = spec?.configuration?.vmStateStorageClass;
  return [
    ...(batch === undefined || batch > 0
      ? []
      : mistake(
          'workload-batch',
          root.at('spec', 'workloadUpdateStrategy', 'batchEvictionSize'),
          'no guest is ever stopped for an update',
          'use 1 or more',
          { value: batch },
        )),
    ...(!storageClass || isDnsSubdomain(storageClass)
      ? []
      : mistake(
          'state-storage-class',
          root.at('spec', 'configuration', 'vmStateStorageClass'),
          `"${storageClass}" cannot be the name of a StorageClass`,
          'use lower case letters, digits, dashes and dots',
          { value: storageClass },
        )),
  ];
}

const hex = /^[0-9A-Fa-f]{4}$/;

/** Reports selectors that match no device. No node would offer such a device, and nothing reports why. */
function devicesCanBeFound({ spec }: KubeVirt): Finding[] {
  const given = spec?.configuration?.permittedHostDevices ?? {};
  const at = root.at('spec', 'configuration', 'permittedHostDevices');
  const resource = (path: Path, got: string): Finding[] =>
    got.includes('/') && isQualifiedName(got)
      ? []
      : mistake('device-resource', path, `"${got}" is not a resource name`, 'write it like example.com/name', {
          value: got,
        });
  const digits = (path: Path, got: string, example: string, good: boolean): Finding[] =>
    good
      ? []
      : mistake(
          'device-selector',
          path,
          `"${got}" does not identify a device`,
          `write it like ${example}, in hexadecimal`,
          {
            value: got,
          },
        );
  return [
    ...(given.pciHostDevices ?? []).flatMap(({ pciVendorSelector: got, resourceName }, i) => [
      ...digits(
        at.at('pciHostDevices', i, 'pciVendorSelector'),
        got,
        '10DE:1EB8',
        got.split(':').length === 2 && got.split(':').every((part) => hex.test(part)),
      ),
      ...resource(at.at('pciHostDevices', i, 'resourceName'), resourceName),
    ]),
    ...(given.mediatedDevices ?? []).flatMap(({ resourceName }, i) =>
      resource(at.at('mediatedDevices', i, 'resourceName'), resourceName),
    ),
    ...(given.usb ?? []).flatMap(({ selectors = [], resourceName }, i) => [
      ...resource(at.at('usb', i, 'resourceName'), resourceName),
      ...selectors.flatMap((selector, j) =>
        (['vendor', 'product'] as const).flatMap((field) =>
          digits(at.at('usb', i, 'selectors', j, field), selector[field], '46f4', hex.test(selector[field])),
        ),
      ),
    ]),
  ];
}

function remedyFor(got: string): string {
  const near = nearest(got, featureGates);
  return near.startsWith('did you mean') ? near : 'remove it: it has no effect';
}

const isKubeVirt = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  kind === 'KubeVirt' && apiVersion.split('/')[0] === 'kubevirt.io';

/** Reports mistakes that the webhook of the KubeVirt object accepts. An object of the wrong shape has only that finding. */
export function platformRules(object: KubeObject, world: World): Finding[] {
  if (!isKubeVirt(object) || validateSchema(object).length > 0) return [];
  const kubeVirt = object as KubeVirt;
  return [
    ...onePlatform(kubeVirt, world),
    ...gatesAreKnown(kubeVirt),
    ...migrationLimitsFit(kubeVirt),
    ...devicesCanBeFound(kubeVirt),
    ...migrationNetworkIsHere(kubeVirt, world),
    ...valuesCanBeUsed(kubeVirt),
    ...platformValues(kubeVirt),
    ...customizationRules(kubeVirt),
  ];
}
