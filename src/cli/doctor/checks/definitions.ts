import { findCondition } from '../../../api/conditions';
import { allKinds, kindFacts, type KindFacts } from '../../../api/kinds/registry';
import { error, warning, type Check, type Finding } from '../finding';
import type { DefinitionFacts, Facts } from '../facts';
import { hasCdi, isUpstream } from '../platform';
import { listed, nameOf, subjectOf } from '../words';

/** CustomResourceDefinitions of the platform's kinds, and the versions in which objects are stored. */
export const definitions: Check = { name: 'definitions', reads: ['definitions', 'mutatingWebhooks'], find };

const isOfCdi = ({ group }: KindFacts): boolean => /(^|\.)cdi\.kubevirt\.io$/.test(group);
/** Group that virt-api serves without a definition. */
const isAggregated = ({ group }: KindFacts): boolean => group === 'upload.cdi.kubevirt.io';
const definitionOf = ({ plural, group }: KindFacts): string => `${plural}.${group}`;

const ownKinds = allKinds.map((name) => kindFacts[name]).filter((facts) => !isAggregated(facts));
/** Names of all definitions of the platform. */
export const definitionNames: readonly string[] = ownKinds.map(definitionOf);

function find(facts: Facts): Finding[] {
  const { definitions: found } = facts;
  // without any, the platform is not installed, which another check reports
  if (!found || found.length === 0) return [];
  return [...missing(facts, found), ...found.flatMap(ofDefinition), ...stored(found)];
}

function missing(facts: Facts, found: readonly DefinitionFacts[]): Finding[] {
  // upstream releases define other kinds
  if (isUpstream(facts)) return [];
  const names = new Set(found.map(nameOf));
  const cdi = ownKinds.filter(isOfCdi).map(definitionOf);
  // an installation without importer has none of them, and CDI installs its own
  const leavesOutCdi = hasCdi(facts) || cdi.every((name) => !names.has(name));
  const wanted = ownKinds.filter((kind) => !(leavesOutCdi && isOfCdi(kind))).map(definitionOf);
  const absent = wanted.filter((name) => !names.has(name));
  if (absent.length === 0) return [];
  return [
    error(
      subjectOf('CustomResourceDefinition', absent),
      'it does not exist, so objects of this kind cannot be created',
      'apply the manifests of PlatformDefinitions again',
    ),
  ];
}

function ofDefinition(definition: DefinitionFacts): Finding[] {
  const established = findCondition(definition.status?.conditions, 'Established');
  if (established?.status === 'True') return [];
  const names = findCondition(definition.status?.conditions, 'NamesAccepted');
  const { message } = (names?.status === 'False' ? names : established) ?? {};
  return [
    error(
      `CustomResourceDefinition "${nameOf(definition)}"`,
      `the API server does not serve it: ${message ?? 'it has reported no condition'}`,
      'delete the definition that has the same names, or apply this one again',
    ),
  ];
}

/** Objects in an old version prevent later versions of the platform from removing it. */
function stored(found: readonly DefinitionFacts[]): Finding[] {
  const outdated = found.filter(({ spec, status }) =>
    status?.storedVersions?.some((version) => !spec.versions.some(({ name, storage }) => storage && name === version)),
  );
  if (outdated.length === 0) return [];
  const names = outdated.map(nameOf);
  return [
    warning(
      subjectOf('CustomResourceDefinition', names),
      'objects may still be stored in an old version, which a later version of the platform cannot remove',
      `write the objects again (kubectl get ${names[0]} -A -o json | kubectl replace -f -), then remove the old version from status.storedVersions of ${names.length === 1 ? 'the definition' : listed(names)}`,
    ),
  ];
}
