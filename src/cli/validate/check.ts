/** A document -> its mistakes, each with its place in the source. Pure. */
import {
  type AdmissionContext,
  admissionOf,
  admit,
  closest,
  type FieldError,
  hasSchema,
  type KubeObject,
} from '../../api';
import type { ManifestDocument, Position } from '../manifests/documents';

/** One mistake as people read it. */
export interface Finding {
  readonly at: Position;
  /** Field path; empty for the document as a whole. */
  readonly field: string;
  readonly message: string;
  readonly remedy: string;
  readonly allowed?: readonly string[];
  /** Name of the rule. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
}

/** What was found in a document. */
export interface Checked {
  readonly kind?: string;
  readonly name?: string;
  /** `broken`: it could not be read; `other`: a kind that this platform has no rules for. */
  readonly state: 'valid' | 'refused' | 'broken' | 'other';
  readonly findings: readonly Finding[];
}

/** The groups whose kinds are ours. */
const OURS = /(^|\.)kubevirt\.io$/;

/** Judges one document as admission would. `kinds`: the names of all kinds of ours, for suggestions. */
export function check(document: ManifestDocument, context: AdmissionContext, kinds: readonly string[]): Checked {
  const { problem, object } = document;
  if (problem)
    return { state: 'broken', findings: [finding('syntax', problem.at, '', problem.message, problem.remedy)] };
  const missing = (['apiVersion', 'kind'] as const).find(
    (field) => typeof object?.[field] !== 'string' || !object[field],
  );
  if (missing) {
    const remedy =
      missing === 'kind' ? 'add kind: VirtualMachine, or another' : 'add apiVersion: kubevirt.io/v1, or another';
    return broken(document, missing, `${missing} is missing or not a text`, remedy);
  }
  const { apiVersion, kind, metadata } = object as unknown as KubeObject;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return broken(document, 'metadata', 'metadata is missing or not an object', 'add metadata: {name: my-vm}');
  }
  const name = metadata.name ?? metadata.generateName;
  if (!hasSchema(apiVersion, kind)) {
    const near = closest(kind, kinds);
    const group = apiVersion.split('/')[0];
    if (!OURS.test(group) && !(near && near !== kind)) return { kind, name, state: 'other', findings: [] };
    const remedy = near === kind ? 'check apiVersion' : near ? `did you mean "${near}"?` : 'check apiVersion and kind';
    return broken(document, near === kind ? 'apiVersion' : 'kind', `${apiVersion} has no kind ${kind}`, remedy);
  }
  const admitted = admit(object as unknown as KubeObject, context);
  const warnings = admissionOf({ apiVersion, kind })?.warnings?.(admitted.object, context) ?? [];
  return {
    kind,
    name: typeof name === 'string' ? name : undefined,
    state: admitted.errors.length > 0 ? 'refused' : 'valid',
    findings: [
      ...admitted.errors.map((error) => findingOf(error, document)),
      ...warnings.map((message) => ({
        ...finding('warning', document.locate([]), '', message, ''),
        severity: 'warning' as const,
      })),
    ],
  };
}

function findingOf({ rule, path, message, remedy, allowed }: FieldError, document: ManifestDocument): Finding {
  return {
    ...finding(rule, document.locate(path.parts), `${path}`, message, remedy),
    ...(allowed?.length ? { allowed } : {}),
  };
}

function finding(rule: string, at: Position, field: string, message: string, remedy: string): Finding {
  return { at, field, message, remedy, rule, severity: 'error' };
}

function broken(document: ManifestDocument, field: string, message: string, remedy: string): Checked {
  return { state: 'broken', findings: [finding('object', document.locate([field]), field, message, remedy)] };
}
