/** Bill of materials of an image. */
import type { Architecture } from './arch';
import { cycloneDx, licences, npmUrl } from './cyclonedx';
import type { DebianPackage } from './debian';
import { SUITE } from './recipe';

/** An npm package in a bundle. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Contents of an image. */
export interface ImageContents {
  readonly name: string;
  /** Digest of its manifest. */
  readonly digest: string;
  readonly architecture: Pick<Architecture, 'name' | 'node'>;
  /** Version of this package, whose programs the image contains. */
  readonly version: string;
  readonly debian: readonly DebianPackage[];
  readonly node: { readonly version: string; readonly integrity: string };
  /** npm packages in the programs of the image. */
  readonly npm: readonly NpmPackage[];
}

/** Escapes a part of a package URL, in which colons are allowed. */
const escaped = (text: string): string => encodeURIComponent(text).replace(/%3A/g, ':');

function debianUrl({ name, version, architecture, source, sourceVersion }: DebianPackage): string {
  const upstream =
    source === name && sourceVersion === version ? [] : [`upstream=${escaped(`${source}@${sourceVersion}`)}`];
  const qualifiers = [`arch=${architecture}`, `distro=${SUITE}`, ...upstream];
  return `pkg:deb/debian/${escaped(name)}@${escaped(version)}?${qualifiers.join('&')}`;
}

const debianComponent = (entry: DebianPackage): object => ({
  type: 'library',
  'bom-ref': debianUrl(entry),
  name: entry.name,
  version: entry.version,
  purl: debianUrl(entry),
  hashes: [{ alg: 'SHA-256', content: entry.sha256 }],
  // the fields of Debian's control files
  properties: [
    { name: 'debian:Source', value: entry.source },
    { name: 'debian:Source-Version', value: entry.sourceVersion },
  ],
});

const npmComponent = ({ name, version, licence }: NpmPackage): object => ({
  type: 'library',
  'bom-ref': npmUrl(name, version),
  name,
  version,
  purl: npmUrl(name, version),
  licenses: licences(licence),
});

function nodeComponent({ architecture, node }: ImageContents): object {
  const purl = npmUrl(architecture.node, node.version);
  return {
    type: 'application',
    'bom-ref': purl,
    name: 'node',
    version: node.version,
    purl,
    // vulnerability databases list Node.js by this name, not by its npm package
    cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`,
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(node.integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
    ],
    licenses: licences('MIT'),
  };
}

/** Bill of materials of an image, in format CycloneDX 1.6. */
export function imageBom(image: ImageContents): object {
  const { name, digest, architecture, version, debian, npm } = image;
  const purl = `pkg:oci/${name}@${escaped(digest)}?arch=${architecture.name}`;
  const components = [
    ...debian.map(debianComponent),
    nodeComponent(image),
    {
      type: 'application',
      'bom-ref': npmUrl('virt8s', version),
      name: 'virt8s',
      version,
      purl: npmUrl('virt8s', version),
    },
    ...npm.map(npmComponent),
  ];
  return cycloneDx({
    subject: { type: 'container', 'bom-ref': purl, name, version: digest, purl },
    components,
    contains: components.map((component) => (component as Record<string, string>)['bom-ref']!),
  });
}
