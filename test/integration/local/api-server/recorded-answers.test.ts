import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { normalize } from './normalize';
import { requests, widgetCrd } from './recorded-requests';

const answers = JSON.parse(readFileSync(join(__dirname, 'recorded-answers.json'), 'utf8')) as Record<string, unknown>;

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd);
});

afterAll(() => server.close());

test.each(requests.map((request) => [request.name, request] as const))(
  '%s: answered as Kubernetes 1.36 does',
  async (name, { method, path, body, type }) => {
    const answer = await send(method, path, body, type);
    expect({ code: answer.code, body: normalize(answer.body) }).toEqual(answers[name]);
  },
);
