import { error, warning } from '../../../../src/cli/doctor/finding';
import { jsonOf, textOf } from '../../../../src/cli/doctor/print';
import type { Diagnosis } from '../../../../src/cli/doctor/diagnose';

const results: Diagnosis[] = [
  { name: 'kubernetes', state: 'ok', findings: [], unread: [] },
  {
    name: 'nodes',
    state: 'error',
    findings: [
      error('Node "a"', 'it is not ready:\n\u001b[2Jbad', 'check it'),
      warning('Node "b"', 'it is slow', 'wait'),
    ],
    unread: [],
  },
  { name: 'storage', state: 'warning', findings: [warning('Storage', 'none', 'install one')], unread: [] },
  { name: 'vms', state: 'incomplete', findings: [], unread: ['requires permission to list virtualmachines'] },
];
const subject = { address: 'https://127.0.0.1:6443', kubernetes: 'v1.36.0', platform: 'v1.0.0' };

test('text has a line for each check, its findings, and a summary; texts of the cluster cannot control the terminal', () => {
  expect(textOf(subject, results)).toBe(`API server https://127.0.0.1:6443, Kubernetes v1.36.0
platform v1.0.0
ok          kubernetes
error       nodes
  Node "a": it is not ready:\\u000a\\u001b[2Jbad
    = check it
  warning: Node "b": it is slow
    = wait
warning     storage
  Storage: none
    = install one
incomplete  vms
  not checked: requires permission to list virtualmachines
4 checks: 1 error, 2 warnings, 1 not complete`);
});

test('JSON has the same, for scripts', () => {
  expect(JSON.parse(jsonOf(subject, results))).toEqual({ ...subject, errors: 1, warnings: 2, checks: results });
});

test('an engine that is down has no API server', () => {
  expect(textOf({}, results.slice(0, 1))).toBe('ok          kubernetes\n1 check: 0 errors, 0 warnings');
});
