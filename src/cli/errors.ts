/** An invalid command line, environment variable or settings file; the message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed; the message is one line that says why and what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
