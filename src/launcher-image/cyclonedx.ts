/** Parts of CycloneDX documents. They contain no clock: the same contents give the same bytes. */
import { createHash } from 'node:crypto';

export const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** CycloneDX has separate fields for an SPDX id and an SPDX expression. */
export const licences = (licence: string): object[] =>
  /[ ()]/.test(licence) ? [{ expression: licence.replace(/^\((.*)\)$/, '$1') }] : [{ license: { id: licence } }];

/** Parts of a document that differ. */
export interface BomContent {
  /** The described product, with its `bom-ref`. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly components: readonly object[];
  /** References of the components that the subject contains directly. */
  readonly contains: readonly string[];
}

/** A document in format CycloneDX 1.6. Its serial number is derived from its components. */
export function cycloneDx({ subject, components, contains }: BomContent): object {
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid.join('-')}`,
    version: 1,
    metadata: { component: subject },
    components,
    dependencies: [{ ref: subject['bom-ref'], dependsOn: contains }],
  };
}
