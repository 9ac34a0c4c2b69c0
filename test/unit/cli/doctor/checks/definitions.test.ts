import { definitionNames, definitions } from '../../../../../src/cli/doctor/checks/definitions';
import { definitionNames as installed } from '../../../../../src/constructs/platform/definitions';
import { type Broken, byName, expectRow, type Row } from '../healthy';

const keep = (f: Broken, wanted: (name: string) => boolean): void => {
  f.definitions = f.definitions.filter(({ metadata }: { metadata: { name: string } }) => wanted(metadata.name));
};
const VMS = 'virtualmachines.kubevirt.io';

test('the names are those that the platform installs', () => {
  expect([...definitionNames].sort()).toEqual(installed(true).sort());
});

test.each<Row>([
  ['complete definitions have no problem', () => {}, []],
  ['without any, the platform is not installed', (f) => (f.definitions = []), []],
  [
    'a missing one',
    (f) => keep(f, (name) => name !== VMS),
    [`error CustomResourceDefinition "${VMS}": it does not exist`],
  ],
  [
    "an installation without importer has none of CDI's",
    (f) => keep(f, (name) => !name.includes('cdi.kubevirt.io')),
    [],
  ],
  [
    'some of them are too few',
    (f) => keep(f, (name) => name !== 'datavolumes.cdi.kubevirt.io'),
    ['"datavolumes.cdi.kubevirt.io": it does not exist'],
  ],
  [
    'names that another definition has',
    (f) =>
      (byName(f.definitions, VMS).status = {
        conditions: [
          { type: 'Established', status: 'False', message: 'not all names are accepted' },
          { type: 'NamesAccepted', status: 'False', message: '"vm" is already in use' },
        ],
      } as never),
    [`error CustomResourceDefinition "${VMS}": the API server does not serve it: "vm" is already in use`],
  ],
  [
    'objects in an old version',
    (f) => (byName(f.definitions, VMS).status.storedVersions = ['v1alpha3', 'v1']),
    [`warning CustomResourceDefinition "${VMS}": objects may still be stored in an old version`],
  ],
])('%s', (...row) => expectRow(definitions, row));
