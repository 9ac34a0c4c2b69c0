import { oneLine } from '../../api';
import type { Diagnosis } from './diagnose';
import type { Finding } from './finding';
import { counted } from './words';

/** Prints results. Pure. Causes repeat texts of the cluster and its users, so they are made safe for a terminal. */

/** Cluster that was checked. */
export interface Subject {
  /** Address of the API server, if one was reached. */
  readonly address?: string;
  readonly kubernetes?: string;
  /** Version of the platform that the KubeVirt object reports. */
  readonly platform?: string;
}

const WIDTH = 'incomplete'.length;

export function textOf({ address, kubernetes, platform }: Subject, results: readonly Diagnosis[]): string {
  const head = [
    ...(address === undefined ? [] : [`API server ${address}${kubernetes ? `, Kubernetes ${kubernetes}` : ''}`]),
    ...(platform === undefined ? [] : [`platform ${oneLine(platform)}`]),
  ];
  return [...head, ...results.flatMap(linesOf), summaryOf(results)].join('\n');
}

function linesOf({ name, state, findings, unread }: Diagnosis): string[] {
  return [
    `${state.padEnd(WIDTH)}  ${name}`,
    ...findings.flatMap((finding) => findingLines(finding, state === 'error')),
    ...unread.map((each) => `  not checked: ${oneLine(each)}`),
  ];
}

function findingLines({ severity, subject, cause, remedy }: Finding, isMixed: boolean): string[] {
  const mark = isMixed && severity === 'warning' ? 'warning: ' : '';
  return [`  ${mark}${oneLine(subject)}: ${oneLine(cause)}`, `    = ${oneLine(remedy)}`];
}

function summaryOf(results: readonly Diagnosis[]): string {
  const { errors, warnings } = countsOf(results);
  const unread = results.filter((each) => each.unread.length > 0).length;
  return [
    `${counted(results.length, 'check')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    ...(unread > 0 ? [`${unread} not complete`] : []),
  ].join(', ');
}

export function jsonOf(subject: Subject, results: readonly Diagnosis[]): string {
  return JSON.stringify({ ...subject, ...countsOf(results), checks: results }, undefined, 2);
}

function countsOf(results: readonly Diagnosis[]): { errors: number; warnings: number } {
  const all = results.flatMap(({ findings }) => findings);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: all.length - errors };
}
