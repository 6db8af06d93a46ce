/** Values that no caller should give, by name: of every type, extreme, and such that fight back when they are read. */

class Thing {
  readonly value = 1;
}

const thrower = () => {
  throw new Error('do not touch me');
};

function cyclic(): object {
  const object: Record<string, unknown> = { a: 1 };
  object['self'] = object;
  return object;
}

function deep(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 10_000; level++) value = [value];
  return value;
}

const withGetter = (key: string) => Object.defineProperty({}, key, { enumerable: true, get: thrower });

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Made anew for each use, since some are changed by it. */
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  NaN: () => NaN,
  Infinity: () => Infinity,
  'minus Infinity': () => -Infinity,
  'minus one': () => -1,
  'a fraction': () => 1.5,
  'a large number': () => 2 ** 60,
  true: () => true,
  false: () => false,
  'an empty text': () => '',
  'a text': () => 'x',
  'a number as a text': () => '1',
  'a long text': () => 'x'.repeat(100_000),
  'half a pair': () => '\ud800',
  'control characters': () => '\u0000\r\n\u202e',
  'a name of all objects': () => '__proto__',
  'a symbol': () => Symbol('secret'),
  'a bigint': () => 10n,
  'a function': () => thrower,
  'a date': () => new Date(0),
  'no date': () => new Date(NaN),
  'a map': () => new Map([['a', 1]]),
  'a set': () => new Set(['a']),
  'an expression': () => /x/,
  bytes: () => new Uint8Array([1, 2, 3]),
  'an error': () => new Error('x'),
  'a boxed text': () => Object('x') as unknown,
  'a promise': () => Promise.resolve('x'),
  'a cycle': cyclic,
  'a list that holds itself': () => {
    const list: unknown[] = [];
    list.push(list);
    return list;
  },
  'an empty list': () => [],
  'a list of nothing': () => [null, undefined],
  'a list with holes': () => Array.from({ length: 3 }).concat(1).fill(undefined, 0, 0),
  'a list of all sorts': () => [1, 'x', {}, [], 10n],
  'holes alone': () => Object.assign([], { length: 3 }),
  'an empty object': () => ({}),
  'an object of another kind': () => ({ zzz: 1 }),
  'a frozen object': () => Object.freeze({ zzz: 1 }),
  'an instance': () => new Thing(),
  'no prototype': () => Object.assign(Object.create(null) as object, { zzz: 1 }),
  'no prototype and nothing in it': () => Object.create(null) as unknown,
  'a getter that throws': () => withGetter('type'),
  'another getter that throws': () => withGetter('name'),
  'a length that throws': () => new Proxy([], { get: thrower }),
  'a proxy that throws': () => new Proxy({}, { get: thrower, ownKeys: thrower, has: thrower }),
  'a proxy that is revoked': revoked,
  'a text that throws': () => ({ toString: thrower, valueOf: thrower, [Symbol.toPrimitive]: thrower }),
  'a JSON that throws': () => ({ toJSON: thrower }),
  'thrown without a prototype': () =>
    new Proxy(
      {},
      {
        get: () => {
          throw Object.create(null);
        },
      },
    ),
  'a deep list': deep,
};

export const hostileNames = Object.keys(HOSTILE);
export const hostile = (name: string): unknown => HOSTILE[name]?.();
