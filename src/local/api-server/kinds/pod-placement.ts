import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { LabelSelector, validateLabelSelector } from '../validation/label-selector';
import { isDns1123Label, isDns1123Subdomain, isIpAddress, isLabelValue, isQualifiedName } from '../validation/names';

type Spec = AnyObject['spec'];

/** Rules about where a Pod runs, and about its names in the network. */
export function validatePlacement(spec: Spec, fields: Fields): void {
  validateDns(spec.dnsConfig, fields.child('dnsConfig'));
  validateGates(spec, fields);
  validateSpread(spec.topologySpreadConstraints ?? [], fields.child('topologySpreadConstraints'));
  validateHostAliases(spec.hostAliases ?? [], fields.child('hostAliases'));
  validateHostNamespaces(spec, fields);
}

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const SEARCH = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

function validateDns(config: Spec, at: Fields): void {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  const servers = at.child('nameservers');
  if (nameservers.length > MAX_NAMESERVERS) {
    servers.invalid(nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  (nameservers as string[]).forEach((server, i) => servers.index(i).invalidEach(server, isIpAddress(server)));
  const paths = at.child('searches');
  if (searches.length > MAX_SEARCHES) paths.invalid(searches, `must not have more than ${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS) {
    const why = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    paths.invalid(searches, why);
  }
  (searches as string[]).forEach((search, i) => {
    const name = search.replace(/\.$/, '');
    if (search === '.' || new RegExp(`^${SEARCH}(\\.${SEARCH})*$`).test(name)) return;
    paths
      .index(i)
      .invalid(
        name,
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SEARCH}(\\.${SEARCH})*')`,
      );
  });
  (options as { name?: string }[]).forEach(({ name }, i) => {
    if (!name) at.child('options').index(i).required('must not be empty');
  });
}

function validateGates({ schedulingGates = [], nodeName }: Spec, fields: Fields): void {
  const seen = new Set<string>();
  (schedulingGates as { name: string }[]).forEach(({ name = '' }, i) => {
    const at = fields.child('schedulingGates').index(i).invalidEach(name, isQualifiedName(name));
    if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  });
  if (schedulingGates.length && nodeName) {
    fields.child('nodeName').forbidden('cannot be set until all schedulingGates have been cleared');
  }
}

function validateSpread(constraints: Spec[], at: Fields): void {
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  constraints.forEach(({ maxSkew = 0, topologyKey, whenUnsatisfiable = '', minDomains, labelSelector }, i) => {
    const here = at.index(i);
    if (maxSkew <= 0) here.child('maxSkew').invalid(maxSkew, 'must be greater than zero');
    if (topologyKey) here.child('topologyKey').invalidEach(topologyKey, isQualifiedName(topologyKey));
    else here.child('topologyKey').required('can not be empty');
    if (!actions.includes(whenUnsatisfiable)) here.child('whenUnsatisfiable').notSupported(whenUnsatisfiable, actions);
    const isRepeated = constraints
      .slice(i + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (isRepeated) {
      here.child('{topologyKey, whenUnsatisfiable}').duplicate(`{${topologyKey}, ${whenUnsatisfiable}}`);
    }
    if (minDomains !== undefined) {
      const domains = here.child('minDomains');
      if (minDomains <= 0) domains.invalid(minDomains, 'must be greater than zero');
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        domains.invalid(minDomains, why);
      }
    }
    validateLabelSelector(labelSelector as LabelSelector | undefined, here.child('labelSelector'));
  });
}

function validateHostAliases(aliases: { ip?: string; hostnames?: string[] }[], at: Fields): void {
  aliases.forEach(({ ip = '', hostnames = [] }, i) => {
    at.index(i).child('ip').invalidEach(ip, isIpAddress(ip));
    hostnames.forEach((name, j) => {
      at.index(i).child('hostnames').index(j).invalidEach(name, isDns1123Subdomain(name));
    });
  });
}

function validateHostNamespaces(spec: Spec, fields: Fields): void {
  if (spec.hostUsers === false) {
    for (const [field, shown] of [
      ['hostNetwork', 'hostNetwork'],
      ['hostPID', 'HostPID'],
      ['hostIPC', 'HostIPC'],
    ]) {
      if (spec[field]) fields.child(shown).forbidden('when `hostUsers` is false');
    }
  }
  const systems = ['linux', 'windows'];
  const system: string | undefined = spec.os?.name;
  if (spec.os && !system) fields.child('os', 'name').required();
  else if (system && !systems.includes(system)) fields.child('os').notSupported(system, systems);
  if (system !== 'windows') return;
  for (const field of ['hostPID', 'hostIPC', 'hostUsers', 'shareProcessNamespace']) {
    if (spec[field]) fields.child(field).forbidden('cannot be set for a windows pod');
  }
}

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

function validateRequirement({ key = '', operator = '', values = [] }: Requirement, at: Fields, strict: boolean): void {
  const list = at.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (!values.length) list.required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length) list.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) list.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else at.child('operator').invalid(operator, 'not a valid selector operator');
  at.child('key').invalidEach(key, isQualifiedName(key));
  if (strict) values.forEach((value, i) => list.index(i).invalidEach(value, isLabelValue(value)));
}

function validateFieldRequirement({ key = '', operator = '', values = [] }: Requirement, at: Fields): void {
  if (operator !== 'In' && operator !== 'NotIn')
    at.child('operator').invalid(operator, 'not a valid selector operator');
  else if (values.length !== 1) {
    at.child('values').required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (key !== 'metadata.name') at.child('key').invalid(key, 'not a valid field selector key');
  else values.forEach((value, i) => at.child('values').index(i).invalidEach(value, isDns1123Subdomain(value)));
}

/** A term of node affinity; preferred terms may have values that no label can have. */
function validateNodeTerm(
  { matchExpressions = [], matchFields = [] }: { matchExpressions?: Requirement[]; matchFields?: Requirement[] },
  at: Fields,
  strict: boolean,
): void {
  matchExpressions.forEach((item, i) => validateRequirement(item, at.child('matchExpressions').index(i), strict));
  matchFields.forEach((item, i) => validateFieldRequirement(item, at.child('matchFields').index(i)));
}

export function validateNodeSelector({ nodeSelectorTerms: terms = [] }: Spec, at: Fields): void {
  const here = at.child('nodeSelectorTerms');
  if (!terms.length) here.required('must have at least one node selector term');
  (terms as Spec[]).forEach((term, i) => validateNodeTerm(term, here.index(i), true));
}

function validatePodTerm(
  { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' }: Spec,
  at: Fields,
): void {
  validateLabelSelector(labelSelector, at.child('labelSelector'));
  validateLabelSelector(namespaceSelector, at.child('namespaceSelector'));
  for (const name of namespaces as string[]) at.child('namespace').invalidEach(name, isDns1123Label(name));
  if (!topologyKey) at.child('topologyKey').required('can not be empty');
  at.child('topologyKey').invalidEach(topologyKey, isQualifiedName(topologyKey));
}

function validateWeight(weight: number | undefined, at: Fields): void {
  if (!weight || weight < 0 || weight > 100) at.child('weight').invalid(weight ?? 0, 'must be in the range 1-100');
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Spec, at: Fields): void {
  const node = affinity?.nodeAffinity;
  if (node?.[REQUIRED]) {
    validateNodeSelector(node[REQUIRED], at.child('nodeAffinity', REQUIRED));
  }
  ((node?.[PREFERRED] ?? []) as Spec[]).forEach(({ weight, preference = {} }, i) => {
    const here = at.child('nodeAffinity', PREFERRED).index(i);
    validateWeight(weight, here);
    validateNodeTerm(preference, here.child('preference'), false);
  });
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const given = affinity?.[kind] ?? {};
    ((given[REQUIRED] ?? []) as Spec[]).forEach((term, i) => validatePodTerm(term, at.child(kind, REQUIRED).index(i)));
    ((given[PREFERRED] ?? []) as Spec[]).forEach(({ weight, podAffinityTerm = {} }, i) => {
      const here = at.child(kind, PREFERRED).index(i);
      validateWeight(weight, here);
      validatePodTerm(podAffinityTerm, here.child('podAffinityTerm'));
    });
  }
}
