/** A document -> its mistakes, each with its place in the source. Pure. */
import { type AdmissionContext, admit, brief, type FieldError, type KubeObject, warningsOf } from '../../api';
import type { ManifestDocument, Position } from '../manifests/documents';
import { isOurs, notAnObject, notServed } from '../manifests/object';

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

/** Judges one document as admission would. */
export function check(document: ManifestDocument, context: AdmissionContext): Checked {
  const { problem, object } = document;
  if (problem || !object) {
    const { at, message, remedy } = problem ?? { at: document.locate([]), message: 'it is empty', remedy: 'remove it' };
    return { state: 'broken', findings: [finding('syntax', at, '', message, remedy)] };
  }
  const malformed = notAnObject(object) ?? notServed(object as unknown as KubeObject);
  if (malformed) return { state: 'broken', findings: [findingOf(malformed, document)] };
  const { apiVersion, kind, metadata } = object as unknown as KubeObject;
  const name = metadata.name ?? metadata.generateName;
  if (!isOurs({ apiVersion, kind, metadata })) return { kind, name, state: 'other', findings: [] };
  const admitted = admit(object as unknown as KubeObject, context);
  const warnings = warningsOf(admitted, context);
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
    ...finding(rule, document.locate(path.parts), `${path}`, brief(message), remedy),
    ...(allowed?.length ? { allowed } : {}),
  };
}

function finding(rule: string, at: Position, field: string, message: string, remedy: string): Finding {
  return { at, field, message, remedy, rule, severity: 'error' };
}
