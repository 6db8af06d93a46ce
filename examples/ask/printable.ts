/**
 * What comes from the web must not command the terminal: all control characters but tab and line feed are left out, so that no
 * escape sequence begins, and so are those that turn the direction of what follows.
 */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
