import { findCondition } from '../../../api/conditions';
import { virtApiServiceNames } from '../../../api/platform';
import { error, type Check, type Finding } from '../finding';
import type { ApiService, Facts } from '../facts';
import { hasImporter, isInstalled, isUpstream, virtApiServes } from '../platform';
import { grouped, nameOf, subjectOf } from '../words';

/** Aggregated APIs of virt-api: start, stop, consoles, uploads. */
export const apis: Check = { name: 'apis', reads: ['deployments', 'apiServices'], find };

const CONSEQUENCE = 'start, stop, consoles and uploads fail';

function find(facts: Facts): Finding[] {
  const { apiServices } = facts;
  if (!apiServices || !isInstalled(facts) || isUpstream(facts)) return [];
  const found = new Map(apiServices.map((each) => [nameOf(each), each]));
  const names = virtApiServiceNames(hasImporter(facts));
  const missing = names.filter((name) => !found.has(name));
  return [
    ...(missing.length > 0
      ? [
          error(
            subjectOf('APIService', missing),
            `it does not exist, so ${CONSEQUENCE}`,
            'virt-operator creates it; check that it runs',
          ),
        ]
      : []),
    // without any Pod of virt-api, the check of the programs reports why
    ...(virtApiServes(facts) ? unavailable(names.flatMap((name) => found.get(name) ?? [])) : []),
  ];
}

function unavailable(services: readonly ApiService[]): Finding[] {
  const failing = services.flatMap((each) => {
    const available = findCondition(each.status?.conditions, 'Available');
    return available?.status === 'True' ? [] : [{ name: nameOf(each), available }];
  });
  const messageOf = (each: (typeof failing)[number]): string =>
    // the message contains the path, which differs
    `${each.available?.reason}: ${each.available?.message ?? 'no condition'}`.replaceAll(each.name, 'API');
  return [...grouped(failing, (each) => each.available?.reason ?? '').values()].map((group) => {
    const [first] = group;
    const message = first ? messageOf(first) : '';
    return error(
      subjectOf(
        'APIService',
        group.map(({ name }) => name),
      ),
      `the API server cannot reach virt-api, so ${CONSEQUENCE}: ${message}`,
      remedyFor(message),
    );
  });
}

function remedyFor(message: string): string {
  if (/x509|certificate/i.test(message)) {
    return 'virt-operator maintains caBundle; check that it runs, and the findings about certificates';
  }
  if (/endpoints|ServiceNotFound/i.test(message)) return 'check that Pods of virt-api are ready, and its Service';
  return 'the API server must reach Pods at port 8443: check network policies and the firewall of the control plane (docs/runbooks/VirtAPIUnavailable.md)';
}
