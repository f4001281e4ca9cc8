/** The longest `Forwarded` field that is read. Proxies write some hundred characters. */
const LONGEST = 2000;

/** `name=token` or `name="quoted string"`. Tokens may have colons, which proxies write although RFC 7239 wants quotes. */
const PAIR = /([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~:-]+)|"((?:[^"\\]|\\.)*)")/y;
const BLANKS = /[ \t]*/y;

/**
 * The parameters of the last element of a `Forwarded` header field (RFC 7239, section 4), by lower-case name. None if the
 * field is malformed or too long: then nothing in it can be believed. It takes linear time, because each expression
 * starts where the one before ended, and blanks match only one of them.
 */
export function lastForwarded(field: string | undefined): Record<string, string> {
  if (field === undefined || field.length > LONGEST) return {};
  let parameters: Record<string, string> = {};
  let at = 0;
  const read = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const match = expression.exec(field);
    at += match?.[0].length ?? 0;
    return match;
  };
  for (;;) {
    read(BLANKS);
    const pair = read(PAIR);
    if (pair !== null) parameters[pair[1]!.toLowerCase()] = pair[2] ?? pair[3]!.replace(/\\(.)/g, '$1');
    read(BLANKS);
    if (at === field.length) return parameters;
    const separator = field[at++];
    if (separator === ',') parameters = {};
    else if (separator !== ';') return {};
  }
}
