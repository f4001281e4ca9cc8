/** A defect of the service that is known and not yet fixed. `--strict` lets it fail the campaign. */
interface KnownDefect {
  about: string;
  /** Matches `row: what` of the failures that it causes. */
  pattern: RegExp;
}

/** Remove an entry together with its defect. */
export const KNOWN_DEFECTS: KnownDefect[] = [
  { about: 'answers 204 and 302 have no Content-Type', pattern: /: a (204|302) without content-type/ },
  { about: 'requests with two Host fields are answered', pattern: /fixed answers: two Host fields: 200/ },
  { about: 'GET * is answered like GET /', pattern: /fixed answers: GET \*: 200/ },
  { about: 'OPTIONS * is not found', pattern: /fixed answers: OPTIONS \*: 404/ },
  { about: 'CONNECT is closed without an answer', pattern: /fixed answers: CONNECT: closed without an answer/ },
  {
    about:
      'a database that is overwritten in place while it is mapped into memory ends the service, or leaves errors until it is restarted',
    pattern: /database replaced: (cp over it|cut off and written again): /,
  },
  { about: 'resident memory exceeds 150 MB under generated requests', pattern: /^resident memory: [\d.]+ MB; expected at most/ },
];
