/** What of a server's address and headers is kept out of everything an app may log. */
import { describe, expect, it } from 'vitest';
import { secretsIn } from '../../src/request/secrets.js';

const ofAddress = (server_url: string) => secretsIn([{ type: 'mcp', server_label: 'x', server_url }]);
const ofQuery = (query: string) => ofAddress(`https://mcp.example.com/mcp?${query}`);

describe('what a query says in plain words is no secret', () => {
  it.each([
    'scope=finance',
    'scope=read-only',
    'scopes=read,write',
    'mode=readOnly&region=Europe',
    'tenant=ACME',
    'version=2',
    'v=v1.12.3',
    'protocolVersion=2025-06-18',
    'month=2026-11',
    'lat=40.71&lon=-74.006',
    'topic=electric+cars',
    'topic=electric%20cars',
    'filter=kind:page',
    'verbose=',
    'verbose',
    'keyword=finance',
    'keywords=finance,markets',
    'author=smith',
    'design=modern',
    'language_code=german',
    'signal=strong',
    'passage=first',
    'max_tokens=4000',
    'path=/docs/public',
  ])('%s', (query) => {
    expect(ofQuery(query)).toEqual([]);
  });
});

describe('what a key may look like is one, whatever its name', () => {
  const values = [
    '123e4567-e89b-42d3-a456-426614174000',
    '9f86d081884c7d659a2feaa0c55ad015',
    'DEADBEEF01',
    'QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    'QWxhZGRpbk9wZW5T',
    'kJhGfDsAqWeRtYuI',
    'abcdefghijklmnopqrst',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
    'sk-live-51H8xYz',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'pplx-abc123',
    '4929123456789012',
    '4929-1234-5678-9012',
    'p%40ssw0rd',
    'finance2',
  ];
  it.each(values)('%s', (value) => {
    const secrets = ofQuery(`scope=finance&x=${value}`);
    expect(secrets).toContain(value);
    expect(secrets).toContain(`scope=finance&x=${value}`);
    expect(secrets).not.toContain('finance');
  });

  it.each(values)('as a bare query: %s', (value) => {
    expect(ofQuery(value)).toContain(value);
  });
});

describe('a name that says so makes any value a secret', () => {
  it.each([
    'key',
    'api_key',
    'api-key',
    'apikey',
    'apiKey',
    'X-API-Key',
    'subscription-key',
    'accessKey',
    'token',
    'access_token',
    'authToken',
    'client_secret',
    'secret',
    'auth',
    'oauth',
    'authorization',
    'password',
    'pass',
    'pwd',
    'sig',
    'signature',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'creds',
    'session',
    'session_id',
    'jwt',
    'code',
  ])('%s', (name) => {
    expect(ofQuery(`${name}=finance`)).toEqual(expect.arrayContaining(['finance', `${name}=finance`]));
  });
});

describe('the rest of an address', () => {
  it('gives user name and password, and the user name alone where it is the key', () => {
    expect(ofAddress('https://admin:hunter-two@mcp.example.com/')).toEqual(['hunter-two']);
    expect(ofAddress('https://sk-1234567@mcp.example.com/')).toContain('sk-1234567');
    expect(ofAddress('https://tokenofmine@mcp.example.com/')).toContain('tokenofmine');
    expect(ofAddress('https://sk-1234567:x@mcp.example.com/')).toEqual(expect.arrayContaining(['sk-1234567', 'x']));
  });

  it('gives a key in the path, and no words of it', () => {
    expect(ofAddress('https://mcp.example.com/api/mcp/s/NzQ5ZmI2YzQtMGE3/mcp')).toEqual(['NzQ5ZmI2YzQtMGE3']);
    expect(ofAddress('https://mcp.example.com/123e4567-e89b-42d3-a456-426614174000/sse')).toContain(
      '123e4567-e89b-42d3-a456-426614174000',
    );
    for (const path of [
      '',
      'mcp',
      'v1/mcp',
      'customer-relations/read-only-server',
      'api/v2.1/harbour_pilots',
      'mcp2',
    ]) {
      expect(ofAddress(`https://mcp.example.com/${path}`)).toEqual([]);
    }
  });

  it('gives a value as it stands and as it reads', () => {
    expect(ofQuery('key=a%2Bb%2Fc+d')).toEqual(expect.arrayContaining(['a%2Bb%2Fc+d', 'a+b/c d']));
    expect(ofAddress('https://me:p%40ss%3Aword@mcp.example.com/')).toEqual(['p%40ss%3Aword', 'p@ss:word']);
    expect(ofQuery('key=50%')).toContain('50%');
    expect(ofQuery('key=a=b')).toContain('a=b');
  });

  it('is nothing where it is no address', () => {
    for (const server_url of ['', 'no address', 7, null, undefined, {}])
      expect(secretsIn([{ server_url }])).toEqual([]);
  });

  it('is found in no time', () => {
    const from = performance.now();
    ofQuery(`x=${'aA'.repeat(50_000)}!&y=${'a-'.repeat(50_000)}1&z=${'word '.repeat(20_000)}9`);
    expect(performance.now() - from).toBeLessThan(500);
  });
});

describe('headers and authorization', () => {
  it('are secrets, with and without the scheme', () => {
    expect(
      secretsIn([
        { authorization: 'tok-1', headers: { 'x-key': 'value-2', Authorization: 'Bearer tok-3', empty: '', n: 4 } },
      ]),
    ).toEqual(['tok-1', 'value-2', 'Bearer tok-3', 'tok-3']);
  });

  it('are looked for in every tool, whatever else is there', () => {
    expect(secretsIn([null, 'x', { type: 'web_search' }, { authorization: 'a' }, { authorization: 'b' }])).toEqual([
      'a',
      'b',
    ]);
    for (const tools of [undefined, null, {}, 'tools', 7]) expect(secretsIn(tools)).toEqual([]);
  });
});
