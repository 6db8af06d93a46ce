import { readdirSync, readFileSync } from 'node:fs';
import * as simulator from 'ai-sdk-provider-perplexity-agent/simulator';
import * as server from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { describe, expect, it } from 'vitest';

const root = new URL('../../src/simulator/', import.meta.url);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

describe('the simulator keeps to itself', () => {
  it.each(files)('%s imports only its own files', (file) => {
    const source = readFileSync(new URL(file, root), 'utf8');
    const imports = [...source.matchAll(/(?:from|import\()\s*'(?<name>[^']+)'/gu)].map(
      (match) => match.groups?.name ?? '',
    );
    const builtIns = imports.filter((name) => name.startsWith('node:'));
    const others = imports
      .filter((name) => !name.startsWith('node:'))
      .map((name) => new URL(name, new URL(file, root)).href);
    expect(builtIns).toEqual(file === 'node.ts' ? ['node:http', 'node:net'] : []);
    expect(others.filter((href) => !href.startsWith(root.href))).toEqual([]);
    expect(source.split('\n').length).toBeLessThanOrEqual(300);
  });

  it('exports these values', () => {
    expect(Object.keys(simulator)).toEqual(['createAgentApiSimulator', 'parseRecording']);
    expect(Object.keys(server)).toEqual(['listen']);
  });
});
