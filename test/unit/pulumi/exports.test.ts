import { Construct } from 'constructs';
import * as core from 'virt8s';
import * as lifted from 'virt8s/pulumi';

/** Classes that a Pulumi program does not use: they are abstract, parts of a platform, or need a scope. */
const NOT_MADE = [
  ...['Choice', 'Guest', 'Resource', 'TargetVersion'],
  ...['ComponentIdentity', 'PlatformComponent', 'PlatformCredentials', 'PlatformMonitoring'],
  ...['PlatformInstallStrategy', 'PlatformRegistration', 'PlatformRestrictions', 'PlatformUserRoles'],
];
const classes = Object.entries(core as unknown as Record<string, unknown>).filter(
  (entry): entry is [string, { prototype: object; length: number }] =>
    typeof entry[1] === 'function' && /^class\b/.test(String(entry[1])) && !NOT_MADE.includes(entry[0]),
);
const there = lifted as unknown as Record<string, unknown>;

test('every construct has a component', () => {
  const constructs = classes.filter(([, { prototype }]) => prototype instanceof Construct).map(([name]) => name);
  expect(constructs).toContain('VirtualMachine');
  const missing = constructs.filter((name) => {
    const component = there[name] as { prototype?: object } | undefined;
    return !(component?.prototype instanceof lifted.ConstructComponent);
  });
  // in its room: export class X extends component(core.X, 'virt8s:room:X') {}
  expect(missing).toEqual([]);
});

test('every static method of a construct is one of its component', () => {
  const missing = classes
    .filter(([, { prototype }]) => prototype instanceof Construct)
    .flatMap(([name, type]) =>
      Object.getOwnPropertyNames(type)
        .filter(
          (key) => typeof (type as unknown as Record<string, unknown>)[key] === 'function' && !key.startsWith('_'),
        )
        .filter((key) => typeof (there[name] as Record<string, unknown>)[key] !== 'function')
        .map((key) => `${name}.${key}`),
    );
  expect(missing).toEqual([]);
});

test('every other class accepts Inputs in its factories', () => {
  const values = classes.filter(([, { prototype }]) => !(prototype instanceof Construct));
  expect(values.map(([name]) => name)).toContain('Disk');
  const missing = values.flatMap(([name, { prototype }]) =>
    (there[name] as { prototype?: object } | undefined)?.prototype === prototype ? [] : [name],
  );
  // in values.ts: export const X: LiftedClass<typeof core.X> = lifted(core.X); export type X = core.X;
  expect(missing).toEqual([]);
});

test('constants are those of the construct library', () => {
  expect(lifted.RunStrategy.HALTED).toBe(core.RunStrategy.HALTED);
  expect(lifted.Disk.containerDisk('registry.example/tiny:1')).toBeInstanceOf(core.Disk);
});
