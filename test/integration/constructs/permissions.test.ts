import { Chart, Testing, Yaml } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform } from '../../../src';
import {
  type ComponentAccess,
  type Grant,
  uploadProxyAccess,
  userRoles,
  virtApiAccess,
  virtControllerAccess,
  virtHandlerAccess,
  virtOperatorAccess,
} from '../../../src/api/access';
import type { InstalledObject } from '../../../src/api/install/kinds';
import { definitionNames } from '../../../src/constructs/platform/definitions';
import { KubeClient, loadKubeConfig } from '../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../support/api-server';
import { testApp } from '../../support/app';
import { installedBy, withInstalled } from '../../support/platform';
import { kubectl } from '../local/api-server/kubectl';
import { sampleOf } from '../../support/tier';

/*
 * Every account, verb and resource, on an API server with the platform's roles: exactly what is declared is allowed. The
 * declarations are compared with the sources of the programs in test/unit/constructs/platform/access.test.ts.
 */

const PLATFORM = 'kubevirt';
const ELSEWHERE = 'default';
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** Verbs of Kubernetes that no account of the platform may have. */
const FORBIDDEN = ['impersonate', 'escalate', 'bind', '*'];

const chart = (() => {
  const made = new Chart(testApp(), 'virt');
  const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });
  new VirtPlatform(made, 'platform', { images, definitions: false });
  return Testing.synth(made) as object[];
})();
const definitions = (() => {
  const made = new Chart(testApp(), 'definitions');
  new PlatformDefinitions(made, 'definitions');
  return Testing.synth(made) as object[];
})();
const installs: InstalledObject[] = [
  ...definitionNames(true).map((name) => ({ kind: 'CustomResourceDefinition', name }) as const),
  ...installedBy(chart).map(({ kind, metadata }) => ({ kind, name: metadata.name }) as InstalledObject),
];

interface Account {
  readonly user: string;
  readonly groups: readonly string[];
  readonly grants: readonly Grant[];
}

const programs: Account[] = [
  virtApiAccess,
  virtControllerAccess,
  virtHandlerAccess,
  uploadProxyAccess,
  virtOperatorAccess({ installs }),
].map(({ serviceAccount, grants }: ComponentAccess) => ({
  user: `system:serviceaccount:${PLATFORM}:${serviceAccount}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${PLATFORM}`],
  grants,
}));

/** Users with a role of the platform in the namespace `default`. */
const people: Account[] = userRoles
  .filter(({ everybody }) => !everybody)
  .map(({ name, grants }) => ({ user: `user-of-${name}`, groups: [], grants }));

/** Permissions of every authenticated account. */
const everybody = userRoles.filter((role) => role.everybody).flatMap(({ grants }) => grants);

interface Question {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

let server: TestApiServer;
let admin: KubeClient;

beforeAll(async () => {
  server = await startTestApiServer();
  admin = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
  const run = kubectl(server.kubeconfig);
  const apply = (objects: object[]): ReturnType<typeof run> =>
    run('apply --server-side -f -', { input: Yaml.stringify(...objects) });
  expect(await apply(definitions)).toMatchObject({ code: 0 });
  const access = /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?)$/;
  const objects = (withInstalled(chart) as { kind: string }[]).filter(({ kind }) => access.test(kind));
  const bindings = people.map(({ user }, i) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `person-${i}`, namespace: ELSEWHERE },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user.slice('user-of-'.length) },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  }));
  expect(await apply([...objects, ...bindings])).toMatchObject({ code: 0 });
});

afterAll(async () => {
  admin.close();
  await server.close();
});

/** Whether the API server allows a request. */
async function isAllowed(
  { user, groups }: Account,
  { verb, group, resource, namespace, name }: Question,
): Promise<boolean> {
  const [plural, ...subresource] = resource.split('/');
  const answer = await admin.request<{ status: { allowed: boolean } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user,
        groups: [...groups, 'system:authenticated'],
        resourceAttributes: { verb, group, resource: plural, subresource: subresource.join('/'), namespace, name },
      },
    },
  );
  return answer.status.allowed;
}

/** Whether a declaration allows a request. */
const isDeclared = (grants: readonly Grant[], question: Question, isInside: (grant: Grant) => boolean): boolean =>
  grants.some(
    (grant) =>
      grant.group === question.group &&
      grant.resources.includes(question.resource) &&
      (grant.verbs as readonly string[]).includes(question.verb) &&
      (!grant.names || (question.name !== undefined && grant.names.includes(question.name))) &&
      isInside(grant),
  );

/** Every resource that any declaration or Kubernetes' discovery names. */
async function everyResource(): Promise<{ group: string; resource: string }[]> {
  const declared = [...programs, ...people].flatMap(({ grants }) =>
    grants.flatMap(({ group, resources }) => resources.map((resource) => `${group} ${resource}`)),
  );
  const { resources } = await admin.request<{ resources: { name: string }[] }>('GET', '/api/v1');
  const found = new Set([...declared, ...resources.map(({ name }) => ` ${name}`)]);
  return [...found].map((text) => {
    const [group = '', resource = ''] = text.split(' ');
    return { group, resource };
  });
}

/** Everything that is expected to be allowed, and a sample of the rest. */
const asked = (questions: readonly Question[], isExpected: (question: Question) => boolean): readonly Question[] => [
  ...questions.filter(isExpected),
  ...sampleOf(
    questions.filter((question) => !isExpected(question)),
    4,
  ),
];

/** Asks all questions, a few at a time; returns those that are answered differently than declared. */
async function differences(
  account: Account,
  questions: readonly Question[],
  isExpected: (question: Question) => boolean,
): Promise<{ wrong: string[]; allowed: number }> {
  const wrong: string[] = [];
  let allowed = 0;
  const left = [...questions];
  const worker = async (): Promise<void> => {
    for (let question = left.pop(); question; question = left.pop()) {
      const is = await isAllowed(account, question);
      allowed += Number(is);
      if (is !== isExpected(question)) wrong.push(`${is ? 'allowed' : 'denied'}: ${JSON.stringify(question)}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { wrong, allowed };
}

function questionsOf(resources: readonly { group: string; resource: string }[], account: Account): Question[] {
  const names = (group: string, resource: string): string[] =>
    account.grants.flatMap((grant) =>
      grant.group === group && grant.resources.includes(resource) ? (grant.names ?? []).slice(0, 1) : [],
    );
  return resources.flatMap(({ group, resource }) => [
    ...VERBS.flatMap((verb) =>
      [PLATFORM, ELSEWHERE].flatMap((namespace) =>
        [undefined, ...new Set(names(group, resource))].map((name) => ({ verb, group, resource, namespace, name })),
      ),
    ),
    ...FORBIDDEN.map((verb) => ({ verb, group, resource, namespace: PLATFORM })),
  ]);
}

test.each(programs.map((account) => [account.user.split(':').at(-1), account] as const))(
  '%s may do what it declares, and nothing else',
  async (_, account) => {
    const isExpected = (question: Question): boolean =>
      isDeclared(everybody, question, () => true) ||
      isDeclared(account.grants, question, ({ where }) => where !== 'installation' || question.namespace === PLATFORM);
    const questions = asked(questionsOf(await everyResource(), account), isExpected);
    const { wrong, allowed } = await differences(account, questions, isExpected);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(allowed).toBeGreaterThan(10);
    expect(questions.length - allowed).toBeGreaterThan(250);
  },
);

test.each(people.map((account) => [account.user.slice('user-of-'.length), account] as const))(
  'who has %s in a namespace may do what it declares there, and nothing elsewhere',
  async (_, account) => {
    const isExpected = (question: Question): boolean =>
      isDeclared(everybody, question, () => true) ||
      isDeclared(account.grants, question, () => question.namespace === ELSEWHERE);
    const questions = asked(questionsOf(await everyResource(), account), isExpected);
    const { wrong } = await differences(account, questions, isExpected);
    expect(wrong.slice(0, 20)).toEqual([]);
  },
);
