import { error, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { hasCdi, hasOwnOperator, hasImporter, upstreamObjects, upstreamVersionOf } from '../platform';
import { nameOf } from '../words';

/** KubeVirt and CDI themselves, whose objects have the same names. */
export const neighbours: Check = {
  name: 'other-installations',
  reads: ['deployments', 'mutatingWebhooks', 'validatingWebhooks', 'apiServices', 'definitions'],
  find,
};

function find(facts: Facts): Finding[] {
  return [...ofKubeVirt(facts), ...ofCdi(facts)];
}

function ofKubeVirt(facts: Facts): Finding[] {
  const [first] = upstreamObjects(facts);
  // a cluster may have KubeVirt alone
  if (!first || !hasOwnOperator(facts)) return [];
  const cause = `KubeVirt ${upstreamVersionOf(first)} owns ${first.kind} "${nameOf(first)}"`;
  return [
    error(
      'KubeVirt',
      `${cause}, beside this platform: both would manage the same VMs`,
      "keep one: delete KubeVirt's KubeVirt object while its own operator runs, then apply the platform again",
    ),
  ];
}

function ofCdi(facts: Facts): Finding[] {
  if (!hasCdi(facts) || !hasImporter(facts)) return [];
  return [
    error(
      'CDI',
      'it is installed, and this platform imports disks as well: both would fill the same claims',
      'set importer: false of VirtPlatform, or remove CDI',
    ),
  ];
}
