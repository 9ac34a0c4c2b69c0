/** Two definitions in place of all, of which Pulumi's SDK takes seconds to register; parity.test.ts registers them. */
type Crds = typeof import('../../src/api/crds');

const all = jest.requireActual<Crds>('../../src/api/crds').definitions;
const ofKinds = (...kinds: string[]): Crds['definitions'] => all.filter(({ spec }) => kinds.includes(spec.names.kind));

export const definitions = ofKinds('KubeVirt', 'DataSource');
export const platformDefinitions = ofKinds('KubeVirt');
