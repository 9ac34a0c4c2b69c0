import { warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { hasOwnOperator } from '../platform';
import { nameOf, subjectOf } from '../words';

/** Admission policies that restrict each virt-handler to its own node. */
export const policies: Check = {
  name: 'admission-policies',
  reads: ['deployments', 'policies', 'policyBindings'],
  find,
};

/** Names of the policies of the platform, and of their bindings. */
export const policyNames = ['kubevirt-node-restriction', 'kubevirt-instance-restriction'] as const;

const CONSEQUENCE = 'so a compromised node could change other nodes and their guests';

function find(facts: Facts): Finding[] {
  const { policies: found, policyBindings, absent } = facts;
  if (!hasOwnOperator(facts)) return [];
  if (absent.has('policies')) {
    const remedy = 'enable admissionregistration.k8s.io/v1 in --runtime-config of the API server';
    return [warning('API server', `it serves no ValidatingAdmissionPolicies, ${CONSEQUENCE}`, remedy)];
  }
  if (!found || !policyBindings) return [];
  const missing = policyNames.filter((name) => !found.some((each) => nameOf(each) === name));
  const unbound = policyNames.filter(
    (name) => !missing.includes(name) && !policyBindings.some(({ spec }) => spec?.policyName === name),
  );
  const remedy = 'virt-operator creates it; check that it runs';
  return [
    ...(missing.length > 0
      ? [warning(subjectOf('ValidatingAdmissionPolicy', missing), `it does not exist, ${CONSEQUENCE}`, remedy)]
      : []),
    ...(unbound.length > 0
      ? [warning(subjectOf('ValidatingAdmissionPolicy', unbound), `it has no binding, ${CONSEQUENCE}`, remedy)]
      : []),
  ];
}
