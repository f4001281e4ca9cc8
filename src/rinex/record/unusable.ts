/** The service does not answer as one does; the message is one line that begins with its URL. */
export class ServiceUnusable extends Error {
  override readonly name = 'ServiceUnusable';
}
