import { Access, PolicyRule } from '../../../../../src/local/api-server/authorization/authorizer';
import { describeRules, ruleAllows, uncovered } from '../../../../../src/local/api-server/authorization/rules';

const base: Access = {
  isResource: true,
  path: '',
  verb: 'get',
  group: '',
  version: 'v1',
  namespace: 'shop',
  resource: 'pods',
  subresource: '',
  name: 'web',
};
const rule = (verbs: string, groups: string, resources: string, names?: string): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : group)),
  resources: resources.split(' '),
  ...(names ? { resourceNames: names.split(' ') } : {}),
});
const url = (...paths: string[]): PolicyRule => ({ verbs: ['get'], nonResourceURLs: paths });
const path = (text: string): Partial<Access> => ({ isResource: false, path: text });

describe('a rule', () => {
  test.each<[string, PolicyRule, Partial<Access>, boolean]>([
    ['allows its verb, group and resource', rule('get', 'core', 'pods'), {}, true],
    ['does not allow another verb', rule('list', 'core', 'pods'), {}, false],
    ['does not allow another group', rule('get', 'apps', 'pods'), {}, false],
    ['does not allow another resource', rule('get', 'core', 'nodes'), {}, false],
    ['allows everything with stars', rule('*', '*', '*'), { subresource: 'log' }, true],
    ['does not allow a subresource with its resource', rule('get', 'core', 'pods'), { subresource: 'log' }, false],
    ['allows a subresource', rule('get', 'core', 'pods/log'), { subresource: 'log' }, true],
    ['does not allow the resource of its subresource', rule('get', 'core', 'pods/log'), {}, false],
    ['allows one subresource of every resource', rule('get', '*', '*/scale'), { subresource: 'scale' }, true],
    ['does not allow other subresources then', rule('get', '*', '*/scale'), { subresource: 'status' }, false],
    ['allows its names', rule('get', 'core', 'pods', 'web db'), {}, true],
    ['does not allow other names', rule('get', 'core', 'pods', 'db'), {}, false],
    ['with names does not allow a collection', rule('list', 'core', 'pods', 'web'), { verb: 'list', name: '' }, false],
    ['allows its URL', url('/healthz'), path('/healthz'), true],
    ['does not allow the URLs below it', url('/healthz'), path('/healthz/ping'), false],
    ['allows the URLs below a star', url('/healthz/*'), path('/healthz/ping'), true],
    ['does not allow the URL above a star', url('/healthz/*'), path('/healthz'), false],
    ['about URLs does not allow resources', url('*'), {}, false],
    ['about resources does not allow URLs', rule('*', '*', '*'), path('/'), false],
    ['without fields allows nothing', {}, {}, false],
  ])('%s', (_, given, access, allowed) => expect(ruleAllows(given, { ...base, ...access })).toBe(allowed));
});

describe('what is granted beyond what is held', () => {
  test.each<[string, PolicyRule[], PolicyRule[], string[]]>([
    ['nothing', [rule('get list', 'core', 'pods')], [rule('get', 'core', 'pods')], []],
    [
      'verbs are joined',
      [rule('get', 'core', 'pods')],
      [rule('get delete create', 'core', 'pods')],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}'],
    ],
    [
      'several holders together cover it',
      [rule('get', 'core', 'pods'), rule('delete', '*', 'pods')],
      [rule('get delete', 'core', 'pods')],
      [],
    ],
    [
      'all resources are more than each',
      [rule('*', 'core', 'pods services')],
      [rule('get', 'core', '*')],
      ['{APIGroups:[""], Resources:["*"], Verbs:["get"]}'],
    ],
    ['a subresource of everything', [rule('get', '*', '*/scale')], [rule('get', 'apps', 'deployments/scale')], []],
    ['fewer names', [rule('get', 'core', 'secrets', 'a b')], [rule('get', 'core', 'secrets', 'a')], []],
    [
      'another name',
      [rule('get', 'core', 'secrets', 'a')],
      [rule('get', 'core', 'secrets', 'a b')],
      ['{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    [
      'all names instead of one',
      [rule('get', 'core', 'secrets', 'a')],
      [rule('get', 'core', 'secrets')],
      ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
    ],
    ['URLs below a star', [url('/a/*')], [url('/a/b', '/a/c/*')], []],
    ['another URL', [url('/a')], [url('/a', '/b')], ['{NonResourceURLs:["/b"], Verbs:["get"]}']],
  ])('%s', (_, held, wanted, missing) => expect(describeRules(uncovered(held, wanted))).toEqual(missing));
});
