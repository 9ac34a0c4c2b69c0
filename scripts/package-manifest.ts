/** A package.json. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Fields that only this checkout needs. */
const OURS = ['//', 'scripts', 'devDependencies', 'devEngines', 'jest'];

/** Peers that only users of `virt8s/pulumi` have. jsii rejects peers that are not jsii modules: the checkout has none. */
const OPTIONAL_PEERS = ['@pulumi/pulumi', '@pulumi/kubernetes'];

/**
 * package.json as it is published: without the parts that only this checkout needs, and with the optional peers.
 *
 * @param manifest - that of the checkout
 */
export function packedManifest(manifest: Manifest): Manifest {
  const { peerDependencies, devDependencies = {} } = manifest as Record<string, Record<string, string>>;
  const optional = OPTIONAL_PEERS.map((name): [string, string] => {
    const range = devDependencies[name];
    if (!range) throw new Error(`devDependencies have no ${name}: it is to be an optional peer`);
    return [name, range];
  });
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([field]) => !OURS.includes(field))),
    peerDependencies: { ...peerDependencies, ...Object.fromEntries(optional) },
    peerDependenciesMeta: Object.fromEntries(optional.map(([name]) => [name, { optional: true }])),
  };
}
