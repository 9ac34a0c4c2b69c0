import { Chart, ApiObject } from 'cdk8s';
import { kindsWithConstructs } from '../../../scripts/schema/constructs';
import { loadSchemas } from '../../../scripts/schema/schemas';
import { moduleName } from '../../../scripts/schema/typescript';
import { testApp } from '../../support/app';

type Constructor = new (scope: unknown, id: string, props: object) => ApiObject;

test.each(kindsWithConstructs(loadSchemas()).map(({ file, name }) => [file.title, name, moduleName(file.name)]))(
  'the construct of %s %s renders what it is given',
  (apiVersion, kind, module) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the name is computed
    const found = require(`../../../src/constructs/generated/${module}`) as Record<string, Constructor>;
    const object = new found[`${kind}Object`](new Chart(testApp(), 'test'), 'x', {
      metadata: { name: 'x' },
      spec: { a: 1 },
    });
    expect(object.toJson()).toEqual({ apiVersion, kind, metadata: { name: 'x' }, spec: { a: 1 } });
  },
);
