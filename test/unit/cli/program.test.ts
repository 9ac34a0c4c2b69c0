import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/program';
import { messageOf } from '../../../src/cli/errors';

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

const commands = (): string[] => createProgram().commands.map((command) => command.name());

afterEach(() => {
  delete process.env.VIRT8S_PROGRAM;
});

test('every command has a summary, a description and, where it takes arguments, an example', () => {
  for (const command of createProgram().commands) {
    expect(command.summary()).not.toBe('');
    expect(command.summary()).not.toMatch(/\.$/);
    expect(command.description()).not.toBe('');
    if (command.registeredArguments.length > 0) expect(helpOf(command)).toContain('\nExample');
  }
});

test('the plugin of kubectl has the verbs of a cluster, and not those of this machine', () => {
  expect(commands()).toEqual(expect.arrayContaining(['start', 'console', 'up', 'down']));
  process.env.VIRT8S_PROGRAM = 'kubectl virt';
  expect(commands()).toEqual(expect.arrayContaining(['start', 'console']));
  expect(commands()).not.toContain('up');
  expect(
    createProgram()
      .commands.find((each) => each.name() === 'start')
      ?.helpInformation(),
  ).toMatch(/^Usage: kubectl virt start/);
});

test('any thrown value is printed as one line', () => {
  expect(messageOf(new Error('a\n  b'))).toBe('a; b');
  expect(messageOf('text')).toBe('text');
  expect(messageOf(new AggregateError([new Error('refused')]))).toBe('refused');
});
