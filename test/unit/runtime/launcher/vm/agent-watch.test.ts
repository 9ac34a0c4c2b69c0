import type { AgentReport } from '../../../../../src/runtime/launcher/guest-agent/agent';
import { AgentWatch } from '../../../../../src/runtime/launcher/vm/agent-watch';

const report: AgentReport = { version: '10.0', supportedCommands: [], interfaces: [] };
let asked: PromiseWithResolvers<AgentReport>[];
let changes: number;
let agent: AgentWatch;

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockImplementation();
  [asked, changes] = [[], 0];
  agent = new AgentWatch(
    () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    },
    () => void changes++,
  );
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const answer = (given: AgentReport = report): Promise<void> => {
  asked.at(-1)!.resolve(given);
  return jest.advanceTimersByTimeAsync(0);
};

test('queries an agent once when it connects, and reports after its answer', async () => {
  agent.connected();
  agent.connected();
  expect(asked).toHaveLength(1);
  expect(agent.report).toBeUndefined();
  await answer();
  agent.connected();
  expect(asked).toHaveLength(1);
  expect(agent.report).toBe(report);
  expect(changes).toBe(1);
});

test('queries the agent every half minute, since addresses change without an event', async () => {
  agent.connected();
  await answer();
  await jest.advanceTimersByTimeAsync(29_999);
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await answer({ ...report, version: '11.0' });
  expect(agent.report?.version).toBe('11.0');
  expect(changes).toBe(2);
});

test('queries an agent that does not answer yet again soon, and keeps the earlier report', async () => {
  agent.connected();
  asked[0]!.reject(new Error('not yet'));
  await jest.advanceTimersByTimeAsync(4_999);
  agent.connected();
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await answer();
  await jest.advanceTimersByTimeAsync(30_000);
  asked[2]!.reject(new Error('busy'));
  await jest.advanceTimersByTimeAsync(0);
  expect(agent.report).toBe(report);
  expect(changes).toBe(1);
});

test('a report from before a disconnection is ignored, and the state is read again', async () => {
  agent.connected();
  agent.disconnected();
  agent.connected(); // still busy with the old question
  expect(asked).toHaveLength(1);
  await answer();
  expect(agent.report).toBeUndefined();
  expect(changes).toBe(1);
  agent.connected();
  expect(asked).toHaveLength(2);
});

test('does not query an agent that has disconnected', async () => {
  agent.connected();
  await answer();
  agent.disconnected();
  expect(agent.report).toBeUndefined();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(asked).toHaveLength(1);
});
