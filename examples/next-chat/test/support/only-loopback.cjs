/**
 * Loaded into the server under test before all else (`node --require`): a connection that would leave the machine is refused, and its
 * address is added to the file that STRAY_CALLS names.
 */
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectOnlyHere(...args) {
  // Node itself hands on one list of options and callback.
  const [given, host] = Array.isArray(args[0]) ? args[0] : args;
  const to = typeof given === 'object' && given !== null ? given : { port: given, host };
  const address = to.host ?? 'localhost';
  if (to.path === undefined && !LOOPBACK.has(address)) {
    appendFileSync(process.env.STRAY_CALLS, `${address}:${to.port}\n`);
    process.nextTick(() => this.destroy(new Error(`${address} is beyond this machine.`)));
    return this;
  }
  return connect.apply(this, args);
};
